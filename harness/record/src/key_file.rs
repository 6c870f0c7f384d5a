//! Reads key files. Unpacks gzip; rejects other compressed files. Also rejects text with a
//! byte-order mark: its keys would differ in bytes from the same keys in plain UTF-8.

use std::io::{self, Cursor, Read};

use anyhow::{Result, bail};
use flate2::read::MultiGzDecoder;

/// The first bytes of a gzip file: two magic bytes, and the only compression method, deflate.
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// The first bytes of files that are rejected, and the names of their formats.
const MARKS: [(&[u8], &str); 6] = [
    (b"\xef\xbb\xbf", "UTF-8 with a byte-order mark"),
    (b"\xff\xfe", "UTF-16 with a byte-order mark"),
    (b"\xfe\xff", "UTF-16 with a byte-order mark"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ\0", "xz"),
    (b"BZh91AY&SY", "bzip2"),
];
/// The largest number of bytes that are read to recognise the format.
const FIRST: usize = 1 << 16;

/// The longest line that is accepted, in bytes. A longer line means that the file has no line ends
/// that the program knows; reading it could use up all memory.
pub const LONGEST: usize = 1 << 24;

/// The bytes of a key file, unpacked if the file is gzip.
///
/// # Errors
///
/// The file cannot be read, is compressed in another format, or begins with a byte-order mark.
pub fn unpacked(file: impl Read + Send + 'static) -> Result<Box<dyn Read + Send>> {
    let (start, file) = begun(file)?;
    if !start.starts_with(GZIP) {
        reject(&start)?;
        return Ok(Box::new(file));
    }
    let (start, file) = begun(MultiGzDecoder::new(file))?;
    reject(&start)?;
    Ok(Box::new(file))
}

fn reject(start: &[u8]) -> Result<()> {
    match MARKS.iter().find(|(mark, _)| start.starts_with(mark)) {
        Some((_, what)) => bail!(
            "it is {what}: give plain UTF-8 or gzip; keys of any bytes go by --hex, where a \
             command has it"
        ),
        None => Ok(()),
    }
}

/// Returns the first bytes, and a reader of the whole file. Reads on only while these bytes may be
/// the start of [`GZIP`] or one of [`MARKS`], because a pipe may deliver keys one by one.
fn begun<R: Read>(mut file: R) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut start = vec![0; FIRST];
    let mut len = 0;
    while is_part_of_a_mark(&start[..len]) {
        match file.read(&mut start[len..]) {
            Ok(0) => break,
            Ok(count) => len += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    start.truncate(len);
    Ok((start.clone(), Cursor::new(start).chain(file)))
}

fn is_part_of_a_mark(start: &[u8]) -> bool {
    let mut marks = MARKS.iter().map(|(mark, _)| *mark).chain([GZIP]);
    marks.any(|mark| mark.len() > start.len() && mark.starts_with(start))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    fn all(bytes: &[u8]) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        unpacked(Cursor::new(bytes.to_vec()))?.read_to_end(&mut all)?;
        Ok(all)
    }

    #[test]
    fn bytes_are_those_of_the_file_or_what_is_packed_in_it() {
        let long = vec![b'x'; 1 << 20];
        for bytes in [
            &b""[..],
            b"a",
            b"a\nb\n",
            b"\xff\n",
            b"\x1f\x8bno gzip",
            b"\xef\xbb",
            b"\xfd7zXZ",
            b"BZh01AY&SY",
            b"a\0b\0c\0d\0\n",
            &long,
        ] {
            assert_eq!(all(bytes).unwrap(), bytes);
            assert_eq!(all(&packed(bytes)).unwrap(), bytes);
        }
        // Concatenated gzip files unpack to their concatenated contents.
        let two = [packed(b"a\n"), packed(b"b\n")].concat();
        assert_eq!(all(&two).unwrap(), b"a\nb\n");
        let whole = packed(b"some keys\nand some more\n");
        let mut flipped = whole.clone();
        flipped[12] ^= 0xff;
        for bytes in [&whole[..whole.len() - 4], &whole[..5], &flipped] {
            assert!(all(bytes).is_err());
        }
    }

    /// A reader that returns one of these slices per read, and fails after the last.
    struct Slow(Vec<&'static [u8]>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.is_empty() {
                true => Err(io::Error::other("read on")),
                false => self.0.remove(0).read(buffer),
            }
        }
    }

    #[test]
    fn a_first_key_is_not_kept_waiting_and_a_mark_may_come_in_parts() {
        let mut first = [0; 9];
        for text in [&b"a\n"[..], b"a\nb\nc\nd\n", b"(\n"] {
            let mut slow = unpacked(Slow(vec![text])).unwrap();
            assert_eq!(slow.read(&mut first).unwrap(), text.len());
        }
        let marked = unpacked(Slow(vec![b"\xef", b"\xbb", b"\xbfa\n"]));
        assert!(marked.err().unwrap().to_string().contains("mark"));
    }

    #[test]
    fn marks_are_rejected_wherever_they_are() {
        for (bytes, words) in [
            (&b"\xef\xbb\xbfa\n"[..], "byte-order mark"),
            (b"\xff\xfea\0\n\0", "UTF-16"),
            (b"\xfe\xff\0a\0\n", "--hex"),
            (b"\x28\xb5\x2f\xfd\x04", "it is zstd: give plain UTF-8"),
            (b"\xfd7zXZ\0\0", "xz"),
            (b"BZh91AY&SY\x01", "bzip2"),
        ] {
            for bytes in [bytes, &packed(bytes)] {
                let error = all(bytes).unwrap_err().to_string();
                assert!(error.contains(words), "{error}");
            }
        }
    }
}
