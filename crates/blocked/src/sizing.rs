//! The search for a size by the closed forms.

use alloc::{collections::BTreeMap, vec::Vec};
use core::f64::consts::LN_2;

use crate::{Layout, math::Curves};

/// Where a search ends: far beyond every size and number of keys that may be
/// requested.
const MOST: u64 = 1 << 62;

/// Steps of Newton's method: enough for a tenth of a key, from every mean.
const NEWTON: u32 = 6;
/// The best k is above the classic k of the blocks that make most false positives by about this
/// share of its square: fitted to 20,000 specs. The search begins there; a wrong value costs
/// only time.
const CURVED: f64 = 0.006;
/// Below 2^-`BEYOND` an FPR is negligible beside the 2^-64 of equal hashes.
const BEYOND: f64 = 64.0 + 53.0;

/// The curves of a layout by the number of hashes, to choose one.
pub(crate) struct Sizing<L: Layout> {
    keys: u64,
    curves: Vec<Curves<L>>,
    /// The FPR by the number of hashes and of blocks.
    known: BTreeMap<(u32, u64), f64>,
    /// Where to look first.
    last_best: Option<u32>,
}

impl<L: Layout> Sizing<L> {
    pub(crate) fn new(keys: u64) -> Self {
        Self {
            keys,
            curves: Vec::new(),
            known: BTreeMap::new(),
            last_best: None,
        }
    }

    /// The fewest blocks that keep the FPR at or below `target_fpr`, with the
    /// best layout for them; starting near `guess` saves time.
    ///
    /// Searched with one number of hashes, about the best one; then again as long as another
    /// does with a block less.
    pub(crate) fn fewest_blocks(&mut self, target_fpr: f64, guess: u64) -> (u64, L) {
        let mut guess = self.nearer(guess.clamp(1, MOST), target_fpr);
        let mut hashes = self.start(guess);
        loop {
            let blocks = fewest(guess, target_fpr, |blocks| self.fpr(hashes, blocks));
            let has_choice = L::HASHES.start() < L::HASHES.end();
            if blocks == MOST && guess < MOST && has_choice {
                // No size does with so many hashes: the guess was far too small.
                guess = guess.saturating_mul(16).min(MOST);
                hashes = self.start(guess);
                continue;
            }
            self.last_best = Some(hashes);
            let layout = self.best(blocks).0;
            guess = blocks - 1;
            if guess == 0 || self.only(hashes, blocks, target_fpr) {
                return (blocks, layout);
            }
            // What it reaches with a block less is known, from `fewest`.
            self.last_best = Some(hashes);
            let (with_less, fpr) = self.best(guess);
            if fpr > target_fpr {
                return (blocks, layout);
            }
            hashes = with_less.hashes();
        }
    }

    /// Whether no other number of hashes keeps the target in so many blocks, and so none in
    /// fewer. The FPR has a single minimum, so the two next to it tell; [`best`](Self::best) from
    /// there has just asked them.
    fn only(&self, hashes: u32, blocks: u64, target_fpr: f64) -> bool {
        let is_above = |other: u32| match self.known.get(&(other, blocks)) {
            Some(fpr) => *fpr > target_fpr,
            None => !L::HASHES.contains(&other),
        };
        is_above(hashes - 1) && is_above(hashes + 1)
    }

    /// A better guess, so that the number of hashes, where there is a choice, is chosen near
    /// the end.
    fn nearer(&mut self, guess: u64, target_fpr: f64) -> u64 {
        if L::HASHES.start() == L::HASHES.end() {
            return guess;
        }
        let reached = self.fpr(self.start(guess), guess);
        let times = about_log2(target_fpr) / about_log2(reached);
        // Casting saturates; NaN becomes the least.
        let blocks = ((guess as f64 * times) as u64).saturating_add(1);
        blocks.clamp(guess.div_ceil(2), guess.saturating_mul(2).min(MOST))
    }

