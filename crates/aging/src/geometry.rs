//! Sizes and slot arithmetic.

use bouquet_core::{KeyHash, Locate, MAX_SIZE_BITS, Spec, SpecError, math::expected_fill};
use bouquet_hash::reduce::multiply_shift;

use crate::math::{MOST_SLICES, best_slices, run_probability};

/// The sizes of a filter: k + l slices of equally many bits, of which a key sets one in each of the
/// k newest. After every g insertions, a generation, the oldest slice is cleared and becomes the
/// newest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    hashes: u32,
    generations: u32,
    slice_bits: u64,
    generation_keys: u64,
}

impl Geometry {
    /// The smallest size that remembers the last `capacity` insertions at the target FPR, at every
    /// moment.
    ///
    /// # Errors
    ///
    /// [`SpecError::TooLarge`].
    pub fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        let (capacity, target_fpr) = (spec.capacity(), spec.target_fpr());
        let most = capacity.min(MOST_SLICES.into()) as u32;
        let too_large = |size_bits| SpecError::TooLarge { size_bits };
        let best = best_slices(target_fpr, most);
        let (hashes, generations) = best.ok_or(too_large(f64::INFINITY))?;
        let of_words = |words: u64| Self {
            hashes,
            generations,
            slice_bits: 64 * words,
            generation_keys: capacity.div_ceil(generations.into()),
        };
        let keys = f64::from(hashes) * of_words(1).generation_keys as f64;
        let about = keys / core::f64::consts::LN_2;
        let size_bits = about * f64::from(hashes + generations);
        if size_bits > MAX_SIZE_BITS as f64 / 2.0 {
            return Err(too_large(size_bits));
        }
        // Half full is nearly right, and twice as much always enough: the size is searched by the
        // exact FPR.
        let (mut small, mut large) = (0, (2.0 * about / 64.0) as u64 + 1);
        while large - small > 1 {
            let middle = u64::midpoint(small, large);
            match of_words(middle).largest_fpr() <= target_fpr {
                true => large = middle,
                false => small = middle,
            }
        }
        Ok(of_words(large))
    }

    /// The geometry with these sizes, if a filter can have them.
    pub(crate) fn stored(
        capacity: u64,
        hashes: u32,
        generations: u32,
        slice_bits: u64,
    ) -> Option<Self> {
        let is_possible = hashes > 0
            && generations > 0
            && hashes.saturating_add(generations) <= MOST_SLICES
            && slice_bits > 0
            && slice_bits.is_multiple_of(64)
            && slice_bits <= MAX_SIZE_BITS / u64::from(MOST_SLICES);
        is_possible.then(|| Self {
            hashes,
            generations,
            slice_bits,
            generation_keys: capacity.div_ceil(generations.into()),
        })
    }

    /// Probes per key (k).
    pub const fn hashes(&self) -> u32 {
        self.hashes
    }

    /// Generations that are remembered whole (l), beside the newest.
    pub const fn generations(&self) -> u32 {
        self.generations
    }

    /// Slices (k + l).
    pub const fn slices(&self) -> u32 {
        self.hashes + self.generations
    }

    /// Bits of a slice.
    pub const fn slice_bits(&self) -> u64 {
        self.slice_bits
    }

    /// Insertions of a generation (g).
    pub const fn generation_keys(&self) -> u64 {
        self.generation_keys
    }

    /// Bits of storage (m).
    pub const fn size_bits(&self) -> u64 {
        self.slice_bits * self.slices() as u64
    }

    /// The slot of a key in slice `slice`: each slice has a hash function of its own.
    #[inline(always)]
    pub(crate) fn slot(&self, hash: KeyHash, slice: u32) -> u64 {
        let word = hash.probe ^ u64::from(slice + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let product = u128::from(word) * u128::from(hash.place | 1);
        let mixed = (product >> 64) as u64 ^ product as u64;
        u64::from(slice) * self.slice_bits + multiply_shift(mixed, self.slice_bits)
    }

    /// The expected FPR at its highest: just before a generation ends.
    pub fn largest_fpr(&self) -> f64 {
        self.expected_fpr(self.remembered_keys())
    }

    /// The insertions of all slices; a file can state any capacity.
    pub(crate) fn remembered_keys(&self) -> u64 {
        self.generation_keys.saturating_mul(self.slices().into())
    }

    /// The FPR after so many insertions of different keys into an empty filter.
    pub(crate) fn expected_fpr(&self, keys: u64) -> f64 {
        let fills = (0..self.slices())
            .map(|slice| expected_fill(self.slice_bits, self.keys_in(slice, keys) as f64));
        run_probability(fills, self.hashes)
    }

    /// How many of the last `keys` insertions are in the slice that is the `slice`-th newest.
    fn keys_in(&self, slice: u32, keys: u64) -> u64 {
        // Insertions that the newest generation has room for: the one after its last begins another.
        let room = (self.generation_keys - keys % self.generation_keys) % self.generation_keys;
        // Insertions of the `ages` newest generations.
        let whole = |ages: u64| ages.saturating_mul(self.generation_keys);
        let of = |ages: u64| keys.min(whole(ages).saturating_sub(room));
        let end = u64::from(slice) + 1;
        of(end) - of(end.saturating_sub(self.hashes.into()))
    }
}

/// The slots of a key that is inserted into a new filter.
impl Locate for Geometry {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.size_bits()
    }

    fn probes(&self) -> u32 {
        self.hashes
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        (0..self.hashes).for_each(|slice| visit(self.slot(*hash, slice)));
    }
}
