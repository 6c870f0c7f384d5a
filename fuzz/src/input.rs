//! From any bytes to a file with the right checksums, so that what is tried comes past them.

use bouquet_format::{HEADER_BYTES, MAGIC, TRAILER_BYTES, VERSION};
use bouquet_testkit::forge;

const HEADER: usize = HEADER_BYTES as usize;
const TRAILER: usize = TRAILER_BYTES as usize;
/// Where a header has the bytes of its payload.
const PAYLOAD_BYTES: usize = 96;
/// The last byte of the first header's checksum, which is computed again: what is not mended.
const HOW: usize = HEADER - 1;

/// Signature and version stay as they are.
const KEEP_START: u8 = 1;
/// The length stays as it is, though there are fewer bytes.
const KEEP_LENGTH: u8 = 2;
/// All checksums stay as they are.
const KEEP_CHECKSUMS: u8 = 4;
/// What comes after the file belongs to it.
const KEEP_END: u8 = 8;

/// Where the same byte says the way that it is decoded.
const WAY: u32 = 4;

/// A file of ours, and the bytes after it.
pub struct Input<'a> {
    /// The file.
    pub file: Vec<u8>,
    /// One of eight ways to decode it.
    pub way: u8,
    /// What is done with the filter in it.
    pub rest: &'a [u8],
}

impl<'a> Input<'a> {
    /// The file that these bytes begin with, mended as far as they say.
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

/// The bytes of the whole that its header says.
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

    /// A file as a seed is: with all that can be mended.
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