    /// The layout with the lowest FPR in so many blocks, ties going to fewer
    /// hashes, and that FPR.
    ///
    /// Walks down or up from a start, because the FPR has a single minimum.
    pub(crate) fn best(&mut self, blocks: u64) -> (L, f64) {
        let mut hashes = self.last_best.unwrap_or_else(|| self.start(blocks));
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

    /// About the best number of hashes: that of a classic filter as full as the blocks
    /// that make most false positives, or, with very few keys, the fewest after which
    /// equal hashes make them all.
    ///
    /// With the best number for i keys in b bits an FPR falls by (b ln^2 2) / i^2 from i
    /// keys to i + 1 in its logarithm; Poisson's weights fall by ln(i / mean). Where the
    /// two are equal their product is largest.
    fn start(&self, blocks: u64) -> u32 {
        if L::HASHES.start() == L::HASHES.end() {
            return *L::HASHES.start();
        }
        let bits = L::BLOCK_BITS as f64;
        let mean = self.keys.max(1) as f64 / blocks as f64;
        let steepness = bits * LN_2 * LN_2;
        let mut load = mean.max(1.0);
        for _ in 0..NEWTON {
            let excess = LN_2 * about_log2(load / mean) - steepness / (load * load);
            let slope = 1.0 / load + 2.0 * steepness / (load * load * load);
            load = (load - excess / slope).max(load / 2.0);
        }
        let all = self.keys.max(1) as f64;
        let classic = bits / load.min(all) * LN_2;
        // Where all keys are in the block that counts, there are no others.
        let curved = if load < all {
            CURVED * classic * classic
        } else {
            0.0
        };
        // To the nearest; casting saturates.
        let classic = ((classic + curved + 0.5) as u32).min(*L::HASHES.end());
        let load = load.min(all);
        let is_beyond =
            |k: &u32| f64::from(*k) * about_log2(bits / (f64::from(*k) * load)) > BEYOND;
        L::HASHES
            .take_while(|k| *k < classic)
            .find(is_beyond)
            .unwrap_or(classic.max(*L::HASHES.start()))
    }

    fn fpr(&mut self, hashes: u32, blocks: u64) -> f64 {
        let keys = self.keys;
        *self.known.entry((hashes, blocks)).or_insert_with(|| {
            let of = |curves: &Curves<L>| curves.hashes().contains(&hashes);
            let at = self.curves.iter().position(of).unwrap_or_else(|| {
                // Its neighbours are asked next, and theirs where the start is less exact: the
                // fastest of six ways to choose them, over 6,000 specs.
                let (least, most) = L::HASHES.into_inner();
                let below = if hashes > 4 { 2 } else { 1 };
                let above = if hashes > 2 { 2 } else { 1 };
                let near = least.max(hashes.saturating_sub(below))..=most.min(hashes + above);
                self.curves.push(Curves::of(near));
                self.curves.len() - 1
            });
            self.curves[at].expected_fpr(hashes, keys, blocks)
        })
    }
}

/// The most keys with which so many blocks keep the mean FPR at or below `fpr`;
/// starting near `guess` saves time.
pub(crate) fn keys_until_fpr<L: Layout>(layout: L, blocks: u64, fpr: f64, guess: u64) -> u64 {
    let (hashes, mut curve) = (layout.hashes(), Curves::alone(layout));
    smallest(guess, |keys| curve.expected_fpr(hashes, keys, blocks) > fpr) - 1
}

/// The fewest blocks, up to [`MOST`], with which `fpr`, which must fall with them, is at
/// most `target`; [`MOST`] if there are none.
///
/// An FPR is about a power of its filter's size: its logarithm goes as the size does. So
/// the next number of blocks is where a line through the last two crosses the target,
/// beyond them as long as none has met it; and a middle, or a stride that grows, where the
/// line gets nowhere: where an FPR counts as 1 it is flat.
fn fewest(guess: u64, target: f64, mut fpr: impl FnMut(u64) -> f64) -> u64 {
    let wanted = about_log2(target);
    // No blocks have an FPR of 1, whose logarithm is 0.
    let mut last = (0, 0.0);
    let (mut from, mut to) = (0, None);
    let mut blocks = guess.clamp(1, MOST);
    let mut steps = 0_u32;
    loop {
        let fpr = fpr(blocks);
        if fpr <= target {
            // From 0 again once it is between two.
            steps = if to.is_none() { 0 } else { steps };
            to = Some(blocks);
        } else if blocks == MOST {
            return MOST;
        } else {
            from = blocks;
        }
        let most = to.unwrap_or(MOST);
        if most - from <= 1 {
            return most;
        }
        let (here, reached) = (blocks as f64, about_log2(fpr));
        let (before, before_reached) = last;
        let run = (before as f64 - here) * (wanted - reached) / (before_reached - reached);
        // Casting saturates; NaN becomes the least.
        let crossing = ((here + run) as u64).saturating_add(1);
        last = (blocks, reached);
        steps += 1;
        blocks = match to {
            None => {
                let stride = 1 << (steps / 2).min(61);
                let most = from.saturating_mul(2).clamp(from + 1, MOST);
                crossing
                    .saturating_add(stride)
                    .clamp(from + stride.min(most - from), most)
            }
            // So that a curve does not force single steps.
            Some(to) if steps.is_multiple_of(4) || !run.is_finite() => from + (to - from) / 2,
            Some(to) => crossing.clamp(from + 1, to - 1),
        };
    }
}

/// The binary logarithm of a number that is not negative, to 0.09, for guesses: the
/// exponent, and the fraction as it is in the bits. Rises with its number.
fn about_log2(x: f64) -> f64 {
    x.to_bits() as f64 / (1u64 << 52) as f64 - 1_023.0
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
mod tests;
