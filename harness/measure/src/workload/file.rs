//! Key files: one key per line, bytes kept as they are.

use std::{
    collections::{HashSet, TryReserveError},
    fs::File,
    io::Read,
    path::Path,
};

use anyhow::{Context, Result, ensure};
use bouquet_record::{
    key_file::{LONGEST, unpacked},
    room,
};

/// Number of bytes that are read at a time.
const LEAST_STEP: usize = 1 << 16;
const MOST_STEP: usize = 1 << 26;

/// The keys of a file.
#[derive(Debug)]
pub struct Lines {
    pub bytes: Vec<u8>,
    /// Start and end of each distinct key.
    pub spans: Vec<(usize, usize)>,
    /// Number of lines left out because they equal an earlier one.
    pub duplicates_dropped: u64,
    /// The byte that ends a line; no key contains it.
    pub end: u8,
    /// A warning about something that is probably a mistake.
    pub warning: Option<String>,
}

/// Reads a key file. The byte `end` ends a key; it may be missing after the last key.
pub fn read(path: &Path, end: u8) -> Result<Lines> {
    let problem = || format!("cannot read the keys in {}", path.display());
    let read = || read_lines(unpacked(File::open(path)?)?, end);
    let bytes = read().with_context(problem)?;
    let lines = split(bytes, end).with_context(problem)?;
    ensure!(
        !lines.spans.is_empty(),
        "no keys in {}: it is empty; give a file with one key per line",
        path.display()
    );
    let warning = lines
        .warning
        .as_ref()
        .map(|text| format!("{}: {text}", path.display()));
    Ok(Lines { warning, ..lines })
}

/// Reads the whole input. Fails if a line is too long or memory runs out: a small gzip file can
/// unpack to more than the memory of the machine.
fn read_lines(mut file: impl Read, end: u8) -> Result<Vec<u8>> {
    let mut bytes: Vec<u8> = Vec::new();
    // Start of the line whose end has not been read yet.
    let mut begun = 0;
    loop {
        let from = bytes.len();
        let step = from.clamp(LEAST_STEP, MOST_STEP);
        room::check("what comes next", step as f64)?;
        bytes.try_reserve_exact(step)?;
        let read = file.by_ref().take(step as u64).read_to_end(&mut bytes)?;
        if read == 0 {
            return Ok(bytes);
        }
        if let Some(last) = bytes[from..].iter().rposition(|byte| *byte == end) {
            begun = from + last + 1;
        }
        let line = bytes.len() - begun;
        ensure!(
            line <= LONGEST,
            "the line at byte {begun} is longer than any key after {line} bytes without an end; {} \
             ends a key here",
            if end == 0 { "NUL" } else { "LF" }
        );
    }
}

/// Splits bytes into distinct keys. Checks its allocations, because short keys need more memory
/// than their bytes, and a packed file can unpack to many times its size.
///
/// # Errors
///
/// If there is not enough memory.
pub fn split(bytes: Vec<u8>, end: u8) -> Result<Lines, TryReserveError> {
    let mut spans = Vec::new();
    let mut duplicates_dropped = 0;
    let mut all_end_in_cr = !bytes.is_empty();
    let mut seen = HashSet::new();
    let mut start = 0;
    while start < bytes.len() {
        let rest = &bytes[start..];
        let length = rest
            .iter()
            .position(|byte| *byte == end)
            .unwrap_or(rest.len());
        let key = &rest[..length];
        all_end_in_cr &= key.ends_with(b"\r");
        seen.try_reserve(1)?;
        if seen.insert(key) {
            spans.try_reserve(1)?;
            spans.push((start, start + length));
        } else {
            duplicates_dropped += 1;
        }
        start += length + 1;
    }
    let warning = all_end_in_cr.then(|| {
        "every line ends in CR, as files from Windows do; the CR is taken as part of the key"
            .to_string()
    });
    drop(seen);
    Ok(Lines {
        bytes,
        spans,
        duplicates_dropped,
        end,
        warning,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &[u8], end: u8) -> (Vec<Vec<u8>>, u64, bool) {
        let lines = split(text.to_vec(), end).unwrap();
        let keys = lines
            .spans
            .iter()
            .map(|(from, to)| lines.bytes[*from..*to].to_vec())
            .collect();
        (keys, lines.duplicates_dropped, lines.warning.is_some())
    }

    #[test]
    fn bytes_are_kept_and_repeats_dropped() {
        let lf = |text: &[u8]| keys(text, b'\n');
        assert_eq!(
            lf(b"a\nb\n"),
            (vec![b"a".to_vec(), b"b".to_vec()], 0, false)
        );
        assert_eq!(lf(b"a\nb"), lf(b"a\nb\n"));
        assert_eq!(
            lf(b"a\na\nb\na"),
            (vec![b"a".to_vec(), b"b".to_vec()], 2, false)
        );
        assert_eq!(
            lf(b"\xff\xfe\n\n"),
            (vec![vec![0xff, 0xfe], vec![]], 0, false)
        );
        assert_eq!(lf(b"").0.len(), 0);
        assert_eq!(keys(b"a\nb\0c", 0).0, [b"a\nb".to_vec(), b"c".to_vec()]);
    }

    #[test]
    fn lines_from_windows_are_reported() {
        let (crlf, _, warned) = keys(b"a\r\nb\r\n", b'\n');
        assert!(warned && crlf[0] == b"a\r");
        assert!(!keys(b"a\r\nb\n", b'\n').2);
    }

    #[test]
    fn gzip_is_unpacked_and_marks_of_encodings_are_rejected() {
        let path = std::env::temp_dir().join(format!("bouquet-key-file-{}", std::process::id()));
        let read_of = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read(&path, b'\n')
        };
        // The output of `gzip -n` for `a`, LF, `b`, LF.
        let packed = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0xe4, 0x4a, 0xe2, 2, 0, 0x97, 0x2a, 0x57,
            0x18, 4, 0, 0, 0,
        ];
        assert_eq!(read_of(&packed).unwrap().spans, [(0, 1), (2, 3)]);
        for (bytes, words) in [(&b"\xef\xbb\xbfa"[..], "mark"), (b"\xff\xfea\0", "UTF-16")] {
            let error = format!("{:#}", read_of(bytes).unwrap_err());
            assert!(error.contains(words), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
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
        let error = |path: &Path| format!("{:#}", read(path, b'\n').unwrap_err());
        assert!(error(Path::new("/no/such")).contains("/no/such"));
        let folder = std::env::temp_dir();
        assert!(error(&folder).contains(&folder.display().to_string()));
    }
}
