//! The geometry of the filter: its size and its slot arithmetic.

use bouquet_core::{
    Fill, KeyHash, Locate, MAX_SIZE_BITS, Spec, SpecError,
    math::{Occupancy, best_capacity, estimate_parameters, estimated_keys, steps_for},
};

use crate::{
    Layout, Words64,
    math::Curves,
    sizing::{Sizing, keys_until_fpr},
};

/// The largest number of bits that a filter created from a spec may have, as a multiple of a
/// standard filter's, at targets below 1e-6. There, a block has so few slots that the FPR falls
/// only slowly with the size, so that larger filters hardly help. `Words64` exceeds this ratio
/// below about 1e-9 and `Words32` below 1e-8; [`Line`](crate::Line) stays within it down to
/// 1e-15.
pub const MAX_RATIO: f64 = 5.0;

/// At targets above this, every layout stays below [`MAX_RATIO`], except where small filters
/// are rounded up to whole blocks.
const LOW_FPR: f64 = 1e-6;

/// The number of blocks and the layout of a [`BlockedBloom`](crate::BlockedBloom), with the
/// arithmetic that maps a hash to its slots. It needs no bit array.
///
/// [`KeyHash::split`] picks the block from the hash's `place`; the layout picks the slots in
/// the block from the hash's `probe`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry<L: Layout = Words64> {
    blocks: u64,
    layout: L,
}

impl<L: Layout> Geometry<L> {
    /// A geometry of exactly `blocks` blocks of this layout, with at most 2^48 bits in total.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::TooLarge`].
    pub fn new(blocks: u64, layout: L) -> Result<Self, SpecError> {
        if blocks == 0 {
            return Err(SpecError::ZeroSizeBits);
        }
        if blocks > MAX_SIZE_BITS / L::BLOCK_BITS {
            return Err(SpecError::TooLarge {
                size_bits: blocks as f64 * L::BLOCK_BITS as f64,
            });
        }
        Ok(Self { blocks, layout })
    }

    /// The smallest number of blocks that meets the target FPR at capacity by the layout's own
    /// closed form, with the optimal k for that number.
    ///
    /// # Errors
    ///
    /// [`SpecError::TooLarge`].
    ///
    /// # Cost
    ///
    /// One to three evaluations of the closed form, 0.3 to 0.6 microseconds, or one to four
    /// microseconds with [`Line`](crate::Line), which also searches for k. Where that form is not
    /// precise enough (in a large filter, with `Line` at a target below 1e-10), the exact sum takes 3
    /// to 60 microseconds, or up to 200 if the target is close to 1.
    pub fn from_spec(spec: &Spec) -> Result<Self, SpecError> {
        let (capacity, target_fpr) = (spec.capacity(), spec.target_fpr());
        let mut sizing = Sizing::new(capacity);
        let (blocks, layout) = if let Some(found) = sizing.at_once(target_fpr) {
            found
        } else {
            let classic = estimate_parameters(capacity, target_fpr)?.size_bits;
            sizing.fewest_blocks(target_fpr, classic.div_ceil(L::BLOCK_BITS))
        };
        Self::new(blocks, layout)
    }

    /// Rejects a geometry with more than [`MAX_RATIO`] times the bits of a standard filter; the
    /// last block is not counted.
    pub(crate) fn expect_economy(&self, spec: &Spec) -> Result<(), SpecError> {
        let (capacity, target_fpr) = (spec.capacity(), spec.target_fpr());
        if target_fpr >= LOW_FPR {
            return Ok(());
        }
        let classic = estimate_parameters(capacity, target_fpr)?.size_bits as f64;
        let full = self.size_bits() - L::BLOCK_BITS;
        if full as f64 <= MAX_RATIO * classic {
            return Ok(());
        }
        Err(SpecError::Wasteful {
            target_fpr,
            layout: L::NAME,
            ratio: self.size_bits() as f64 / classic,
            most: MAX_RATIO,
        })
    }

