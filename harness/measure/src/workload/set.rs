//! A key set: the lines of a file, or keys that are generated from their indexes.

use std::{
    collections::HashSet,
    fs::File,
    io::{BufRead as _, BufReader, Read},
    path::Path,
};

use anyhow::{Context, Result, ensure};

use super::generate::Generator;
use bouquet_record::DatasetRow;
use bouquet_record::key_file::{LONGEST, unpacked};
use bouquet_record::line::clean;
use bouquet_record::units::sha256;

/// Distinct keys that are accessed by index.
#[derive(Debug)]
pub struct KeySet {
    pub(super) row: DatasetRow,
    keys: Keys,
}

#[derive(Debug)]
enum Keys {
    Lines {
        bytes: Vec<u8>,
        /// Start and end of each distinct key.
        spans: Vec<(usize, usize)>,
        /// The byte that ends a line; no key contains it.
        end: u8,
    },
    Made(Generator),
}

impl KeySet {
    /// Reads the keys of a user's file. Also returns a warning if every key ends in CR. Each key
    /// ends at the byte `end` (LF or NUL), which may be missing after the last key.
    pub fn read_file(name: &str, path: &Path, end: u8) -> Result<(Self, Option<String>)> {
        let shown = path.display();
        let read = || read_lines(unpacked(File::open(path)?)?, end);
        let bytes = read().with_context(|| format!("cannot read the keys in {shown}"))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let about = format!("own keys from the file {}", clean(&file));
        let set = Self::of_lines(name, &about, bytes, end);
        ensure!(
            set.len() > 0,
            "no keys in {shown}: it is empty; give a file with one key per line"
        );
        let all_end_in_cr = (0..set.len()).all(|at| set.get(at, &mut Vec::new()).ends_with(b"\r"));
        let warning = all_end_in_cr.then(|| {
            format!(
                "{shown}: every line ends in CR, as files from Windows do; the CR is taken as part \
                 of the key"
            )
        });
        Ok((set, warning))
    }

    /// A set of the distinct lines of a text.
    pub(super) fn of_lines(name: &str, about: &str, bytes: Vec<u8>, end: u8) -> Self {
        let lines = bytes.strip_suffix(&[end]).unwrap_or(&bytes);
        let (mut spans, mut seen) = (Vec::new(), HashSet::new());
        let (mut start, mut duplicates_dropped, mut key_bytes) = (0, 0, 0);
        for key in lines
            .split(|byte| *byte == end)
            .filter(|_| !bytes.is_empty())
        {
            if seen.insert(key) {
                spans.push((start, start + key.len()));
                key_bytes += key.len() as u64;
            } else {
                duplicates_dropped += 1;
            }
            start += key.len() + 1;
        }
        drop(seen);
        let row = DatasetRow {
            dataset: name.into(),
            about: about.into(),
            keys: spans.len() as u64,
            duplicates_dropped,
            key_bytes,
            sha256: sha256(&bytes),
            generator: String::new(),
        };
        let keys = Keys::Lines { bytes, spans, end };
        Self { row, keys }
    }

    /// A set of generated keys, as many as needed.
    ///
    /// Fails if no generator has that name.
    pub fn generated(name: &str, generator: &str, seed: u64) -> Result<Self> {
        let about = format!("made by {generator}");
        let generator = Generator::named(generator, seed)?;
        Ok(Self::made(name, &about, generator, u64::from(u32::MAX)))
    }

    /// A set of `keys` keys that are generated from their indexes.
    pub(super) fn made(name: &str, about: &str, generator: Generator, keys: u64) -> Self {
        let mut key = Vec::new();
        generator.write(0, &mut key);
        let row = DatasetRow {
            dataset: name.into(),
            about: about.into(),
            keys: keys.min(generator.most_keys()),
            duplicates_dropped: 0,
            key_bytes: keys * key.len() as u64,
            sha256: String::new(),
            generator: format!("{generator:?}"),
        };
        let keys = Keys::Made(generator);
        Self { row, keys }
    }

    pub fn name(&self) -> &str {
        &self.row.dataset
    }

    pub fn row(&self) -> DatasetRow {
        self.row.clone()
    }

    pub fn len(&self) -> u64 {
        self.row.keys
    }

    pub fn mean_bytes(&self) -> u64 {
        self.row.key_bytes / self.row.keys.max(1)
    }

    /// `wanted`, or the number of keys if the set is from a file and has fewer.
    pub fn up_to(&self, wanted: u64) -> u64 {
        match self.is_generated() {
            true => wanted,
            false => wanted.min(self.len()),
        }
    }

    /// Whether the keys are generated from their indexes, so that there are as many as needed.
    pub fn is_generated(&self) -> bool {
        self.end().is_none()
    }

    /// For a file: the byte that ends each key. `None` for generated keys.
    pub(super) fn end(&self) -> Option<u8> {
        match &self.keys {
            Keys::Lines { end, .. } => Some(*end),
            Keys::Made(_) => None,
        }
    }

