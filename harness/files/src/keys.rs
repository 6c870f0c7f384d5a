//! Key files as streams: one key a line, bytes kept as they are.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use bouquet_format::MAGIC;

use super::{hex::unhex_all, open::recognise};

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 18;

/// The longest line that is taken. Past it what was given has lines of another
/// kind, or none, and a system that grants more memory than it has would end the
/// process sooner or later.
const LONGEST: usize = 1 << 30;

/// How many bytes of keys are held at a time, at most twice; a longer line is
/// held as a whole.
pub struct Keys {
    /// The files to come, last first.
    files: Vec<PathBuf>,
    /// The one that is read, with its name.
    now: Option<(Box<dyn Read>, String)>,
    /// What ends a key.
    end: u8,
    hex: bool,
    /// Bytes read, up to `filled`; those before `used` are spent.
    buffer: Vec<u8>,
    used: usize,
    filled: usize,
    /// The bytes of keys in hex.
    decoded: Vec<u8>,
    /// Lines of this file, and whether all of them ended in CR.
    lines: u64,
    all_end_in_cr: bool,
    warnings: Vec<String>,
    bytes_read: u64,
    /// The most bytes of a line.
    longest: usize,
}

/// Some keys, in order.
pub struct Batch<'a> {
    /// The lines as they stand in the file, without their ends.
    pub lines: Vec<&'a [u8]>,
    /// The keys, where they are not the lines.
    decoded: Option<Vec<&'a [u8]>>,
}

impl<'a> Batch<'a> {
    /// The keys.
    pub fn keys(&self) -> &[&'a [u8]] {
        self.decoded.as_deref().unwrap_or(&self.lines)
    }
}

impl Keys {
    /// The keys of these files, or of standard input if there are none; `-` is
    /// standard input too. With `hex` a line is the key's bytes in hex.
    pub fn new(files: &[PathBuf], end: u8, hex: bool) -> Self {
        let mut files: Vec<_> = files.iter().rev().cloned().collect();
        if files.is_empty() {
            files.push("-".into());
        }
        Self {
            files,
            now: None,
            end,
            hex,
            buffer: Vec::new(),
            used: 0,
            filled: 0,
            decoded: Vec::new(),
            lines: 0,
            all_end_in_cr: true,
            warnings: Vec::new(),
            bytes_read: 0,
            longest: LONGEST,
        }
    }

