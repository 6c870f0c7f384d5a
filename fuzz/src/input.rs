//! Turns any bytes into a file with correct checksums, so that tests get past the checksums.

use bouquet_format::{HEADER_BYTES, MAGIC, TRAILER_BYTES, VERSION};
use bouquet_testkit::forge;

const HEADER: usize = HEADER_BYTES as usize;
const TRAILER: usize = TRAILER_BYTES as usize;
/// The position of the payload's length in a header.
const PAYLOAD_BYTES: usize = 96;
/// The last byte of the first header's checksum. The checksum is computed again anyway, so this
/// byte says which parts of the file are not repaired.
const HOW: usize = HEADER - 1;

/// Do not repair the signature and the version.
const KEEP_START: u8 = 1;
/// Do not repair the length, even if the file is shorter.
const KEEP_LENGTH: u8 = 2;
/// Do not repair the checksums.
const KEEP_CHECKSUMS: u8 = 4;
/// The bytes after the file belong to it.
const KEEP_END: u8 = 8;

/// The position, in the same byte, of the bits that select the way to decode.
const WAY: u32 = 4;

/// A native file, and the bytes after it.
pub struct Input<'a> {
    /// The file.
    pub file: Vec<u8>,
    /// Which of eight ways is used to decode the file.
    pub way: u8,
    /// The operations on the filter in the file.
    pub rest: &'a [u8],
}

impl<'a> Input<'a> {
    /// The file at the beginning of these bytes, repaired except for the parts that it excludes.
    pub fn of(data: &'a [u8]) -> Self {
        if data.len() < HEADER + TRAILER {
            let file = data.to_vec();
            let way = data.len() as u8 % 8;
            return Self {
                file,
                way,
                rest: &[],
            };
        }
        let how = data[HOW];
        let end = match how & KEEP_END {
            0 => length(data).min(data.len()),
            _ => data.len(),
        };
        let (file, rest) = data.split_at(end);
        let mut file = file.to_vec();
        if how & KEEP_START == 0 {
            file[..8].copy_from_slice(&MAGIC);
            file[8..10].copy_from_slice(&VERSION.to_le_bytes());
        }
        if how & KEEP_LENGTH == 0 && length(&file) > file.len() {
            let payload = (file.len() - HEADER - TRAILER) as u64;
            file[PAYLOAD_BYTES..PAYLOAD_BYTES + 8].copy_from_slice(&payload.to_le_bytes());
        }
        if how & KEEP_CHECKSUMS == 0 {
            forge::seal(&mut file);
        }
        let way = (how >> WAY) % 8;
        Self { file, way, rest }
    }
}

/// The length of the whole file according to its header.
fn length(bytes: &[u8]) -> usize {
    let mut payload = [0; 8];
    payload.copy_from_slice(&bytes[PAYLOAD_BYTES..PAYLOAD_BYTES + 8]);
    let payload = usize::try_from(u64::from_le_bytes(payload)).unwrap_or(usize::MAX);
    payload.saturating_add(HEADER + TRAILER)
}

#[cfg(test)]
mod tests {
    use bouquet_format::{Decode, Encode};
    use bouquet_standard::StandardBloom;

    use super::*;

    /// A file as in the corpus, which allows all repairs.
    fn seed() -> (StandardBloom, Vec<u8>) {
        let filter = StandardBloom::from_keys(0..5u64, 0.01).unwrap();
        let mut bytes = Encode::encode(&filter);
        bytes[HOW] = 0;
        (filter, bytes)
    }

    #[test]
    fn a_damaged_file_is_mended_and_what_follows_is_apart() {
        let (filter, mut bytes) = seed();
        bytes.extend_from_slice(b"rest");
        bytes[0] = 7;
        let input = Input::of(&bytes);
        assert_eq!(Decode::decode(&input.file), Ok(filter));
        assert_eq!(input.rest, b"rest");
    }

    #[test]
    fn a_file_is_damaged_where_it_says_so() {
        for how in [KEEP_START, KEEP_LENGTH, KEEP_CHECKSUMS, KEEP_END] {
            let (_, mut bytes) = seed();
            bytes.extend_from_slice(b"rest");
            match how {
                KEEP_START => bytes[0] = 7,
                KEEP_LENGTH => bytes.truncate(150),
                _ => {}
            }
            bytes[HOW] = how;
            let file = Input::of(&bytes).file;
            assert!(<StandardBloom as Decode>::decode(&file).is_err(), "{how}");
        }
    }

    #[test]
    fn a_file_says_how_it_is_decoded() {
        let (filter, mut bytes) = seed();
        for way in 0..8 {
            bytes[HOW] = way << WAY;
            let input = Input::of(&bytes);
            assert_eq!(input.way, way);
            assert_eq!(Decode::decode(&input.file).as_ref(), Ok(&filter));
        }
    }

    #[test]
    fn few_bytes_are_left_as_they_are() {
        for len in 0..HEADER + TRAILER {
            let data = vec![1; len];
            assert_eq!(Input::of(&data).file, data);
        }
    }
}
