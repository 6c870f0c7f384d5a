use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
};

use bouquet_core::{HashStream, Key, KeyHash, KeyHasher, StreamHasher};

use super::HasherFault;
use crate::rng::mix;

/// A hash function that mixes after every byte: slow but of good quality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToyHasher {
    seed: u64,
    fault: HasherFault,
}

impl ToyHasher {
    /// The hasher with this seed.
    pub const fn with_seed(seed: u64) -> Self {
        Self::faulty(seed, HasherFault::None)
    }

    /// The hasher with this seed and the given fault.
    pub const fn faulty(seed: u64, fault: HasherFault) -> Self {
        Self { seed, fault }
    }
}

impl KeyHasher for ToyHasher {
    const ID: u16 = 0x8000;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        match self.fault {
            HasherFault::SeedNotReported => 0,
            _ => self.seed,
        }
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        let mut stream = self.stream();
        stream.take(key);
        stream.finish()
    }

    fn hash_batch<K: Key>(&self, keys: &[K], hashes: &mut [KeyHash]) {
        let other = Self::with_seed(!self.seed);
        let whole = keys.len() / 32 * 32;
        for (i, (key, hash)) in keys.iter().zip(hashes).enumerate() {
            *hash = match self.fault {
                HasherFault::BatchEndsDiffer if i >= whole => other.hash_key(key),
                _ => self.hash_key(key),
            };
        }
    }
}

impl StreamHasher for ToyHasher {
    type Stream = ToyStream;

    fn stream(&self) -> ToyStream {
        ToyStream {
            start: match self.fault {
                HasherFault::SeedIgnored => 0,
                _ => mix(self.seed),
            },
            state: 0,
            len: 0,
            zeros: 0,
            last: 0,
            finished: Cell::new(0),
            fault: self.fault,
        }
        .begun()
    }

    fn hash_parts(&self, parts: &[&[u8]]) -> KeyHash {
        let mut stream = self.stream();
        let dropped = usize::from(self.fault == HasherFault::PartsDropLast);
        for part in &parts[..parts.len().saturating_sub(dropped)] {
            stream.write(part);
        }
        stream.finish()
    }
}

/// The state of a [`ToyHasher`] in the middle of a key.
#[derive(Clone, Debug)]
pub struct ToyStream {
    start: u64,
    state: u64,
    len: u64,
    /// Number of zero bytes held back, for the faults that concern the end of a key.
    zeros: u64,
    last: u8,
    finished: Cell<u64>,
    fault: HasherFault,
}

impl ToyStream {
    fn begun(mut self) -> Self {
        self.state = self.start;
        self
    }

    fn take(&mut self, part: &[u8]) {
        for &byte in part {
            match self.fault {
                HasherFault::ShortSighted if self.len >= 16 => {}
                HasherFault::IgnoresTrailingZeros if byte == 0 => self.zeros += 1,
                _ => {
                    self.state = mix(self.state ^ mix(self.zeros)) ^ u64::from(byte);
                    self.zeros = 0;
                }
            }
            self.len += 1;
            self.last = byte;
        }
    }

    /// The state as one word, before a fault changes the result.
    fn word(&self) -> u64 {
        let len = match self.fault {
            HasherFault::IgnoresTrailingZeros => 0,
            _ => self.len,
        };
        match self.fault {
            HasherFault::SeedIgnoredIfEmpty if self.len == 0 => 0,
            _ => mix(self.state ^ mix(len)),
        }
    }
}

impl HashStream for ToyStream {
    fn write(&mut self, part: &[u8]) {
        self.take(part);
        if self.fault == HasherFault::CutsMatter {
            self.state = mix(self.state);
        }
    }

    fn finish(&self) -> KeyHash {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let word = self.word();
        let sound = KeyHash::from_word(word);
        match self.fault {
            HasherFault::WordsEqual => KeyHash::new(word, word),
            HasherFault::WordsMultiplied => {
                KeyHash::new(word, word.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            }
            HasherFault::WordsRotated => KeyHash::new(word, word.rotate_left(23)),
            HasherFault::Narrow => KeyHash::from_word(mix(word >> 32)),
            HasherFault::StuckBit => KeyHash::new(sound.place & !(1 << 17), sound.probe),
            HasherFault::MixesTooEarly => {
                KeyHash::new(self.state.wrapping_add(u64::from(self.last)), sound.probe)
            }
            HasherFault::Stateful => {
                KeyHash::from_word(word ^ CALLS.fetch_add(1, Ordering::Relaxed))
            }
            HasherFault::FinishConsumes => {
                KeyHash::from_word(mix(word ^ self.finished.replace(self.finished.get() + 1)))
            }
            _ => sound,
        }
    }
}
