//! What a key file comes in: gzip is unpacked, what others pack is rejected, and so is text in an
//! encoding or with a mark of one, because its keys have other bytes than the same ones elsewhere.

mod encoding;
mod gzip;

use std::io::{self, Cursor, Read};

use anyhow::{Result, bail, ensure};

use self::{
    encoding::{LOOKED_AT, may_be_unmarked, reject_an_encoding},
    gzip::Gzip,
};

/// How a file of gzip begins: its two numbers, and its only method.
const GZIP: &[u8] = &[0x1f, 0x8b, 8];

/// How others that pack begin, and what unpacks them. Of bzip2 `#` is any level, a digit; of lzma
/// `?` is any byte, for the size of its dictionary, and that of the file is in none that xz makes.
const PACKED: [(&[u8], &str, &str); 8] = [
    (b"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"),
    (b"\xfd7zXZ\0", "xz", "xz -dc"),
    (b"BZh#1AY&SY", "bzip2", "bzip2 -dc"),
    (b"BZh#\x17\x72\x45\x38\x50\x90", "bzip2", "bzip2 -dc"),
    (b"PK\x03\x04", "zip", "unzip -p"),
    (b"PK\x05\x06", "zip", "unzip -p"),
    (b"\x04\x22\x4d\x18", "lz4", "lz4 -dc"),
    (b"]\0\0??\xff\xff\xff\xff\xff\xff\xff\xff", "lzma", "xz -dc"),
];
/// The most bytes of a first read.
const FIRST: usize = 1 << 16;

/// The longest line that is taken. Past it what was given has lines of another
/// kind, or none, and a system that grants more memory than it has would end the
/// process sooner or later. Little of gzip can be a line as long.
pub const LONGEST: usize = 1 << 24;

/// The bytes of a key file, unpacked if they are in gzip. `end` ends a key: where that is a NUL,
/// as many as UTF-16 has are keys of one byte.
///
/// # Errors
///
/// A file that cannot be read, and one that is packed otherwise, begins with a byte-order mark, or
/// is in UTF-16 or UTF-32 without one: it says what to do.
pub fn unpacked(file: impl Read + Send + 'static, end: u8) -> Result<Box<dyn Read + Send>> {
    let (start, file) = begun(file, end)?;
    ensure!(
        start != GZIP[..2],
        "it begins as gzip does, and ends there: take a whole copy"
    );
    if begins(&start, GZIP) {
        let (start, file) = begun(Gzip::new(file), end)?;
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
        let is_short = start.len() < LOOKED_AT;
        is_part_of_a_mark(start) || (end != 0 && is_short && may_be_unmarked(start))
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
    let mut marks = encoding::MARKS.into_iter().chain([GZIP]).chain(packed);
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
        b'?' => true,
        of_mark => byte == of_mark,
    })
}

/// What packed it, other than gzip, and what unpacks it.
fn packer(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let (_, by, tool) = PACKED.iter().find(|(mark, ..)| begins(start, mark))?;
    Some((by, tool))
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
            // Keys of text that end in NUL, and numbers, in which as many bytes are even.
            b"abcd\0\nefgh\0\nijklmnop\0\nqrst\0\n",
            b"\xd0\x9f\xd1\x80\0\n\xd0\xb8\xd0\xb2\0\n\xd0\xb5\xd1\x82\0\n\xd0\xb5\xd1\x82\0\n",
            b"\x0a\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0\x07\0\x08\0\x09\0\x0a\0\x0b\0\x0c\0",
            b"]\0\0\n",
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
            (b"]\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0", "xz -dc"),
            (b"\xff\xfea\0\n\0", "--hex"),
            (b"\0\0\xfe\xff\0\0\0a", "UTF-32"),
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
    fn text_of_any_script_is_known_without_a_mark() {
        let wide = |text: &str, of: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(of).collect();
        let wider =
            |text: &str, of: fn(u32) -> [u8; 4]| text.chars().flat_map(|c| of(c.into())).collect();
        let long = "\u{4e2d}".repeat(600) + "\n\u{6587}\n";
        for text in [
            &long,
            "\u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}\n\u{43c}\u{438}\u{440}, \u{43c}\u{438}\u{440}\n",
            "\u{4e2d}\u{6587}\u{5b57}\u{7b26}\n\u{65e5}\u{672c}\u{8a9e}\u{3067}\u{3059}\u{304b}\n\u{1f600}\n",
            "\u{5e9}\u{5dc}\u{5d5}\u{5dd} 12\r\n\u{5e2}\u{5d5}\u{5dc}\u{5dd} abc\r\n",
        ] {
            let all_of: [(Vec<u8>, &str); 4] = [
                (wide(text, u16::to_le_bytes), "-f UTF-16LE"),
                (wide(text, u16::to_be_bytes), "-f UTF-16BE"),
                (wider(text, u32::to_le_bytes), "-f UTF-32LE"),
                (wider(text, u32::to_be_bytes), "-f UTF-32BE"),
            ];
            for (bytes, words) in all_of {
                let error = all(&bytes).unwrap_err().to_string();
                assert!(error.contains(words), "{error}");
                assert_eq!(ended_by(0, &bytes).unwrap(), bytes);
            }
            assert_eq!(all(text.as_bytes()).unwrap(), text.as_bytes());
        }
        let ascii = wider("abc\nabd\n", u32::to_le_bytes);
        let ascii: Vec<u8> = ascii;
        assert!(all(&ascii).unwrap_err().to_string().contains("UTF-32LE"));
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
        for more in [
            &b"junk and more of it"[..],
            b"junk",
            b"\n",
            b"\0",
            b"\x1fjunk",
        ] {
            let error = all(&[&once[..], more].concat()).unwrap_err().to_string();
            assert!(error.contains("something else after it"), "{error}");
        }
        let error = all(b"\x1f\x8b").unwrap_err().to_string();
        assert!(error.contains("ends there: take a whole copy"), "{error}");
    }
}
