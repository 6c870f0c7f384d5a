//! The search for a size by the closed forms.

use alloc::collections::BTreeMap;
use core::f64::consts::LN_2;

use crate::{Layout, math::Curve};

/// Where a search ends: far beyond every size and number of keys that may be
/// asked for.
const MOST: u64 = 1 << 62;

/// The curves of a layout by the number of hashes, to choose one.
pub(crate) struct Sizing<L: Layout> {
    keys: u64,
    curves: BTreeMap<u32, Curve<L>>,
    /// Where to look first.
    last_best: Option<u32>,
}

impl<L: Layout> Sizing<L> {
    pub(crate) fn new(keys: u64) -> Self {
        Self {
            keys,
            curves: BTreeMap::new(),
            last_best: None,
        }
    }

    /// The fewest blocks that keep the FPR at or below `target_fpr`, with the
    /// best layout for them; to begin near `guess` saves time.
    pub(crate) fn fewest_blocks(&mut self, target_fpr: f64, guess: u64) -> (u64, L) {
        let blocks = smallest(guess, |blocks| self.best(blocks).1 <= target_fpr);
        (blocks, self.best(blocks).0)
    }

    /// The layout with the lowest FPR in so many blocks, the one with fewer
    /// hashes of two equals, and that FPR.
    ///
    /// Walks down or up from a start, for the FPR has one valley.
    pub(crate) fn best(&mut self, blocks: u64) -> (L, f64) {
        let bits_per_key = blocks as f64 * L::BLOCK_BITS as f64 / self.keys.max(1) as f64;
        let classic = (bits_per_key * LN_2) as u32;
        let start = self.last_best.unwrap_or(classic);
        let mut hashes = start.clamp(*L::HASHES.start(), *L::HASHES.end());
        let mut fpr = self.fpr(hashes, blocks);
        for down in [true, false] {
            loop {
                let next = if down { hashes - 1 } else { hashes + 1 };
                if !L::HASHES.contains(&next) {
                    break;
                }
                let next_fpr = self.fpr(next, blocks);
                if next_fpr > fpr || (next_fpr == fpr && !down) {
                    break;
                }
                (hashes, fpr) = (next, next_fpr);
            }
        }
        self.last_best = Some(hashes);
        (L::with_hashes(hashes), fpr)
    }

    fn fpr(&mut self, hashes: u32, blocks: u64) -> f64 {
        let curve = self.curves.entry(hashes);
        let curve = curve.or_insert_with(|| Curve::new(L::with_hashes(hashes)));
        curve.expected_fpr(self.keys, blocks)
    }
}

/// The most keys with which so many blocks keep the mean FPR at or below `fpr`;
/// to begin near `guess` saves time.
pub(crate) fn keys_until_fpr<L: Layout>(layout: L, blocks: u64, fpr: f64, guess: u64) -> u64 {
    let mut curve = Curve::new(layout);
    smallest(guess, |keys| curve.expected_fpr(keys, blocks) > fpr) - 1
}

/// The smallest number from 1 to [`MOST`] for which `holds`, which must hold
/// for all above it; [`MOST`] if there is none below. Strides that double from
/// a guess until they bracket it, then halving.
fn smallest(guess: u64, mut holds: impl FnMut(u64) -> bool) -> u64 {
    let guess = guess.clamp(1, MOST);
    let mut stride = guess / 64 + 1;
    let (mut below, mut found) = (0, guess);
    if holds(guess) {
        while found > stride && holds(found - stride) {
            found -= stride;
            stride *= 2;
        }
        below = found.saturating_sub(stride);
    } else {
        while below < found {
            below = found;
            found = found.saturating_add(stride).min(MOST);
            stride = stride.saturating_mul(2);
            if found == MOST || holds(found) {
                break;
            }
        }
    }
    while found - below > 1 {
        let middle = below + (found - below) / 2;
        if holds(middle) {
            found = middle;
        } else {
            below = middle;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::{Line, Words32, Words64, layout::Arithmetic};

    #[test]
    fn the_smallest_is_found_from_every_guess() {
        for want in [1, 2, 3, 63, 64, 65, 1_000, 12_345, 1 << 40, MOST - 1, MOST] {
            for guess in [0, 1, 2, 64, 1_000, 12_344, 12_345, 1 << 50, MOST, u64::MAX] {
                assert_eq!(smallest(guess, |n| n >= want), want, "from {guess}");
            }
        }
        assert_eq!(smallest(5, |_| false), MOST);
    }

    #[test]
    fn the_best_at_equal_memory() {
        let mut rows = 0;
        let csv = include_str!("../tests/data/equal_memory.csv");
        for line in csv.lines().skip(1) {
            let cell: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let close = |got: f64, want: f64| {
                // The reference has 6 digits.
                assert!((got / want - 1.0).abs() < 5.1e-6, "{line}: {got} {want}");
            };
            let bits = cell[0] as u64 * (1 << 40);
            close(Sizing::<Line>::new(1 << 40).best(bits / 512).1, cell[3]);
            close(Sizing::<Words32>::new(1 << 40).best(bits / 256).1, cell[4]);
            rows += 1;
        }
        assert_eq!(rows, 8);
    }

    #[test]
    fn the_best_number_of_hashes_is_the_best_of_all() {
        for (keys, blocks) in [(1, 1), (10, 1), (100, 2), (1_000, 17), (1_000_000, 30_000)] {
            let (best, fpr) = Sizing::<Line>::new(keys).best(blocks);
            for hashes in Line::HASHES {
                let layout = Line::with_hashes(hashes);
                let other = Curve::new(layout).expected_fpr(keys, blocks);
                assert!(other >= fpr, "{keys} {blocks}: {best:?} {hashes}");
            }
        }
    }

    fn the_fewest<L: Layout>() {
        for keys in (1..60).chain([100, 1_000, 54_321, 1_000_000_000]) {
            for fpr in [0.999, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9] {
                let (blocks, layout) = Sizing::<L>::new(keys).fewest_blocks(fpr, keys / 50);
                let reached = Curve::new(layout).expected_fpr(keys, blocks);
                assert!(reached <= fpr, "{keys} {fpr} {layout:?}");
                if blocks > 1 {
                    let less = Sizing::<L>::new(keys).best(blocks - 1).1;
                    assert!(less > fpr, "{keys} {fpr} {layout:?}");
                }
            }
        }
    }

    #[test]
    fn the_fewest_blocks_keep_the_promise() {
        the_fewest::<Words64>();
        the_fewest::<Words32>();
        the_fewest::<Line>();
    }

    #[test]
    fn keys_until_an_fpr() {
        for guess in [1, 1_000, 1_000_000] {
            let keys = keys_until_fpr(Words64, 20, 0.01, guess);
            let mut curve = Curve::new(Words64);
            assert!(curve.expected_fpr(keys, 20) <= 0.01);
            assert!(curve.expected_fpr(keys + 1, 20) > 0.01);
        }
    }
}