    /// The keys that one read brings, or what is left of the last file. Waits
    /// for no more than it needs for one: what comes by a pipe goes on at once.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, that is a filter, that is not hex, or that has
    /// a line for which there is no memory or that is longer than 1 GiB.
    pub fn next_batch(&mut self) -> Result<Option<Batch<'_>>> {
        let Some(upto) = self.fill()? else {
            return Ok(None);
        };
        let name = self.now.as_ref().map_or("", |(_, name)| name).to_owned();
        let bytes = &self.buffer[self.used..upto];
        self.used = upto;
        // The end of the last line is no line.
        let bytes = bytes.strip_suffix(&[self.end]).unwrap_or(bytes);
        let end = self.end;
        let lines: Vec<&[u8]> = bytes.split(|byte| *byte == end).collect();
        let first = self.lines + 1;
        self.lines += lines.len() as u64;
        self.all_end_in_cr = self.all_end_in_cr && lines.iter().all(|key| key.ends_with(b"\r"));
        let decoded = &mut self.decoded;
        let unhexed = self.hex.then(|| unhex_all(&lines, decoded, &name, first));
        let decoded = unhexed.transpose()?;
        Ok(Some(Batch { lines, decoded }))
    }

    /// What is probably not meant, of the files that are done.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Reads until there is a whole line; where the last one ends.
    fn fill(&mut self) -> Result<Option<usize>> {
        loop {
            if self.now.is_none() && !self.open()? {
                return Ok(None);
            }
            self.buffer.copy_within(self.used..self.filled, 0);
            let kept = self.filled - self.used;
            (self.used, self.filled) = (0, kept);
            self.make_room(kept)?;
            let count = self.read()?;
            if self.lines == 0 && kept < MARK.len() {
                self.refuse_a_mark()?;
            }
            if count == 0 {
                if kept > 0 {
                    return Ok(Some(kept));
                }
                self.close();
                continue;
            }
            let new = &self.buffer[kept..self.filled];
            if let Some(last) = new.iter().rposition(|byte| *byte == self.end) {
                return Ok(Some(kept + last + 1));
            }
        }
    }

    /// Makes room for a chunk after the bytes of a line that has not ended.
    fn make_room(&mut self, kept: usize) -> Result<()> {
        let (have, needed) = (self.buffer.len(), kept + CHUNK);
        if have >= needed {
            return Ok(());
        }
        let wanted = needed.max((2 * kept).min(self.longest));
        let granted = self.buffer.try_reserve_exact(wanted - have).is_ok();
        if kept > self.longest || !granted {
            let name = self.now.as_ref().map_or("", |(_, name)| name);
            let (end, other) = match self.end {
                0 => ("NUL", "try it without -0"),
                _ => ("LF", "if NUL does, give -0"),
            };
            bail!(
                "{name}, line {}: {} after {kept} bytes without an end; {end} ends a key here: \
                 {other}",
                self.lines + 1,
                if granted {
                    "longer than any key"
                } else {
                    "no memory for more"
                },
            );
        }
        self.buffer.resize(wanted, 0);
        Ok(())
    }

    fn read(&mut self) -> Result<usize> {
        let Some((file, name)) = &mut self.now else {
            return Ok(0);
        };
        loop {
            match file.read(&mut self.buffer[self.filled..]) {
                Ok(count) => {
                    self.filled += count;
                    self.bytes_read += count as u64;
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot read the keys in {name}"));
                }
            }
        }
    }

    /// Opens the next file; false if there is none.
    fn open(&mut self) -> Result<bool> {
        let Some(path) = self.files.pop() else {
            return Ok(false);
        };
        let name = path.display().to_string();
        self.now = Some(match path.as_os_str() == "-" {
            true => (Box::new(io::stdin()), "standard input".to_owned()),
            false => (Box::new(open(&path, &name)?), name),
        });
        (self.lines, self.all_end_in_cr) = (0, true);
        Ok(true)
    }

    fn close(&mut self) {
        if let Some((_, name)) = self.now.take()
            && self.lines > 0
            && self.all_end_in_cr
        {
            self.warnings.push(format!(
                "{name}: every line ends in CR, as files from Windows do; the CR is taken as part \
                 of the key"
            ));
        }
    }

    /// Refuses a filter of ours by a pipe, by how it begins.
    fn refuse_a_mark(&self) -> Result<()> {
        match &self.now {
            Some((_, name)) if self.buffer[..self.filled].starts_with(MARK) => {
                bail!("{name} is a filter (native): {NO_KEYS}")
            }
            _ => Ok(()),
        }
    }
}

/// Whoever gives a filter for keys wants it converted.
const NO_KEYS: &str = "its keys are not in it; give the file of the keys";

/// How a file of ours begins, up to what would be the end of a line.
const MARK: &[u8] = MAGIC.split_at(6).0;

/// Opens a file of keys: one that is no filter.
fn open(path: &Path, name: &str) -> Result<File> {
    let opened = || {
        let file = File::open(path)?;
        let is_file = file.metadata()?.is_file();
        let filter = if is_file { recognise(path)? } else { None };
        Ok::<_, io::Error>((file, filter))
    };
    let (file, filter) = opened().with_context(|| format!("cannot read the keys in {name}"))?;
    match filter {
        None => Ok(file),
        Some(format) => bail!(
            "{name} is a filter ({format}): {NO_KEYS}. (If it is a list of keys all the same, \
             give it by standard input: < {name})"
        ),
    }
}

/// The number of keys in files, repeats counted. `each` is told the bytes that
/// are read.
///
/// # Errors
///
/// As [`Keys::next_batch`], and keys that cannot be read twice.
pub fn count(files: &[PathBuf], end: u8, mut each: impl FnMut(u64)) -> Result<u64> {
    if let Some(once) = once(files) {
        bail!(
            "{once} cannot be read twice, to count the keys first: give --capacity, or take \
             --filter scalable, which grows"
        );
    }
    let mut keys = Keys::new(files, end, false);
    let mut total = 0;
    while let Some(batch) = keys.next_batch()? {
        total += batch.lines.len() as u64;
        each(keys.bytes_read());
    }
    Ok(total)
}

