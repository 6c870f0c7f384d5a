//! Sizes and slot arithmetic.

use bouquet_core::{KeyHash, Locate};
use bouquet_hash::reduce::multiply_shift;

use crate::{BuildError, Fingerprint, build::word};

/// A part has between this number of keys and twice as many; fewer are one part. So many need few
/// spare slots, and are built within the caches.
const PART_KEYS: u64 = 1 << 20;

/// There are at most 2 to this power of parts, which then have more keys.
const MOST_PART_BITS: u32 = 10;

/// Segments have at most 2 to this power of slots: two segments' positions and no more fit into the
/// 64 bits of a word beside its highest bits.
const MOST_SEGMENT_BITS: u32 = 18;

/// The sizes of a filter, which locate the slots of a key.
///
/// A filter consists of parts, a power of two, each of which is a binary fuse filter of its own.
/// The slots of a part are cut into segments of equal length, a power of two; a key has three slots
/// in three consecutive segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// 0 if there are no keys.
    parts: u64,
    /// Segments in each part.
    segments: u64,
    segment_length: u64,
    /// The number of slots of all parts at which a key's first slot can be.
    firsts: u64,
    fingerprint_bits: u32,
}

/// The binary logarithm of the number of parts of a filter with at least one key.
pub(crate) fn part_bits_for(keys: u64) -> u32 {
    (keys / PART_KEYS).max(1).ilog2().min(MOST_PART_BITS)
}

impl Geometry {
    /// The geometry for `keys` different keys, of which at most `largest` are in one part.
    pub(crate) fn new<F: Fingerprint>(keys: u64, largest: u64) -> Result<Self, BuildError> {
        let part_bits = part_bits_for(keys);
        let (segments, length) = segments_for(keys >> part_bits, largest);
        let sizes = match keys {
            0 => Self::stored::<F>(0, 0, 0),
            _ => Self::stored::<F>(1 << part_bits, segments, length),
        };
        sizes.map_err(|_| BuildError::TooManyKeys { keys })
    }

    /// The sizes of a filter of `keys` different keys. Where they are in parts, the filter itself can
    /// take up to a percent more or less: all parts are as large as the one with most keys.
    ///
    /// # Errors
    ///
    /// [`BuildError::TooManyKeys`].
    pub fn for_keys<F: Fingerprint>(keys: u64) -> Result<Self, BuildError> {
        let parts = 1 << part_bits_for(keys);
        let mean = keys as f64 / f64::from(parts);
        // About where the largest of so many equal shares ends.
        let chance = libm::sqrt(2.0 * libm::log(f64::from(parts)) * mean);
        Self::new::<F>(keys, libm::ceil(mean + chance) as u64)
    }

    /// The geometry of these sizes, if a filter can have them; it need not be one that
    /// [`new`](Self::new) makes. Else the index of the one that is out of range.
    pub(crate) fn stored<F: Fingerprint>(
        parts: u64,
        segments: u64,
        segment_length: u64,
    ) -> Result<Self, usize> {
        let is_power = |n: u64, most: u32| n.is_power_of_two() && n <= 1 << most;
        let is_empty = [parts, segments, segment_length] == [0; 3];
        let are_possible = [
            is_power(parts, MOST_PART_BITS),
            // Slots are numbered by 32 bits when they are built.
            segments >= 3 && segments.saturating_mul(segment_length) <= u32::MAX.into(),
            // Whole bytes, whatever the width.
            is_power(segment_length, MOST_SEGMENT_BITS) && segment_length > 1,
        ];
        // The length first, since the limit of the segments depends on it.
        let wrong = [2, 0, 1].into_iter().find(|size| !are_possible[*size]);
        match wrong {
            Some(size) if !is_empty => Err(size),
            _ => Ok(Self {
                parts,
                segments,
                segment_length,
                firsts: parts * segments.saturating_sub(2) * segment_length,
                fingerprint_bits: F::BITS,
            }),
        }
    }

    /// Parts of the filter, each of which is built for itself.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// Segments of each part.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// Slots of a segment, a power of two; 0 if there are no segments.
    #[inline]
    pub fn segment_length(&self) -> u64 {
        self.segment_length
    }

    /// Slots of each part.
    pub fn part_slots(&self) -> u64 {
        self.segments * self.segment_length
    }

    /// Slots of the filter.
    pub fn slots(&self) -> u64 {
        self.parts * self.part_slots()
    }

    /// Bits of storage (m): the slots times the width of a fingerprint.
    pub fn size_bits(&self) -> u64 {
        self.slots() * u64::from(self.fingerprint_bits)
    }

    /// The part of a key: the highest bits of its word.
    #[inline(always)]
    pub(crate) fn part_of(&self, word: u64) -> u64 {
        multiply_shift(word, self.parts)
    }

    /// The three slots of a key, from its word as the attempt of its part mixed it.
    #[inline(always)]
    pub(crate) fn slots_of(&self, word: u64) -> [usize; 3] {
        // Those before its part that can be no key's first: two segments of each part.
        let two = 2 * self.segment_length;
        let others = multiply_shift(word, self.parts * two) & two.wrapping_neg();
        self.slots_from(self.first_of(word) + others, word)
    }

    /// Counts the slots of all parts that can be a key's first, up to its own.
    #[inline(always)]
    pub(crate) fn first_of(&self, word: u64) -> u64 {
        multiply_shift(word, self.firsts)
    }

    /// The slots of a key, from its first.
    #[inline(always)]
    pub(crate) fn slots_from(&self, first: u64, word: u64) -> [usize; 3] {
        let mask = self.segment_length.wrapping_sub(1);
        let next = first + self.segment_length;
        let second = next ^ ((word >> MOST_SEGMENT_BITS) & mask);
        let third = (next + self.segment_length) ^ (word & mask);
        [first as usize, second as usize, third as usize]
    }

    /// The word of a key for an attempt to build its part: itself for the first, and for others a
    /// word of the same part that gives it other slots.
    #[inline(always)]
    pub(crate) fn attempted(&self, word: u64, attempt: u8) -> u64 {
        if attempt == 0 {
            return word;
        }
        let seed = u64::from(attempt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let product = u128::from(word ^ seed) * 0xff51_afd7_ed55_8ccd;
        let mixed = (product >> 64) as u64 ^ product as u64;
        let below_part = u64::MAX >> (self.parts.trailing_zeros() % 64);
        (word & !below_part) | (mixed & below_part)
    }
}

/// The number and the length of the segments of a part for `keys` keys, of which it may have as many
/// as `largest`.
///
/// The slots are those of Graf and Lemire 2022, section 4. Segments are about half as long as
/// there: where theirs have just become longer they are so few that nearly no attempt succeeds,
/// and of ours at least nine in ten do, whatever the number of keys.
fn segments_for(keys: u64, largest: u64) -> (u64, u64) {
    let ln = libm::log(keys.max(2) as f64);
    let bits = libm::floor(ln / libm::log(3.33) + 1.5) as u32;
    let length = 1 << bits.min(MOST_SEGMENT_BITS);
    let per_key = (0.875 + 0.25 * libm::log(1e6) / ln).max(1.125);
    let slots = libm::ceil(largest as f64 * per_key) as u64;
    (slots.div_ceil(length).max(3), length)
}

/// The slots of keys in parts that were built in the first attempt, as nearly all are.
impl Locate for Geometry {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.slots()
    }

    fn probes(&self) -> u32 {
        3
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        if self.parts > 0 {
            let word = word(*hash);
            let slots = self.slots_of(word);
            slots.into_iter().for_each(|slot| visit(slot as u64));
        }
    }
}