    /// `bits_per_key` bits for each of `capacity` keys, rounded up to whole blocks, with the
    /// optimal k.
    ///
    /// # Errors
    ///
    /// [`SpecError`] if an argument is out of range.
    pub fn with_bits_per_key(capacity: u64, bits_per_key: f64) -> Result<Self, SpecError> {
        let blocks = steps_for(capacity, bits_per_key, L::BLOCK_BITS)?;
        Self::new(blocks, Sizing::new(capacity).best(blocks).0)
    }

    /// The number of blocks.
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The layout of each block.
    pub const fn layout(&self) -> L {
        self.layout
    }

    /// Bits of storage (m).
    pub const fn size_bits(&self) -> u64 {
        self.blocks * L::BLOCK_BITS
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.layout.hashes()
    }

    /// The slots of a hash, in probe order: all in one block.
    #[inline]
    pub fn slots(&self, hash: KeyHash) -> impl Iterator<Item = u64> + Clone + use<L> {
        let (block, rest) = hash.split(self.blocks);
        let first = block * L::BLOCK_BITS;
        let layout = self.layout;
        layout.slots(rest.probe).map(move |slot| first + slot)
    }

    /// The block of a hash, and the word that determines its slots in that block.
    #[inline(always)]
    pub(crate) fn place(&self, hash: KeyHash) -> (usize, u64) {
        let (block, rest) = hash.split(self.blocks);
        // Every block in memory has an index that fits a `usize`.
        (block as usize, rest.probe)
    }

    /// The number of keys for which this size and k are optimal: about half the bits are set
    /// then.
    pub(crate) fn best_capacity(&self) -> u64 {
        best_capacity(self.size_bits(), self.hashes())
    }

    pub(crate) fn expected_fpr(&self, keys: u64) -> f64 {
        Curves::alone(self.layout).expected_fpr(self.hashes(), keys, self.blocks)
    }

    /// The largest number of keys at which the expected FPR stays at or below `fpr`.
    pub(crate) fn keys_until_fpr(&self, fpr: f64, guess: u64) -> u64 {
        keys_until_fpr(self.layout, self.blocks, fpr, guess)
    }

    /// The FPR of a filter with the given blocks.
    pub(crate) fn estimated_fpr(&self, blocks: impl Iterator<Item = L::Block>) -> f64 {
        self.layout.sum_of_fprs(blocks) / self.blocks as f64
    }

    /// The most likely number of keys if a share `fill` of the bits is set.
    ///
    /// One key leaves a given slot clear with probability 1 - s, where s is the fill due to one
    /// key, and n keys with probability (1 - s)^n, whether they share a block or not. So the
    /// estimate is ln(1 - fill) / ln(1 - s).
    pub(crate) fn estimated_keys(&self, fill: f64) -> f64 {
        // With m = 2 and k = 1 the classic formula is log2(1/(1 - fill)).
        let binary_log = |fill| estimated_keys(2, 1, fill);
        binary_log(fill) / binary_log(self.fill_mean(1))
    }
}

impl<L: Layout> Locate for Geometry<L> {
    type Hash = KeyHash;

    fn slots(&self) -> u64 {
        self.size_bits()
    }

    fn probes(&self) -> u32 {
        self.hashes()
    }

    fn locate(&self, hash: &KeyHash, visit: &mut dyn FnMut(u64)) {
        self.slots(*hash).for_each(visit);
    }
}

impl<L: Layout> Fill for Geometry<L> {
    fn occupancy(&self) -> Occupancy {
        Occupancy {
            groups: self.blocks,
            ranges: L::RANGES.into(),
            slots: L::BLOCK_BITS / u64::from(L::RANGES),
            throws: self.hashes() / L::RANGES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, Words32};

    #[test]
    fn slots_of_one_key_by_hand() {
        fn slots_a_key<L: Layout>(layout: L) -> f64 {
            let geometry = Geometry::new(3, layout).unwrap();
            geometry.fill_mean(1) * geometry.size_bits() as f64
        }
        for (got, want) in [
            (slots_a_key(Words64), 8.0),
            (slots_a_key(Words32), 8.0),
            (slots_a_key(Line::new(1).unwrap()), 1.0),
            (slots_a_key(Line::new(2).unwrap()), 1.0 + 511.0 / 512.0),
        ] {
            assert!((got / want - 1.0).abs() < 1e-12, "{got} {want}");
        }
    }
}