/// What of these cannot be read twice.
pub fn once(files: &[PathBuf]) -> Option<String> {
    let standard_input = Some("standard input".into());
    if files.is_empty() {
        return standard_input;
    }
    // What is not there, or a folder, is found out when it is read.
    let again = |path: &Path| {
        let there = path.metadata();
        there.map_or(true, |there| there.is_file() || there.is_dir())
    };
    let once = files
        .iter()
        .find(|path| path.as_os_str() == "-" || !again(path))?;
    match once.as_os_str() == "-" {
        true => standard_input,
        false => Some(once.display().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8], end: u8, hex: bool) -> Result<(Vec<Vec<u8>>, usize)> {
        let mut file = tempfile::NamedTempFile::new()?;
        io::Write::write_all(&mut file, text)?;
        let mut keys = Keys::new(&[file.path().to_path_buf()], end, hex);
        let mut found = Vec::new();
        while let Some(batch) = keys.next_batch()? {
            assert_eq!(batch.lines.len(), batch.keys().len());
            found.extend(batch.keys().iter().map(|key| key.to_vec()));
        }
        Ok((found, keys.warnings().len()))
    }

    #[test]
    fn bytes_are_kept_and_the_last_end_may_be_missing() {
        let lf = |text: &[u8]| all(text, b'\n', false).unwrap().0;
        assert_eq!(lf(b"a\nb\n"), [b"a", b"b"]);
        assert_eq!(lf(b"a\nb"), [b"a", b"b"]);
        assert_eq!(lf(b"\xff\n\na\r"), [&b"\xff"[..], b"", b"a\r"]);
        assert_eq!(lf(b"\n"), [b""]);
        assert!(lf(b"").is_empty());
        assert_eq!(all(b"a\nb\0c", 0, false).unwrap().0, [&b"a\nb"[..], b"c"]);
    }

    #[test]
    fn lines_longer_than_what_is_read_at_a_time_are_whole() {
        for length in [CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK] {
            let long = vec![b'x'; length];
            let text = [b"a\n", &long[..], b"\nb"].concat();
            let (found, _) = all(&text, b'\n', false).unwrap();
            assert_eq!(found, [b"a", &long[..], b"b"], "{length}");
        }
    }

    #[test]
    fn hex_gives_any_bytes_and_names_the_line_that_is_none() {
        let hex = |text: &[u8]| all(text, b'\n', true);
        assert_eq!(hex(b"00fF\n\n0a").unwrap().0, [&[0, 255][..], &[], &[10]]);
        for (text, line) in [(&b"00\n0"[..], "line 2"), (b"zz", "line 1")] {
            let error = hex(text).unwrap_err().to_string();
            assert!(error.contains(line), "{error}");
        }
    }

    #[test]
    fn hex_says_what_is_wrong_with_a_line() {
        for (text, words) in [
            (&b"0a\r\n0b\r\n"[..], "CR"),
            (b"0ab\n", "odd"),
            (b"0ab\r\n", "CR"),
            (b"0x0a\n", "0-9 and a-f"),
            (b"0x0\r\n", "0-9 and a-f"),
        ] {
            let error = all(text, b'\n', true).unwrap_err().to_string();
            assert!(error.contains(words), "{text:?}: {error}");
        }
    }

    #[test]
    fn a_line_without_end_is_refused_with_its_number() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let long = vec![b'x'; 3 * CHUNK];
        io::Write::write_all(&mut file, &[b"a\nb\n", &long[..]].concat()).unwrap();
        let limited = |longest| {
            let mut keys = Keys::new(&[file.path().to_path_buf()], b'\n', false);
            keys.longest = longest;
            let mut count = 0;
            while let Some(batch) = keys.next_batch()? {
                count += batch.lines.len();
            }
            Ok::<usize, anyhow::Error>(count)
        };
        assert_eq!(limited(3 * CHUNK).unwrap(), 3);
        let error = limited(CHUNK).unwrap_err().to_string();
        let name = file.path().display().to_string();
        for words in [&name, "line 3", "longer than any key", "-0"] {
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn lines_from_windows_are_told() {
        assert_eq!(all(b"a\r\nb\r\n", b'\n', false).unwrap().1, 1);
        assert_eq!(all(b"a\r\nb\n", b'\n', false).unwrap().1, 0);
        assert_eq!(all(b"", b'\n', false).unwrap().1, 0);
    }

    #[test]
    fn a_filter_is_no_key_file() {
        let error = all(&[&MAGIC[..], b"more"].concat(), b'\n', false).unwrap_err();
        assert!(format!("{error:#}").contains("is a filter"), "{error:#}");
    }
}
