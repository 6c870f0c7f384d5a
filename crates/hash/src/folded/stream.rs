//! A key that comes in parts.

use bouquet_core::{HashStream, KeyHash};

use super::{Folded, STEP, STRIPE, joined, short, take_stripe};

/// A key on its way into [`Folded`]. Some hundred bytes.
#[derive(Clone, Debug)]
pub struct FoldedStream {
    hasher: Folded,
    lanes: [u64; 3],
    /// The last bytes of the stripe before, then those of no stripe yet.
    buffer: [u8; STEP + STRIPE],
    pending: usize,
    length: u64,
}

impl FoldedStream {
    pub(super) fn new(hasher: Folded) -> Self {
        Self {
            hasher,
            lanes: [hasher.start(); 3],
            buffer: [0; STEP + STRIPE],
            pending: 0,
            length: 0,
        }
    }
}

impl HashStream for FoldedStream {
    fn write(&mut self, mut part: &[u8]) {
        self.length = self.length.wrapping_add(part.len() as u64);
        while !part.is_empty() {
            // A full stripe is taken as soon as a byte comes after it.
            if self.pending == STRIPE {
                if let Some(stripe) = self.buffer.last_chunk() {
                    take_stripe(&mut self.lanes, stripe);
                }
                self.buffer.copy_within(STRIPE.., 0);
                self.pending = 0;
            }
            let taken = part.len().min(STRIPE - self.pending);
            let (now, later) = part.split_at(taken);
            self.buffer[STEP + self.pending..][..taken].copy_from_slice(now);
            self.pending += taken;
            part = later;
        }
    }

    fn finish(&self) -> KeyHash {
        let tail = &self.buffer[..STEP + self.pending];
        let start = self.hasher.start();
        if self.length <= STEP as u64
            && let Some(words) = short(&tail[STEP..])
        {
            return self.hasher.finish(start, words, self.length);
        }
        let s = if self.length > STRIPE as u64 {
            joined(self.lanes)
        } else {
            start
        };
        self.hasher.finish_long(s, tail, self.pending, self.length)
    }
}