    /// Calls `visit` with the first `count` keys.
    pub fn for_each(&self, count: u64, visit: impl FnMut(&[u8])) {
        self.for_range(0..count, visit);
    }

    /// Calls `visit` with the keys at these indexes.
    pub fn for_range(&self, indexes: std::ops::Range<u64>, mut visit: impl FnMut(&[u8])) {
        let mut buffer = Vec::new();
        for index in indexes {
            visit(self.get(index, &mut buffer));
        }
    }

    /// The key at an index. For a generated set any index is valid, and the key is written to
    /// `buffer`.
    pub(super) fn get<'a>(&'a self, index: u64, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        match &self.keys {
            Keys::Lines { bytes, spans, .. } => {
                let (from, to) = spans[index as usize];
                &bytes[from..to]
            }
            Keys::Made(generator) => {
                generator.write(index, buffer);
                buffer
            }
        }
    }
}

/// Reads the whole input. Fails at a line that is too long, because even a small gzip file can
/// unpack to a line that does not fit into memory.
fn read_lines(file: impl Read, end: u8) -> Result<Vec<u8>> {
    let mut file = BufReader::new(file);
    let mut bytes = Vec::new();
    loop {
        let begun = bytes.len();
        let mut line = file.by_ref().take(LONGEST as u64 + 1);
        let read = line.read_until(end, &mut bytes)?;
        if read == 0 {
            return Ok(bytes);
        }
        ensure!(
            read <= LONGEST || bytes.ends_with(&[end]),
            "the line at byte {begun} is longer than any key after {read} bytes without an end; {} \
             ends a key here",
            if end == 0 { "NUL" } else { "LF" }
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &[u8], end: u8) -> (Vec<Vec<u8>>, u64) {
        let set = KeySet::of_lines("test", "", text.to_vec(), end);
        let mut keys = Vec::new();
        set.for_each(set.len(), |key| keys.push(key.to_vec()));
        (keys, set.row.duplicates_dropped)
    }

    fn read_of(bytes: &[u8]) -> Result<(KeySet, Option<String>)> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, bytes).unwrap();
        KeySet::read_file("test", file.path(), b'\n')
    }

    #[test]
    fn bytes_are_kept_and_repeats_dropped() {
        let lf = |text: &[u8]| keys(text, b'\n');
        assert_eq!(lf(b"a\nb\n"), (vec![b"a".to_vec(), b"b".to_vec()], 0));
        assert_eq!(lf(b"a\nb"), lf(b"a\nb\n"));
        assert_eq!(lf(b"a\na\nb\na"), (vec![b"a".to_vec(), b"b".to_vec()], 2));
        assert_eq!(lf(b"\xff\xfe\n\n"), (vec![vec![0xff, 0xfe], vec![]], 0));
        assert_eq!(lf(b"").0.len(), 0);
        assert_eq!(keys(b"a\nb\0c", 0).0, [b"a\nb".to_vec(), b"c".to_vec()]);
    }

    #[test]
    fn lines_from_windows_are_reported() {
        let (set, warning) = read_of(b"a\r\nb\r\n").unwrap();
        assert!(warning.unwrap().contains("ends in CR"));
        assert_eq!(set.get(0, &mut Vec::new()), b"a\r");
        assert_eq!(read_of(b"a\r\nb\n").unwrap().1, None);
    }

    #[test]
    fn gzip_is_unpacked_and_marks_of_encodings_are_rejected() {
        // The lines `a` and `b`, compressed by `gzip -n`.
        let packed = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0xe4, 0x4a, 0xe2, 2, 0, 0x97, 0x2a, 0x57,
            0x18, 4, 0, 0, 0,
        ];
        let (set, _) = read_of(&packed).unwrap();
        assert_eq!((set.len(), set.row.key_bytes), (2, 2));
        for (bytes, words) in [(&b"\xef\xbb\xbfa"[..], "mark"), (b"\xff\xfea\0", "UTF-16")] {
            let error = format!("{:#}", read_of(bytes).unwrap_err());
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_line_without_end_is_no_key_and_ends_the_reading() {
        let error = |file: &mut dyn Read, end| read_lines(file, end).unwrap_err().to_string();
        let endless = error(&mut (&b"a\nb\n"[..]).chain(std::io::repeat(b'x')), b'\n');
        let words = "the line at byte 4 is longer than any key after ";
        assert!(endless.starts_with(words), "{endless}");
        assert!(error(&mut std::io::repeat(b'x'), 0).ends_with("NUL ends a key here"));
        let longest = [vec![b'x'; LONGEST], b"\nb".to_vec()].concat();
        assert_eq!(read_lines(&longest[..], b'\n').unwrap(), longest);
        assert!(read_lines(&b""[..], b'\n').unwrap().is_empty());
    }

    #[test]
    fn unreadable_files_are_named() {
        let error = |path: &Path| {
            let read = KeySet::read_file("test", path, b'\n');
            format!("{:#}", read.unwrap_err())
        };
        assert!(error(Path::new("/no/such")).contains("/no/such"));
        let folder = std::env::temp_dir();
        assert!(error(&folder).contains(&folder.display().to_string()));
    }
}
