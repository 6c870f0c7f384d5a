//! Writing bytes as they are made, through a buffer.

use alloc::vec::Vec;
use core::convert::Infallible;

/// Bytes that are passed on at a time. A multiple of eight.
const PIECE: usize = 4096;

/// Takes the bytes of a file, in order, in pieces.
pub(crate) type Put<'a, E> = &'a mut dyn FnMut(&[u8]) -> Result<(), E>;

/// Bytes that are collected into pieces.
pub(crate) struct Pieces<'a, E> {
    put: Put<'a, E>,
    piece: [u8; PIECE],
    used: usize,
}

impl<'a, E> Pieces<'a, E> {
    pub(crate) fn new(put: Put<'a, E>) -> Self {
        Self {
            put,
            piece: [0; PIECE],
            used: 0,
        }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), E> {
        for byte in bytes {
            if self.used == PIECE {
                self.flush()?;
            }
            self.piece[self.used] = *byte;
            self.used += 1;
        }
        Ok(())
    }

    /// The first `bytes` bytes of these words, each in the byte order of `of`.
    pub(crate) fn words(
        &mut self,
        words: &[u64],
        bytes: u64,
        of: impl Fn(u64) -> [u8; 8],
    ) -> Result<(), E> {
        let mut left = bytes;
        for word in words {
            let count = left.min(8) as usize;
            self.bytes(&of(*word)[..count])?;
            left -= count as u64;
        }
        Ok(())
    }

    /// Passes on what was collected. Must be called after the last byte.
    pub(crate) fn flush(&mut self) -> Result<(), E> {
        let used = core::mem::take(&mut self.used);
        (self.put)(&self.piece[..used])
    }
}

/// All that is written, in memory for `len` bytes.
pub(crate) fn gathered(
    len: u64,
    write: impl FnOnce(Put<'_, Infallible>) -> Result<(), Infallible>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(len as usize);
    let Ok(()) = write(&mut |piece| {
        bytes.extend_from_slice(piece);
        Ok(())
    });
    bytes
}
