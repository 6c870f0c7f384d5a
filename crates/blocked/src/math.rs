//! The FPR of a blocked filter: the mean of the FPR of one block (see [`loads`](crate::loads))
//! over the number of keys in a block.
//!
//! Source: Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom filters" (WEA
//! 2007; ACM JEA 14, 2009, section 3). They assume a Poisson distribution of the number of keys
//! in a block, which is the limit for many blocks. Here the distribution is binomial, which is
//! exact: n keys, each in this block with probability 1/B. So the mean is also exact for 1, 2
//! and 3 blocks.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use crate::{
    Layout,
    loads::{Known, Loads},
};

/// A share of a sum below this is only rounding error.
const NEGLIGIBLE: f64 = 1e-18;

/// The mean of `block_fpr(load)` over the number of keys in a non-member's block, which is
/// distributed as Binomial(`keys`, 1/`blocks`). `block_fpr` must rise from 0 to 1.
///
/// # Method
///
/// Starting at the most likely load and going outward in both directions, each weight is the
/// previous one times a ratio, until the rest is below rounding error. The weights are then
/// divided by their sum, so no binomial coefficient is needed. All terms are positive, so
/// nothing cancels: the relative error is about 1e-15 per term, and the terms reach about nine
/// standard deviations in each direction.
pub(crate) fn mean_over_loads(
    keys: u64,
    blocks: u64,
    mut block_fpr: impl FnMut(u64) -> f64,
) -> f64 {
    if blocks <= 1 {
        return block_fpr(keys);
    }
    let mode = ((u128::from(keys) + 1) / u128::from(blocks)) as u64;
    if block_fpr(mode / 4) >= 1.0 {
        // A block that surely answers "may contain" has some hundred keys, and with so large a
        // mean hardly any block has less than a quarter of the mean.
        return 1.0;
    }
    let (all, others) = (keys as f64, (blocks - 1) as f64);
    // The ratio P(next) / P(next - 1), as numerator and denominator.
    let ratio = |next: f64| (all - next + 1.0, next * others);

    let (mut weights, mut sum) = (1.0, block_fpr(mode));
    let (mut weight, mut next) = (1.0, mode as f64);
    for load in mode + 1..=keys {
        next += 1.0;
        let (up, down) = ratio(next);
        weight *= up / down;
        weights += weight;
        sum += weight * block_fpr(load);
        // Compared with the sum, because in this direction the weights fall while the FPR
        // rises.
        if weight <= NEGLIGIBLE * sum {
            break;
        }
    }
    (weight, next) = (1.0, mode as f64);
    for load in (0..mode).rev() {
        let (up, down) = ratio(next);
        weight *= down / up;
        next -= 1.0;
        weights += weight;
        sum += weight * block_fpr(load);
        if weight <= NEGLIGIBLE {
            break;
        }
    }
    sum / weights
}

/// The FPR of a block as a function of its number of keys, computed on demand, for several
/// numbers of hashes: adjacent numbers cost little more than one.
pub(crate) struct Curves<L: Layout> {
    hashes: RangeInclusive<u32>,
    loads: L::Loads,
    known: Vec<Known>,
}

impl<L: Layout> Curves<L> {
    pub(crate) fn of(hashes: RangeInclusive<u32>) -> Self {
        Self {
            loads: L::loads(hashes.clone()),
            known: hashes.clone().map(|_| Known::default()).collect(),
            hashes,
        }
    }

    /// The curve of one layout.
    pub(crate) fn alone(layout: L) -> Self {
        Self::of(layout.hashes()..=layout.hashes())
    }

    pub(crate) fn hashes(&self) -> &RangeInclusive<u32> {
        &self.hashes
    }

    /// The mean FPR of a filter of `blocks` blocks with `keys` keys and `hashes` hashes, which
    /// must be one of the numbers of this value.
    pub(crate) fn expected_fpr(&mut self, hashes: u32, keys: u64, blocks: u64) -> f64 {
        let which = (hashes - self.hashes.start()) as usize;
        mean_over_loads(keys, blocks, |load| self.block_fpr(which, load))
    }

    /// The FPR of one block with `load` keys; `which` is the index of the number of hashes.
    #[inline]
    pub(crate) fn block_fpr(&mut self, which: usize, load: u64) -> f64 {
        match self.known[which].get(load) {
            Some(fpr) => fpr,
            None => self.extended(which, load),
        }
    }

    /// The FPR of a block with more keys than were computed before.
    #[cold]
    #[inline(never)]
    fn extended(&mut self, which: usize, load: u64) -> f64 {
        loop {
            self.loads.extend(&mut self.known);
            if let Some(fpr) = self.known[which].get(load) {
                return fpr;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::{Line, Words32, Words64};

    fn close(got: f64, want: f64, tolerance: f64, what: &str) {
        assert!(
            (got - want).abs() <= tolerance * want,
            "{what}: {got} {want}"
        );
    }

    /// The mean over loads, with weights computed by Pascal's triangle.
    fn by_triangle(keys: u64, blocks: u64, block_fpr: impl Fn(u64) -> f64) -> f64 {
        let share = 1.0 / blocks as f64;
        let mut weights = vec![1.0];
        for _ in 0..keys {
            let stay = weights.iter().map(|w| w * (1.0 - share)).chain([0.0]);
            let gain = [0.0].into_iter().chain(weights.iter().map(|w| w * share));
            weights = stay.zip(gain).map(|(stay, gain)| stay + gain).collect();
        }
        let terms = weights.iter().zip(0..).map(|(w, load)| w * block_fpr(load));
        terms.sum()
    }

    #[test]
    fn few_blocks_are_exact() {
        fn check<L: Layout>(layout: L) {
            let hashes = layout.hashes();
            let mut curve = Curves::<L>::of(hashes..=hashes);
            let known: Vec<f64> = (0..301).map(|load| curve.block_fpr(0, load)).collect();
            for blocks in [1, 2, 3, 10, 1_000] {
                for keys in [1, 2, 3, 10, 50, 300] {
                    let want = by_triangle(keys, blocks, |load| known[load as usize]);
                    let got = curve.expected_fpr(hashes, keys, blocks);
                    close(got, want, 1e-12, "few blocks");
                }
            }
        }
        check(Words64);
        check(Words32);
        check(Line::new(1).unwrap());
        check(Line::new(7).unwrap());
        check(Line::new(30).unwrap());
    }

    #[test]
    fn the_extremes() {
        let mut curve = Curves::alone(Words64);
        assert_eq!(curve.expected_fpr(8, 0, 1), 0.0);
        assert_eq!(curve.expected_fpr(8, 0, 1 << 39), 0.0);
        for blocks in [1, 2, 1_000, 1 << 39] {
            assert_eq!(curve.expected_fpr(8, u64::MAX, blocks), 1.0);
        }
        // With one key, a non-member is a false positive if it has the same block and the same
        // mask.
        let want = 1.0 / (1u64 << 48) as f64 / (1u64 << 39) as f64;
        close(curve.expected_fpr(8, 1, 1 << 39), want, 1e-14, "one key");
        let mut last = 0.0;
        for keys in (0..40_000).step_by(10) {
            let now = curve.expected_fpr(8, keys, 3);
            assert!(now >= last * (1.0 - 1e-12) && now <= 1.0, "{keys} {now}");
            last = now;
        }
        assert_eq!(last, 1.0);
        let mut slow = Curves::alone(Line::new(1).unwrap());
        close(slow.expected_fpr(1, 100_000, 2), 1.0, 1e-12, "k = 1");
    }
}
