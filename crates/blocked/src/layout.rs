//! The layouts: where in its block the slots of a key are.

mod line;
mod salted;
mod words32;
mod words64;

use core::{fmt::Debug, ops::RangeInclusive};

pub use line::Line;
pub(crate) use salted::Salted;
pub use words32::Words32;
pub use words64::Words64;

use crate::{
    block::{Backend, Block},
    loads::Loads,
    sizing::{ClosedForm, Row},
};

/// The layout of a block: its size, and which of its slots belong to a key.
///
/// The slots of a key in its block are computed only from
/// [`probe`](bouquet_core::KeyHash::probe), the word that did not pick the block.
///
/// | layout | block | slots of a key |
/// | --- | --- | --- |
/// | [`Words64`] | 512 bits | one in each of eight words of 64 bits |
/// | [`Words32`] | 256 bits | one in each of eight words of 32 bits |
/// | [`Line`] | 512 bits | k anywhere, 1 to 64; a slot may occur more than once |
///
/// The trait is sealed: a layout also includes its closed-form formulas, and only these three
/// are tested.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no layout of a block",
    note = "take `Words64`, `Words32` or `Line`"
)]
pub trait Layout: Arithmetic {
    /// The name of the layout, for messages.
    const NAME: &'static str;

    /// The number of the layout in files. A number is never reused.
    const ID: u64;

    /// The number of bits in a block.
    const BLOCK_BITS: u64;

    /// The number of slots of a key (k), including repeats.
    fn hashes(self) -> u32;

    /// The slots of a key within its block, each below
    /// [`BLOCK_BITS`](Self::BLOCK_BITS), in probe order.
    fn slots(self, probe: u64) -> impl Iterator<Item = u64> + Clone;
}

/// The private part of the layout contract.
pub trait Arithmetic: Copy + Eq + Debug + Send + Sync + 'static {
    /// The words of a block.
    type Block: Block;

    /// The FPR of a block as a function of the number of its keys.
    type Loads: Loads;

    /// The numbers of hashes that the sizing may choose from.
    const HASHES: RangeInclusive<u32>;

    /// The sizes for few keys.
    const FEW: &'static [Row] = &[];

    /// Whether the words of a block are tested together.
    const IS_QUICK: bool = true;

    /// The number of equal ranges in a block; each gets the same number of slots of a key.
    const RANGES: u32;

    /// The layout with `hashes` hashes, or the nearest possible number.
    fn with_hashes(hashes: u32) -> Self;

    /// Returns whether all slots of a key are set in its block.
    fn holds<B: Backend>(self, backend: B, block: &Self::Block, probe: u64) -> bool;

    /// Sets the slots of a key in its block; returns `true` if one of them was clear.
    fn take<B: Backend>(self, backend: B, block: &mut Self::Block, probe: u64) -> bool;

    /// The FPR of a block for each of these numbers of hashes.
    fn loads(hashes: RangeInclusive<u32>) -> Self::Loads;

    /// The FPR as a short sum; `None` if there are too many slots.
    fn closed_form(self) -> Option<ClosedForm>;

    /// The FPRs of one block, for many slots.
    fn of_one_block(self) -> Option<&'static [f64]> {
        None
    }

    /// The sum of the FPRs of these blocks, given their bits.
    fn sum_of_fprs(self, blocks: impl Iterator<Item = Self::Block>) -> f64;
}

/// Tests that every layout must pass.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::{block::Portable, math::Curves};

    /// The mean FPR of a block over many random sets of keys, computed from its bits.
    fn simulated<L: Layout>(layout: L, load: u64) -> f64 {
        const SETS: u64 = 20_000;
        let mut probe = 0u64;
        let mut next = || {
            probe = probe.wrapping_add(1);
            bouquet_core::KeyHash::from_word(probe).probe
        };
        let mut sum = 0.0;
        for _ in 0..SETS {
            let mut words = [0u64; 8];
            let words = &mut words[..(L::BLOCK_BITS / 64) as usize];
            for _ in 0..load {
                layout.take(Portable, &mut L::Block::all_mut(words)[0], next());
            }
            sum += layout.sum_of_fprs(L::Block::all(words).iter().copied());
        }
        sum / SETS as f64
    }

    #[test]
    fn a_block_s_fpr_is_what_its_bits_say_on_average() {
        fn check<L: Layout>(layout: L) {
            let mut curve = Curves::alone(layout);
            let mut fpr = |load| curve.block_fpr(0, load);
            assert_eq!(fpr(0), 0.0);
            for load in [5, 20, 60] {
                let (got, want) = (simulated(layout, load), fpr(load));
                assert!(
                    (got / want - 1.0).abs() < 0.04,
                    "{layout:?} {load}: {got} {want}"
                );
            }
        }
        check(Words64);
        check(Words32);
        check(Line::new(1).unwrap());
        check(Line::new(4).unwrap());
        check(Line::new(11).unwrap());
    }
}
