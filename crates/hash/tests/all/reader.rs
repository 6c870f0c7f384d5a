//! Tests the hashing of a reader's content.
#![cfg(feature = "std")]

use std::io::{Error, ErrorKind, Read, Result};

use bouquet_core::KeyHasher;
use bouquet_hash::{Xxh3, Xxh3Wide, hash_reader};

/// A reader that returns its bytes in pieces of 1, 2, 3 … bytes, each after an `Interrupted`
/// error, and that finally ends or fails.
struct Fitful<'a> {
    left: &'a [u8],
    piece: usize,
    interrupted: bool,
    fails: bool,
}

impl<'a> Fitful<'a> {
    fn new(left: &'a [u8], fails: bool) -> Self {
        Self {
            left,
            piece: 0,
            interrupted: false,
            fails,
        }
    }
}

impl Read for Fitful<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(Error::from(ErrorKind::Interrupted));
        }
        if self.left.is_empty() && self.fails {
            return Err(Error::from(ErrorKind::BrokenPipe));
        }
        self.piece += 1;
        let count = self.piece.min(self.left.len()).min(buffer.len());
        let (now, later) = self.left.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.left = later;
        Ok(count)
    }
}

#[test]
fn a_reader_is_the_key_of_its_bytes() {
    for len in [0, 1, 255, 8_191, 8_192, 8_193, 100_000] {
        let key: Vec<u8> = (0..len).map(|i| (i * 31 % 251) as u8).collect();
        let (narrow, wide) = (Xxh3::with_seed(5), Xxh3Wide::with_seed(5));
        assert_eq!(hash_reader(&narrow, &key[..]).unwrap(), narrow.hash(&key));
        assert_eq!(hash_reader(&wide, &key[..]).unwrap(), wide.hash(&key));
        let fitful = hash_reader(&narrow, Fitful::new(&key, false));
        assert_eq!(fitful.unwrap(), narrow.hash(&key), "{len}");
    }
}

#[test]
fn an_error_is_passed_on() {
    let error = hash_reader(&Xxh3::new(), Fitful::new(b"rose", true)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BrokenPipe);
}
