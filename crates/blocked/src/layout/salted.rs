//! The layout of [`SplitBlocks`](crate::SplitBlocks): that of [`Words32`], with bits that are
//! computed from 32 bits of hash.

use core::ops::RangeInclusive;

use super::{Arithmetic, Layout, Words32};
use crate::{
    block::{Backend, salted},
    loads::WordLoads,
    sizing::ClosedForm,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Salted;

impl Layout for Salted {
    const NAME: &'static str = "Salted";
    /// No file has it.
    const ID: u64 = u64::MAX;
    const BLOCK_BITS: u64 = Words32::BLOCK_BITS;

    fn hashes(self) -> u32 {
        Words32.hashes()
    }

    #[inline]
    fn slots(self, probe: u64) -> impl Iterator<Item = u64> + Clone {
        Words32.slots(salted(probe as u32))
    }
}

impl Arithmetic for Salted {
    type Block = <Words32 as Arithmetic>::Block;
    type Loads = WordLoads;
    const HASHES: RangeInclusive<u32> = Words32::HASHES;
    const RANGES: u32 = Words32::RANGES;

    fn with_hashes(_: u32) -> Self {
        Self
    }

    #[inline(always)]
    fn holds<B: Backend>(self, backend: B, block: &Self::Block, probe: u64) -> bool {
        backend.holds_salted(block, probe as u32)
    }

    #[inline(always)]
    fn take<B: Backend>(self, backend: B, block: &mut Self::Block, probe: u64) -> bool {
        backend.take_salted(block, probe as u32)
    }

    fn loads(hashes: RangeInclusive<u32>) -> WordLoads {
        Words32::loads(hashes)
    }

    fn closed_form(self) -> Option<ClosedForm> {
        Words32.closed_form()
    }

    fn sum_of_fprs(self, blocks: impl Iterator<Item = Self::Block>) -> f64 {
        Words32.sum_of_fprs(blocks)
    }
}
