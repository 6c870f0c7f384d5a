//! Hash functions against each other: whole keys, keys in parts, keys from a
//! reader.

use std::{hint::black_box, io::Read};

use anyhow::Result;

use bouquet_core::KeyHash;
use bouquet_ground::interrupt::go_on;
use bouquet_ground::record::HashRow;
use bouquet_lab::speed::timed;
use bouquet_lab::workload::mix;

/// The lengths of keys: an integer, a URL, a record, a file.
pub const LENGTHS: [usize; 4] = [8, 60, 1 << 10, 20 << 20];
/// A key of a few bytes comes in so many parts.
const PARTS: usize = 4;
/// No part is longer, and no reader gives more at once.
const LONGEST_PART: usize = 8 << 10;
/// Short keys are taken from so many bytes, which the nearest cache holds.
const NEAR: usize = 16 << 10;

/// Hashes so many keys and gives their hashes, folded.
type Loop = Box<dyn Fn(&Keys, u64) -> u64>;
type OneHash = Box<dyn Fn(&[u8]) -> KeyHash>;

/// A hash function in loops compiled for it.
pub struct Hash {
    pub name: &'static str,
    /// Crate and version.
    pub release: &'static str,
    pub role: &'static str,
    /// Of the hash.
    pub bits: u32,
    of: OneHash,
    forms: Vec<(&'static str, Loop)>,
}

impl Hash {
    pub fn new(
        name: &'static str,
        release: &'static str,
        bits: u32,
        hash: impl Fn(&[u8]) -> u64 + Copy + 'static,
    ) -> Self {
        let whole = move |keys: &Keys, count: u64| keys.fold(count, hash);
        Self {
            name,
            release,
            role: "other",
            bits,
            of: Box::new(move |key| KeyHash::from_word(hash(key))),
            forms: vec![("whole", Box::new(whole))],
        }
    }

    pub fn ours(self) -> Self {
        Self {
            role: "ours",
            ..self
        }
    }

    /// It has both words that a filter takes: these are tested, not words made of its first 64
    /// bits.
    pub fn judged_by(self, of: impl Fn(&[u8]) -> KeyHash + 'static) -> Self {
        Self {
            of: Box::new(of),
            ..self
        }
    }

    /// It takes keys in parts too.
    pub fn in_parts<S>(
        mut self,
        start: impl Fn() -> S + Copy + 'static,
        write: impl Fn(&mut S, &[u8]) + Copy + 'static,
        finish: impl Fn(S) -> u64 + Copy + 'static,
    ) -> Self {
        let parts = move |key: &[u8]| {
            let mut state = start();
            let part = key.len().div_ceil(PARTS).min(LONGEST_PART);
            key.chunks(part).for_each(|part| write(&mut state, part));
            finish(state)
        };
        let reader = move |mut key: &[u8]| {
            let mut state = start();
            let mut buffer = [0; LONGEST_PART];
            while let Ok(read @ 1..) = key.read(&mut buffer) {
                write(&mut state, &buffer[..read]);
            }
            finish(state)
        };
        let parts = move |keys: &Keys, count: u64| keys.fold(count, parts);
        let reader = move |keys: &Keys, count: u64| keys.fold(count, reader);
        self.forms.push(("in parts", Box::new(parts)));
        self.forms.push(("from a reader", Box::new(reader)));
        self
    }

    /// The hash of a key, as a filter takes it.
    pub fn of(&self, key: &[u8]) -> KeyHash {
        (self.of)(key)
    }
}

/// Keys of one length, one after the other from a ring of bytes.
pub struct Keys {
    bytes: Vec<u8>,
    len: usize,
}

impl Keys {
    fn new(len: usize) -> Self {
        let bytes = (0..len.max(NEAR) as u64 + 8).map(|i| mix(i) as u8);
        Self {
            bytes: bytes.collect(),
            len,
        }
    }

    #[inline(always)]
    fn fold(&self, count: u64, hash: impl Fn(&[u8]) -> u64) -> u64 {
        // Integers have a length that the compiler knows, as in a filter.
        if self.len == 8 {
            let odd = black_box(0x9e37_79b9_7f4a_7c15_u64);
            let integers = (0..count).map(|i| i.wrapping_mul(odd).to_le_bytes());
            return integers.fold(0, |all, key| all ^ hash(&key));
        }
        let len = black_box(self.len);
        let places = self.bytes.len() - len;
        let mut from = 0;
        (0..count).fold(0, |all, _| {
            from = if from + 64 < places { from + 64 } else { 0 };
            all ^ hash(&self.bytes[from..][..len])
        })
    }

    /// The keys, without a hash.
    fn dry(&self, count: u64) -> u64 {
        self.fold(count, |key| black_box(key).as_ptr() as u64)
    }
}

/// Times every form of every hash on every length, all hashes in turn in each
/// repetition.
///
/// Fails if it is interrupted, or if a row cannot be taken.
pub fn compare(
    hashes: &[Hash],
    repetitions: u32,
    least_ns: f64,
    emit: &mut dyn FnMut(HashRow) -> Result<()>,
) -> Result<()> {
    for len in LENGTHS {
        let keys = Keys::new(len);
        for form in ["whole", "in parts", "from a reader"] {
            let mut loops: Vec<(&Hash, &Loop, u64)> = Vec::new();
            for hash in hashes {
                if let Some((_, each)) = hash.forms.iter().find(|(name, _)| *name == form) {
                    loops.push((hash, each, enough(each, &keys, least_ns)));
                }
            }
            for repetition in 0..repetitions {
                for turn in 0..loops.len() {
                    go_on()?;
                    let (hash, each, count) = &loops[(turn + repetition as usize) % loops.len()];
                    let dry_ns = timed(|| black_box(keys.dry(*count))).1;
                    let gross_ns = timed(|| black_box(each(&keys, *count))).1;
                    emit(HashRow {
                        hash: hash.name.into(),
                        release: hash.release.into(),
                        role: hash.role.into(),
                        bits: hash.bits,
                        key_bytes: len as u64,
                        form: form.into(),
                        repetition,
                        operations: *count,
                        gross_ns_per_key: gross_ns / *count as f64,
                        dry_run_ns_per_key: dry_ns / *count as f64,
                    })?;
                }
            }
        }
    }
    Ok(())
}

/// Keys that take so long.
fn enough(each: &Loop, keys: &Keys, least_ns: f64) -> u64 {
    let mut count = 1;
    while timed(|| black_box(each(keys, count))).1 < least_ns {
        count *= 2;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashes::hashes;

    #[test]
    fn whole_and_in_parts_is_one_hash() {
        // `Hasher` of these crates mixes in where parts end.
        let mixes_ends = ["ahash", "foldhash", "rapidhash"];
        for hash in hashes() {
            let keys = Keys::new(60);
            let forms: Vec<u64> = hash.forms.iter().map(|(_, each)| each(&keys, 3)).collect();
            if !mixes_ends.contains(&hash.name) {
                assert!(
                    forms.iter().all(|folded| *folded == forms[0]),
                    "{}",
                    hash.name
                );
            }
            assert_ne!(hash.of(b"rose"), hash.of(b"tulip"), "{}", hash.name);
        }
    }

    #[test]
    fn keys_have_their_length_and_stay_in_their_bytes() {
        for len in LENGTHS {
            let keys = Keys::new(len);
            let sum = keys.fold(1_000.min(1 << 24 >> len.ilog2()), |key| {
                assert_eq!(key.len(), len);
                1
            });
            assert!(sum <= 1);
        }
    }
}
