//! What a key file comes in: gzip is unpacked, what others pack is rejected, and so is text in an
//! encoding or with a mark of one, because its keys have other bytes than the same ones elsewhere.

use std::io::{self, Cursor, Read};

use anyhow::{Result, bail, ensure};
use flate2::read::MultiGzDecoder;

/// How a file of gzip begins: its two numbers, and its only method.
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// How others that pack begin, and what unpacks them. Of bzip2 `#` is any level, a digit.
const PACKED: [(&[u8], &str, &str); 7] = [
    (b"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"),
    (b"\xfd7zXZ\0", "xz", "xz -dc"),
    (b"BZh#1AY&SY", "bzip2", "bzip2 -dc"),
    (b"BZh#\x17\x72\x45\x38\x50\x90", "bzip2", "bzip2 -dc"),
    (b"PK\x03\x04", "zip", "unzip -p"),
    (b"PK\x05\x06", "zip", "unzip -p"),
    (b"\x04\x22\x4d\x18", "lz4", "lz4 -dc"),
];
/// The marks of encodings. That of UTF-32 begins as that of UTF-16 does.
const UTF_8: &[u8] = b"\xef\xbb\xbf";
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
const UTF_32: &[u8] = b"\xff\xfe\0\0";
const MARKS: [&[u8]; 5] = [GZIP, UTF_8, UTF_16[0], UTF_16[1], UTF_32];
/// The most bytes of a first read.
const FIRST: usize = 1 << 16;
/// Bytes that text in UTF-16 without a mark is known by: these at most, and as many at least.
const LOOKED_AT: usize = 512;
const ENOUGH: usize = 8;

/// The bytes of a key file, unpacked if they are in gzip. `end` ends a key: where that is a NUL,
/// as many as UTF-16 has are keys of one byte.
///
/// # Errors
///
/// A file that cannot be read, and one that is packed otherwise, begins with a byte-order mark, or
/// is in UTF-16 without one: it says what to do.
pub fn unpacked(file: impl Read + Send + 'static, end: u8) -> Result<Box<dyn Read + Send>> {
    let (start, file) = begun(file, end)?;
    ensure!(
        start != GZIP[..2],
        "it begins as gzip does, and ends there: take a whole copy"
    );
    if begins(&start, GZIP) {
        let gzip = Gzip {
            reader: MultiGzDecoder::new(file),
            has_any: false,
        };
        let (start, file) = begun(gzip, end)?;
        ensure!(
            !begins(&start, GZIP),
            "it is packed by gzip twice: unpack it once (gzip -dc)"
        );
        if let Some((by, tool)) = packer(&start) {
            bail!("it is packed by gzip and before by {by}: unpack it (gzip -dc, then {tool})");
        }
        reject_an_encoding(&start, end)?;
        return Ok(Box::new(file));
    }
    if let Some((by, tool)) = packer(&start) {
        bail!("it is packed by {by}: unpack it ({tool})");
    }
    reject_an_encoding(&start, end)?;
    Ok(Box::new(file))
}

/// What a first read brings, and a reader of all. Waits for more only where that may be a part of
/// a mark, or the beginning of UTF-16: keys may come one by one.
fn begun<R: Read>(mut file: R, end: u8) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut start = vec![0; FIRST];
    let mut len = 0;
    let is_open = |start: &[u8]| {
        let may_be_unmarked = (2..LOOKED_AT).contains(&start.len()) && unmarked(start).is_some();
        is_part_of_a_mark(start) || (end != 0 && may_be_unmarked)
    };
    while is_open(&start[..len]) {
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
    let packed = PACKED.iter().map(|(mark, ..)| *mark);
    let mut marks = MARKS.into_iter().chain(packed);
    marks.any(|mark| mark.len() > start.len() && agree(start, mark))
}

fn begins(start: &[u8], mark: &[u8]) -> bool {
    start.len() >= mark.len() && agree(start, mark)
}

/// Whether they are the same as far as both go.
fn agree(start: &[u8], mark: &[u8]) -> bool {
    let is_level = |byte: u8| (b'1'..=b'9').contains(&byte);
    let mut both = start.iter().zip(mark);
    both.all(|(byte, of_mark)| match of_mark {
        b'#' => is_level(*byte),
        of_mark => byte == of_mark,
    })
}

/// What packed it, other than gzip, and what unpacks it.
fn packer(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let (_, by, tool) = PACKED.iter().find(|(mark, ..)| begins(start, mark))?;
    Some((by, tool))
}

fn reject_an_encoding(start: &[u8], end: u8) -> Result<()> {
    ensure!(
        !begins(start, UTF_8),
        "it begins with a byte-order mark, which would be part of the first key: take it out (tail \
         -c +4)"
    );
    ensure!(
        !begins(start, UTF_32),
        "it is text in UTF-32, whose keys have other bytes than in UTF-8: convert it (iconv -f \
         UTF-32 -t UTF-8)"
    );
    let encoding = match UTF_16.into_iter().any(|mark| begins(start, mark)) {
        true => Some("UTF-16"),
        // As long as it looks so more is waited for: a shorter start is a whole file.
        false => unmarked(start).filter(|_| {
            let is_whole = start.len() < LOOKED_AT;
            end != 0 && start.len() >= ENOUGH && !(is_whole && start.len() % 2 == 1)
        }),
    };
    if let Some(encoding) = encoding {
        bail!(
            "it is text in UTF-16, whose keys have other bytes than in UTF-8: convert it (iconv -f \
             {encoding} -t UTF-8)"
        );
    }
    Ok(())
}

