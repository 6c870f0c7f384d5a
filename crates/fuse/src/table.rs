//! How a key is looked up in the fingerprints.

use core::marker::PhantomData;

use crate::{Fingerprint, Geometry, fingerprint::read};

/// Looks keys up in the bytes of a filter: the slots of all parts, and after them a byte for each
/// part, the number of the attempt that succeeded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<F> {
    pub(crate) geometry: Geometry,
    /// Whether there is one part, built in the first attempt: then a key's word is used as it is.
    is_plain: bool,
    /// Bit i is set if a part of keys whose words begin with the six bits i was not built in the
    /// first attempt, and all bits if there are no parts.
    retried: u64,
    fingerprint: PhantomData<F>,
}

impl<F: Fingerprint> Table<F> {
    /// For these bytes, of which there are as many as [`bytes_of`] says.
    pub(crate) fn new(geometry: Geometry, bytes: &[u8]) -> Self {
        let attempts = &bytes[attempts_at(geometry)..][..geometry.parts() as usize];
        let mut retried = if attempts.is_empty() { u64::MAX } else { 0 };
        for (part, attempt) in attempts.iter().enumerate() {
            for bits in part * 64 / attempts.len()..=(part * 64 + 63) / attempts.len() {
                retried |= u64::from(*attempt > 0) << bits;
            }
        }
        Self {
            geometry,
            is_plain: attempts == [0],
            retried,
            fingerprint: PhantomData,
        }
    }

    /// Whether the key with this word may be present.
    #[inline(always)]
    pub(crate) fn contains(&self, bytes: &[u8], word: u64) -> bool {
        let Some((slots, word)) = self.place(bytes, word) else {
            return false;
        };
        let [a, b, c] = slots.map(|slot| read::<F>(bytes, slot));
        a ^ b ^ c == fingerprint::<F>(word)
    }

    /// The slots of a key, and its word for the attempt of its part; `None` if the filter has no keys.
    #[inline(always)]
    pub(crate) fn place(&self, bytes: &[u8], word: u64) -> Option<([usize; 3], u64)> {
        let geometry = &self.geometry;
        if self.is_plain {
            return Some((geometry.slots_from(geometry.first_of(word), word), word));
        }
        // The first condition is the same for all keys: a loop tests it once.
        let word = if self.retried > 0 && self.retried >> (word >> 58) & 1 > 0 {
            self.retried(bytes, word)?
        } else {
            word
        };
        Some((geometry.slots_of(word), word))
    }

    /// The word of a key for the attempt of its part; `None` if the filter has no keys.
    #[cold]
    #[inline(never)]
    fn retried(&self, bytes: &[u8], word: u64) -> Option<u64> {
        let part = self.geometry.part_of(word) as usize;
        let attempt = bytes.get(attempts_at(self.geometry) + part)?;
        Some(self.geometry.attempted(word, *attempt))
    }
}

/// Where the attempts begin, in bytes. Every part has whole bytes of slots.
#[inline(always)]
pub(crate) fn attempts_at(geometry: Geometry) -> usize {
    (geometry.size_bits() / 8) as usize
}

/// The bytes of a filter.
pub(crate) fn bytes_of(geometry: Geometry) -> u64 {
    geometry.size_bits() / 8 + geometry.parts()
}

/// The fingerprint of a key, from its word for an attempt.
#[inline(always)]
pub(crate) fn fingerprint<F: Fingerprint>(word: u64) -> u32 {
    (word ^ (word >> 32)) as u32 & (u32::MAX >> (32 - F::BITS))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn the_attempt_of_each_part_is_found() {
        for parts in [1, 2, 64, 128, 1024] {
            let geometry = Geometry::stored::<u8>(parts, 3, 2).unwrap();
            for retried in 0..parts {
                let mut bytes = vec![0; bytes_of(geometry) as usize];
                bytes[attempts_at(geometry) + retried as usize] = 2;
                let table = Table::<u8>::new(geometry, &bytes);
                let of_a_part = (u64::MAX / parts).wrapping_add(u64::from(parts > 1));
                for part in 0..parts {
                    let first = part * of_a_part;
                    for word in [first, first + of_a_part / 3, first + (of_a_part - 1)] {
                        let attempt = if part == retried { 2 } else { 0 };
                        let want = geometry.attempted(word, attempt);
                        assert_eq!(table.place(&bytes, word).unwrap().1, want);
                    }
                }
            }
        }
    }
}
