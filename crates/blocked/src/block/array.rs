//! The bits of a filter as blocks, of which each hash has one.

#![allow(
    unsafe_code,
    reason = "a check per key would take a tenth of the time of a query"
)]

use bouquet_bits::{BitArray, LengthMismatch};
use bouquet_core::KeyHash;

use crate::{Geometry, Layout};

/// A bit array with the geometry that indexes it.
// Invariant: `bits` has as many bits as the geometry, so that the block of every hash is within
// it. Nothing changes either of them afterwards.
#[derive(Clone, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Array<L: Layout> {
    geometry: Geometry<L>,
    bits: BitArray,
}

impl<L: Layout> Array<L> {
    /// # Panics
    ///
    /// If `bits` has another length than the geometry.
    pub(crate) fn new(bits: BitArray, geometry: Geometry<L>) -> Self {
        const { assert!(size_of::<L::Block>() as u64 * 8 == L::BLOCK_BITS) };
        assert_eq!(bits.len(), geometry.size_bits(), "whole blocks");
        Self { bits, geometry }
    }

    /// The block of a hash, and the word that determines its slots in that block.
    #[inline(always)]
    pub(crate) fn block(&self, hash: KeyHash) -> (&L::Block, u64) {
        let (block, probe) = self.geometry.place(hash);
        let blocks = self.bits.words().as_ptr().cast::<L::Block>();
        // SAFETY: `block` is below the number of blocks (`KeyHash::split`), all of which are in
        // the array's words by the invariant. A block is an array of words.
        (unsafe { &*blocks.add(block) }, probe)
    }

    /// The block of a hash, for writing, and the word that determines its slots.
    #[inline(always)]
    pub(crate) fn block_mut(&mut self, hash: KeyHash) -> (&mut L::Block, u64) {
        let (block, probe) = self.geometry.place(hash);
        let blocks = self.words_mut().as_mut_ptr().cast::<L::Block>();
        // SAFETY: as in `block`, and through `&mut self` there is no other reference.
        (unsafe { &mut *blocks.add(block) }, probe)
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.bits.whole_words_mut()
    }

    #[inline]
    pub(crate) fn bits(&self) -> &BitArray {
        &self.bits
    }

    #[inline]
    pub(crate) fn geometry(&self) -> Geometry<L> {
        self.geometry
    }

    pub(crate) fn clear_all(&mut self) {
        self.bits.clear_all();
    }

    pub(crate) fn union_with(&mut self, other: &Self) -> Result<(), LengthMismatch> {
        self.bits.union_with(&other.bits)
    }

    pub(crate) fn intersect_with(&mut self, other: &Self) -> Result<(), LengthMismatch> {
        self.bits.intersect_with(&other.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Words32, Words64};

    #[test]
    fn the_first_and_the_last_block_are_reached() {
        fn check<L: Layout>(layout: L, blocks: u64) {
            let geometry = Geometry::new(blocks, layout).unwrap();
            let mut array = Array::new(BitArray::in_lines(geometry.size_bits()).unwrap(), geometry);
            let bytes = size_of::<L::Block>();
            let start = array.bits().words().as_ptr().addr();
            for (place, block) in [(0, 0), (u64::MAX, blocks as usize - 1)] {
                let hash = KeyHash::new(place, 7);
                let address = start + block * bytes;
                let (found, probe) = array.block(hash);
                assert_eq!((core::ptr::from_ref(found).addr(), probe), (address, 7));
                assert_eq!(core::ptr::from_mut(array.block_mut(hash).0).addr(), address);
            }
        }
        for blocks in [1, 7] {
            check(Words64, blocks);
            check(Words32, blocks);
        }
    }

    #[test]
    #[should_panic(expected = "whole blocks")]
    fn other_bits_than_the_geometry_s_are_rejected() {
        let geometry = Geometry::new(2, Words64).unwrap();
        Array::new(BitArray::in_lines(512).unwrap(), geometry);
    }
}