/// The encoding of what looks like UTF-16 and has no mark: every other byte is a NUL, and those
/// between are text. Keys of any bytes hardly look so.
fn unmarked(start: &[u8]) -> Option<&'static str> {
    let start = &start[..start.len().min(LOOKED_AT) / 2 * 2];
    let is_text = |byte: u8| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r');
    let is_of = |text: usize| {
        let mut pairs = start.chunks_exact(2);
        pairs.all(|pair| is_text(pair[text]) && pair[1 - text] == 0)
    };
    match (is_of(0), is_of(1)) {
        (true, _) => Some("UTF-16LE"),
        (_, true) => Some("UTF-16BE"),
        _ => None,
    }
}

/// What is unpacked, with errors that say so.
struct Gzip<R> {
    reader: R,
    has_any: bool,
}

impl<R: Read> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer);
        self.has_any |= read.as_ref().is_ok_and(|count| *count > 0);
        read.map_err(|error| {
            let words = error.to_string();
            let words = match error.kind() {
                io::ErrorKind::Interrupted => return error,
                // Another file of gzip may follow; this is none.
                _ if self.has_any && words == "invalid gzip header" => {
                    "it is gzip with something else after it: unpack what is gzip (gzip -dc), and \
                     give that"
                        .to_owned()
                }
                _ => format!(
                    "it begins as gzip does, and cannot be unpacked ({words}): take a whole copy"
                ),
            };
            io::Error::new(error.kind(), words)
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
        ended_by(b'\n', bytes)
    }

    fn ended_by(end: u8, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        unpacked(Cursor::new(bytes.to_vec()), end)?.read_to_end(&mut all)?;
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
            b"BZh\n",
            b"BZh01AY&SY",
            b"PK\n",
            b"PK\x07\x08",
            b"\x04\x22\x4d",
            // Too short to be known, and numbers of two bytes.
            b"a\0b\0c\0",
            b"\x01\0\x02\0\x03\0\x04\0",
            b"a\0b\0c\0\0\0e\0",
            // As many bytes as UTF-16 never has.
            b"a\0b\0c\0d\0\n",
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
        let mut slow = unpacked(Slow(vec![b"a\n"]), b'\n').unwrap();
        assert_eq!(slow.read(&mut first).unwrap(), 2);
        let mut whole = unpacked(Slow(vec![b"a\nb\nc\nd\n"]), b'\n').unwrap();
        assert_eq!(whole.read(&mut first).unwrap(), 8);
        let mut bracket = unpacked(Slow(vec![b"(\n"]), b'\n').unwrap();
        assert_eq!(bracket.read(&mut first).unwrap(), 2);
        // What begins as UTF-16 does may go on otherwise.
        let binary: [&[u8]; 3] = [b"a\0b\0c\0d\0\n", b"abcdefgh\n", b""];
        let mut slow = unpacked(Slow(binary.to_vec()), b'\n').unwrap();
        let mut all = Vec::new();
        slow.read_to_end(&mut all).unwrap();
        assert_eq!(all, binary.concat());
        let utf_16 = unpacked(Slow(vec![b"a\0\n\0", b"b\0\n\0c\0\n\0", b""]), b'\n');
        assert!(utf_16.err().unwrap().to_string().contains("UTF-16LE"));
        let marked = unpacked(Slow(vec![b"\xef", b"\xbb", b"\xbfa\n"]), b'\n');
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
            (b"BZh91AY&SY\x01", "bzip2 -dc"),
            (b"BZh1\x17\x72\x45\x38\x50\x90", "bzip2 -dc"),
            (b"PK\x03\x04\x14", "unzip -p"),
            (b"PK\x05\x06\0", "unzip -p"),
            (b"\x04\x22\x4d\x18\x64", "lz4 -dc"),
            (b"a\0\n\0b\0\xe9\0", "iconv -f UTF-16LE"),
            (b"\0a\0\n\0b\0\xe9", "iconv -f UTF-16BE"),
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

    #[test]
    fn keys_that_end_in_nul_are_no_utf_16() {
        let keys = b"a\0b\0c\0d\0e\0";
        assert!(all(keys).is_err());
        assert_eq!(ended_by(0, keys).unwrap(), keys);
    }

    #[test]
    fn gzip_in_gzip_and_before_something_else_is_said_to_be_that() {
        let once = packed(b"some keys\n");
        let error = all(&packed(&once)).unwrap_err().to_string();
        assert!(error.contains("by gzip twice"), "{error}");
        let error = all(&[&once[..], b"junk and more of it"].concat());
        let error = error.unwrap_err().to_string();
        assert!(error.contains("something else after it"), "{error}");
        let error = all(b"\x1f\x8b").unwrap_err().to_string();
        assert!(error.contains("ends there: take a whole copy"), "{error}");
    }
}
