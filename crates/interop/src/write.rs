//! Writes bytes through a buffer, in pieces.

use alloc::vec::Vec;
use core::convert::Infallible;

/// Size in bytes of the pieces that are passed on, a multiple of eight.
const PIECE: usize = 4096;

/// Takes the next piece of the bytes of a file.
pub(crate) type Put<'a, E> = &'a mut dyn FnMut(&[u8]) -> Result<(), E>;

/// Collects bytes into pieces and passes each full piece to `put`.
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

    /// Writes the first `bytes` bytes of `words`; `of` converts a word to eight bytes.
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

    /// Passes on the bytes that are still in the buffer. Must be called after the last byte.
    pub(crate) fn flush(&mut self) -> Result<(), E> {
        let used = core::mem::take(&mut self.used);
        (self.put)(&self.piece[..used])
    }
}

/// Collects everything that `write` writes in a vector with capacity for `len` bytes.
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
