//! Hashes a key that is given in parts.

use core::fmt;

use bouquet_core::{HashStream, KeyHash, KeyHasher};

use super::{Folded, STRIPE, taken, words};

/// The state of a key that is being hashed by [`Folded`], about 200 bytes.
#[derive(Clone)]
pub struct FoldedStream {
    hasher: Folded,
    lanes: [u64; 4],
    /// The previous stripe, followed by the bytes of an incomplete stripe. If the last stripe
    /// of a key is incomplete, the missing bytes are read from the previous stripe.
    buffer: [u8; 2 * STRIPE],
    pending: usize,
    length: u64,
}

impl FoldedStream {
    pub(super) fn new(hasher: Folded) -> Self {
        Self {
            hasher,
            lanes: hasher.lanes(),
            buffer: [0; 2 * STRIPE],
            pending: 0,
            length: 0,
        }
    }
}

/// Does not print the bytes of the key.
impl fmt::Debug for FoldedStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FoldedStream").finish_non_exhaustive()
    }
}

impl HashStream for FoldedStream {
    fn write(&mut self, mut part: &[u8]) {
        self.length = self.length.wrapping_add(part.len() as u64);
        while !part.is_empty() {
            // A full stripe is processed only once a further byte arrives.
            if self.pending == STRIPE {
                if let Some(stripe) = self.buffer.last_chunk() {
                    self.lanes = taken(self.lanes, words(stripe));
                }
                self.buffer.copy_within(STRIPE.., 0);
                self.pending = 0;
            }
            let now = part.len().min(STRIPE - self.pending);
            let (now, later) = part.split_at(now);
            self.buffer[STRIPE + self.pending..][..now.len()].copy_from_slice(now);
            self.pending += now.len();
            part = later;
        }
    }

    fn finish(&self) -> KeyHash {
        let buffered = &self.buffer[..STRIPE + self.pending];
        if self.length <= STRIPE as u64 {
            return self.hasher.hash(&buffered[STRIPE..]);
        }
        let last = buffered.last_chunk().map_or([(0, 0); 4], words);
        self.hasher.of_last(self.lanes, last, self.length)
    }
}
