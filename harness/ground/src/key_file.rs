//! What a key file comes in: gzip is unpacked, what others pack is rejected, and so is text that
//! begins with a mark of its encoding, because its keys have other bytes than the same ones
//! elsewhere.

use std::io::{self, Cursor, Read};

use anyhow::{Result, ensure};
use flate2::read::MultiGzDecoder;

/// How a file of gzip begins: its two numbers, and its only method.
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// How others that pack begin.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
const XZ: &[u8] = b"\xfd7zXZ\0";
/// The marks of encodings. That of UTF-32 begins as that of UTF-16 does.
const UTF_8: &[u8] = b"\xef\xbb\xbf";
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
const UTF_32: &[u8] = b"\xff\xfe\0\0";
const MARKS: [&[u8]; 7] = [GZIP, ZSTD, XZ, UTF_8, UTF_16[0], UTF_16[1], UTF_32];
/// The most bytes of a first read.
const FIRST: usize = 1 << 16;

/// The bytes of a key file, unpacked if they are in gzip.
///
/// # Errors
///
/// A file that cannot be read, and one that is packed otherwise or begins with a byte-order
/// mark: it says what to do.
pub fn unpacked(file: impl Read + Send + 'static) -> Result<Box<dyn Read + Send>> {
    let (start, file) = begun(file)?;
    if start.starts_with(GZIP) {
        let (start, file) = begun(Gzip(MultiGzDecoder::new(file)))?;
        reject_a_mark(&start)?;
        return Ok(Box::new(file));
    }
    reject_a_mark(&start)?;
    Ok(Box::new(file))
}

/// What a first read brings, and a reader of all. Waits for more only where that may be a part of
/// a mark: keys may come one by one.
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
    let has_more = |mark: &&[u8]| mark.len() > start.len() && mark.starts_with(start);
    MARKS.iter().any(has_more)
}

fn reject_a_mark(start: &[u8]) -> Result<()> {
    let begins = |mark: &[u8]| start.starts_with(mark);
    ensure!(!begins(ZSTD), "it is packed by zstd: unpack it (zstd -dc)");
    ensure!(!begins(XZ), "it is packed by xz: unpack it (xz -dc)");
    ensure!(
        !begins(UTF_8),
        "it begins with a byte-order mark, which would be part of the first key: take it out (tail \
         -c +4)"
    );
    ensure!(
        !begins(UTF_32),
        "it is text in UTF-32, whose keys have other bytes than in UTF-8: convert it (iconv -f \
         UTF-32 -t UTF-8)"
    );
    ensure!(
        !UTF_16.into_iter().any(begins),
        "it is text in UTF-16, whose keys have other bytes than in UTF-8: convert it (iconv -f \
         UTF-16 -t UTF-8)"
    );
    Ok(())
}

/// What is unpacked, with errors that say so.
struct Gzip<R>(R);

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind => io::Error::new(
                kind,
                format!(
                    "it begins as gzip does, and cannot be unpacked ({error}): take a whole copy"
                ),
            ),
        })
    }
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
        for bytes in [
            &b""[..],
            b"a",
            b"a\nb\n",
            b"\xff\n",
            b"\x1f\x8bno gzip",
            b"\xef\xbb",
            b"(\xb5",
            b"\xfd7zXZ",
        ] {
            assert_eq!(all(bytes).unwrap(), bytes);
            assert_eq!(all(&packed(bytes)).unwrap(), bytes);
        }
        let long = vec![b'x'; 1 << 20];
        assert_eq!(all(&packed(&long)).unwrap(), long);
        // Files of gzip that were put together are the files put together.
        let two = [packed(b"a\n"), packed(b"b\n")].concat();
        assert_eq!(all(&two).unwrap(), b"a\nb\n");
    }

    /// Gives these, one in each read, and has no others: a further read fails.
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
        let mut slow = unpacked(Slow(vec![b"a\n"])).unwrap();
        assert_eq!(slow.read(&mut first).unwrap(), 2);
        let mut whole = unpacked(Slow(vec![b"a\nb\nc\nd\n"])).unwrap();
        assert_eq!(whole.read(&mut first).unwrap(), 8);
        let mut bracket = unpacked(Slow(vec![b"(\n"])).unwrap();
        assert_eq!(bracket.read(&mut first).unwrap(), 2);
        let marked = unpacked(Slow(vec![b"\xef", b"\xbb", b"\xbfa\n"]));
        assert!(marked.err().unwrap().to_string().contains("mark"));
    }

    #[test]
    fn marks_are_rejected_wherever_they_are() {
        for (bytes, words) in [
            (&b"\xef\xbb\xbfa\n"[..], "byte-order mark"),
            (b"\xff\xfea\0\n\0", "UTF-16"),
            (b"\xfe\xff\0a\0\n", "UTF-16"),
            (b"\xff\xfe\0\0a\0\0\0", "UTF-32"),
            (b"\x28\xb5\x2f\xfd\x04", "zstd -dc"),
            (b"\xfd7zXZ\0\0", "xz -dc"),
        ] {
            for bytes in [bytes, &packed(bytes)] {
                let error = all(bytes).unwrap_err().to_string();
                assert!(error.contains(words), "{error}");
            }
        }
    }

    #[test]
    fn damaged_gzip_is_an_error_that_says_so() {
        let whole = packed(b"some keys\nand some more\n");
        let mut flipped = whole.clone();
        flipped[12] ^= 0xff;
        for bytes in [&whole[..whole.len() - 4], &whole[..5], &flipped] {
            let error = all(bytes).unwrap_err().to_string();
            assert!(error.contains("as gzip does"), "{error}");
        }
    }
}
