//! The slots: packed buckets of four fingerprints.

use bouquet_bits::{BitArray, OutOfMemory};

use crate::{FingerprintBits, math::BUCKET_SLOTS};

/// Buckets of four slots. With width f, bucket `i` consists of the bits `4 f i` to `4 f (i + 1) -
/// 1`, and its first slot has the lowest bits. 0 is an empty slot.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Table {
    bits: BitArray,
    width: FingerprintBits,
}

/// The position of a bucket: it begins at bit `shift` of this word and may continue in the next
/// word.
pub(crate) struct Place {
    pub(crate) word: usize,
    shift: u32,
}

#[inline]
pub(crate) fn place(bucket: u64, width: FingerprintBits) -> Place {
    let bit = bucket * BUCKET_SLOTS * u64::from(width.bits());
    Place {
        word: (bit / 64) as usize,
        shift: (bit % 64) as u32,
    }
}

/// The slots of a bucket, from the two words in which it is.
#[inline]
pub(crate) fn slots(
    word: u64,
    next: u64,
    place: &Place,
    width: FingerprintBits,
) -> [u32; BUCKET_SLOTS as usize] {
    let slots = (u128::from(word) | u128::from(next) << 64) >> place.shift;
    let (width, max) = (width.bits(), width.max());
    [0, 1, 2, 3].map(|slot| (slots >> (slot * width)) as u32 & max)
}

impl Table {
    /// `buckets` buckets whose slots are all empty.
    pub(crate) fn new(buckets: u64, width: FingerprintBits) -> Result<Self, OutOfMemory> {
        let used = buckets * BUCKET_SLOTS * u64::from(width.bits());
        // One additional word, so that there is a next word for the last bucket too.
        let bits = BitArray::new((used.div_ceil(64) + 1) * 64)?;
        Ok(Self { bits, width })
    }

    /// Sets word `i` of [`words`](Self::words).
    pub(crate) fn set_word(&mut self, i: usize, word: u64) {
        self.bits.set_word(i, word);
    }

    /// All words, including the additional one at the end.
    pub(crate) fn words(&self) -> &[u64] {
        self.bits.words()
    }

    /// The four fingerprints of a bucket; 0 is an empty slot.
    #[inline]
    pub(crate) fn bucket(&self, bucket: u64) -> [u32; BUCKET_SLOTS as usize] {
        let place = place(bucket, self.width);
        let words = self.bits.words();
        slots(words[place.word], words[place.word + 1], &place, self.width)
    }

    /// Whether the fingerprint is in this bucket.
    #[inline]
    pub(crate) fn contains(&self, bucket: u64, fingerprint: u32) -> bool {
        self.bucket(bucket).contains(&fingerprint)
    }

    /// The number of slots of this bucket that contain the fingerprint.
    pub(crate) fn count(&self, bucket: u64, fingerprint: u32) -> u32 {
        let slots = self.bucket(bucket);
        slots
            .iter()
            .map(|stored| u32::from(*stored == fingerprint))
            .sum()
    }

    /// Stores the fingerprint in an empty slot of this bucket; `false` if there is none.
    pub(crate) fn store(&mut self, bucket: u64, fingerprint: u32) -> bool {
        self.exchange_first(bucket, 0, fingerprint)
    }

    /// Empties one slot of this bucket that contains the fingerprint; `false` if there is none.
    pub(crate) fn take(&mut self, bucket: u64, fingerprint: u32) -> bool {
        self.exchange_first(bucket, fingerprint, 0)
    }

    /// Stores the fingerprint in this slot and returns the previous one.
    pub(crate) fn exchange(&mut self, bucket: u64, slot: u32, fingerprint: u32) -> u32 {
        let before = self.bucket(bucket)[slot as usize];
        let Place { word, shift } = place(bucket, self.width);
        let change = u128::from(before ^ fingerprint) << (shift + slot * self.width.bits());
        let words = self.bits.whole_words_mut();
        words[word] ^= change as u64;
        words[word + 1] ^= (change >> 64) as u64;
        before
    }

    fn exchange_first(&mut self, bucket: u64, from: u32, to: u32) -> bool {
        let slots = self.bucket(bucket);
        let Some(slot) = slots.iter().position(|stored| *stored == from) else {
            return false;
        };
        self.exchange(bucket, slot as u32, to);
        true
    }

    /// Whether [`prefetch`](Self::prefetch) saves more than it costs.
    #[inline]
    pub(crate) fn prefetch_pays(&self) -> bool {
        self.bits.prefetch_pays()
    }

    /// Prefetches the memory of a bucket.
    #[inline]
    pub(crate) fn prefetch(&self, bucket: u64) {
        self.bits
            .prefetch(bucket * BUCKET_SLOTS * u64::from(self.width.bits()));
    }

    /// Empties all slots. The memory stays allocated.
    pub(crate) fn clear(&mut self) {
        self.bits.clear_all();
    }

    /// The number of bytes allocated.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.bits.memory_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{vec, vec::Vec};

    /// Changes of a slot must not affect the other slots.
    #[test]
    fn slots_do_not_affect_each_other() {
        for width in FingerprintBits::ALL {
            for buckets in [1, 2, 3, 17] {
                let mut table = Table::new(buckets, width).unwrap();
                let mut model = vec![[0; 4]; buckets as usize];
                let mut state = 7u64;
                for _ in 0..2_000 {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let bucket = (state >> 40) % buckets;
                    let slot = (state >> 62) as u32;
                    let fingerprint = (state >> 8) as u32 & width.max();
                    let stored = &mut model[bucket as usize][slot as usize];
                    assert_eq!(table.exchange(bucket, slot, fingerprint), *stored);
                    *stored = fingerprint;
                    let all: Vec<_> = (0..buckets).map(|i| table.bucket(i)).collect();
                    assert_eq!(all, model, "{width:?}");
                }
                table.clear();
                assert!(table == Table::new(buckets, width).unwrap());
            }
        }
    }

    #[test]
    fn a_bucket_takes_four_and_removes_them() {
        for width in FingerprintBits::ALL {
            let (mut table, max) = (Table::new(3, width).unwrap(), width.max());
            for fingerprint in [max, 1, max, 2] {
                assert!(table.store(1, fingerprint));
            }
            assert!(!table.store(1, 3));
            assert_eq!(table.bucket(1), [max, 1, max, 2]);
            assert_eq!((table.count(1, max), table.count(1, 3)), (2, 0));
            assert!(table.contains(1, 2) && !table.contains(0, 2) && !table.contains(2, 2));
            assert!(table.take(1, 1) && !table.take(1, 1));
            assert!(table.store(1, 3));
            assert_eq!(table.bucket(1), [max, 3, max, 2]);
        }
    }

    #[test]
    fn the_last_bucket_is_within_two_words_at_every_width() {
        for width in FingerprintBits::ALL {
            for buckets in 1..70 {
                let mut table = Table::new(buckets, width).unwrap();
                table.exchange(buckets - 1, 3, width.max());
                assert_eq!(table.bucket(buckets - 1)[3], width.max(), "{width:?}");
            }
        }
    }
}
