//! The FPR of a blocked filter: the mean, over the number of keys in a block, of the FPR
//! of one block, which [`loads`](crate::loads) has.
//!
//! From: Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom
//! filters" (WEA 2007; ACM JEA 14, 2009, section 3).
//! They take the number of keys in a block as Poisson, which is its limit for many blocks.
//! Here it is binomial, which is exact: n keys, each in this block with probability 1/B. So the
//! mean is exact for 1, 2 and 3 blocks too.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use crate::{
    Layout,
    loads::{Known, Loads},
};

/// A share of a sum below which it is rounding.
const NEGLIGIBLE: f64 = 1e-18;

/// The mean of `block_fpr(load)` over the number of keys in a non-member's block:
/// Binomial(`keys`, 1/`blocks`). `block_fpr` must rise from 0 to 1.
///
/// # Method
///
/// Each weight is the one before it times a ratio, outward from the most likely
/// load until the rest is rounding; the weights are divided by their own sum, so
/// that no binomial coefficient is needed. All terms are positive, so nothing
/// cancels: the relative error is about 1e-15 per term, and there are about nine
/// standard deviations of them each way.
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
        // A block certain to answer "may contain" has some hundred keys, and hardly any
        // has a quarter of so large a mean.
        return 1.0;
    }
    let (all, others) = (keys as f64, (blocks - 1) as f64);
    // P(next) / P(next - 1), as a fraction.
    let ratio = |next: f64| (all - next + 1.0, next * others);

    let (mut weights, mut sum) = (1.0, block_fpr(mode));
    let (mut weight, mut next) = (1.0, mode as f64);
    for load in mode + 1..=keys {
        next += 1.0;
        let (up, down) = ratio(next);
        weight *= up / down;
        weights += weight;
        sum += weight * block_fpr(load);
        // Compared with the sum, because here the weights fall and the FPR rises.
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

/// The FPR of a block by the number of its keys, computed on demand, for some numbers of
/// hashes: for neighbours it costs little more than for one.
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

    /// Of one layout.
    pub(crate) fn alone(layout: L) -> Self {
        Self::of(layout.hashes()..=layout.hashes())
    }

    pub(crate) fn hashes(&self) -> &RangeInclusive<u32> {
        &self.hashes
    }

    /// The mean FPR of a filter of `blocks` blocks with `keys` keys and one of these
    /// numbers of hashes.
    pub(crate) fn expected_fpr(&mut self, hashes: u32, keys: u64, blocks: u64) -> f64 {
        let which = (hashes - self.hashes.start()) as usize;
        mean_over_loads(keys, blocks, |load| self.block_fpr(which, load))
    }

    /// The FPR of one block, by the place of its number of hashes among these.
    #[inline]
    pub(crate) fn block_fpr(&mut self, which: usize, load: u64) -> f64 {
        match self.known[which].get(load) {
            Some(fpr) => fpr,
            None => self.extended(which, load),
        }
    }

    /// The FPR of a block with more keys than were asked for before.
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

    /// The mean over loads, by Pascal's triangle.
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
        // One key, hit by a non-member in its block and there in its mask.
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
