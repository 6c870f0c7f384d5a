//! The search for a size by means of the closed forms.

mod closed;
mod few;
mod one_k;
mod tabled;

pub(crate) use closed::ClosedForm;
pub(crate) use few::{LINE, Row};
pub(crate) use tabled::of_line;

use alloc::{collections::BTreeMap, vec::Vec};
use core::f64::consts::LN_2;

use crate::{Layout, math::Curves};

/// The end of a search: far above every size and number of keys that may be requested.
const MOST: u64 = 1 << 62;

/// The number of steps of Newton's method: enough for an accuracy of a tenth of a key, from
/// every mean.
const NEWTON: u32 = 6;
/// The best k exceeds the classic k of those blocks that cause most false positives, by about
/// this factor times the square of the classic k. Fitted to 20,000 specs; the search starts
/// there, so a wrong value costs only time.
const CURVED: f64 = 0.006;
/// An FPR below 2^-`BEYOND` is negligible beside the 2^-64 of equal hashes.
const BEYOND: f64 = 64.0 + 53.0;

/// The FPR curves of a layout for several numbers of hashes, to choose the best number.
pub(crate) struct Sizing<L: Layout> {
    keys: u64,
    curves: Vec<Curves<L>>,
    /// The FPRs computed so far, by number of hashes and number of blocks.
    known: BTreeMap<(u32, u64), f64>,
    /// The number of hashes with which the next search starts.
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

    /// What [`fewest_blocks`](Self::fewest_blocks) finds, without a guess; `None` where that takes
    /// one.
    pub(crate) fn at_once(&self, target_fpr: f64) -> Option<(u64, L)> {
        let few = self.of_few(target_fpr);
        few.or_else(|| self.of_one_k(target_fpr))
    }

    /// The smallest number of blocks that keeps the FPR at or below `target_fpr`, with the best
    /// layout for it; a good `guess` saves time.
    pub(crate) fn fewest_blocks(&mut self, target_fpr: f64, guess: u64) -> (u64, L) {
        let short = self.by_closed_form(target_fpr, guess);
        short.unwrap_or_else(|| self.by_loads(target_fpr, guess))
    }

    /// Searches with one number of hashes, close to the best; then repeats the search while
    /// another number of hashes meets the target with one block less.
    fn by_loads(&mut self, target_fpr: f64, guess: u64) -> (u64, L) {
        let mut guess = self.nearer(guess.clamp(1, MOST), target_fpr);
        let mut hashes = self.start(guess);
        loop {
            let blocks = fewest(guess, target_fpr, |blocks| self.fpr(hashes, blocks));
            let has_choice = L::HASHES.start() < L::HASHES.end();
            if blocks == MOST && guess < MOST && has_choice {
                // With this many hashes no size meets the target: the guess was far too small.
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
            // The FPR with one block less is known from `fewest`.
            self.last_best = Some(hashes);
            let (with_less, fpr) = self.best(guess);
            if fpr > target_fpr {
                return (blocks, layout);
            }
            hashes = with_less.hashes();
        }
    }

    /// Whether no other number of hashes meets the target with `blocks` blocks, and so none
    /// with fewer blocks. The FPR has a single minimum, so it is enough to look at the two
    /// adjacent numbers, whose FPRs [`best`](Self::best) has just computed.
    fn only(&self, hashes: u32, blocks: u64, target_fpr: f64) -> bool {
        let is_above = |other: u32| match self.known.get(&(other, blocks)) {
            Some(fpr) => *fpr > target_fpr,
            None => !L::HASHES.contains(&other),
        };
        is_above(hashes - 1) && is_above(hashes + 1)
    }

    /// Improves the guess, so that a layout with several numbers of hashes starts its search
    /// with a number that is close to the final one.
    fn nearer(&mut self, guess: u64, target_fpr: f64) -> u64 {
        if L::HASHES.start() == L::HASHES.end() {
            return guess;
        }
        let reached = self.fpr(self.start(guess), guess);
        let times = about_log2(target_fpr) / about_log2(reached);
        // The cast saturates; NaN becomes 0.
        let blocks = ((guess as f64 * times) as u64).saturating_add(1);
        blocks.clamp(guess.div_ceil(2), guess.saturating_mul(2).min(MOST))
    }

    /// The layout with the lowest FPR with `blocks` blocks, and that FPR; ties go to fewer
    /// hashes.
    ///
    /// Walks down and up from a start, because the FPR has a single minimum.
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

    /// Approximately the best number of hashes: that of a classic filter with the fill of those
    /// blocks that cause most false positives. With very few keys it is the smallest number
    /// with which practically all false positives are due to equal hashes.
    ///
    /// With the best number of hashes for i keys in b bits, the logarithm of the FPR rises by
    /// (b ln^2 2) / i^2 from i to i + 1 keys, and that of the Poisson weight falls by ln(i /
    /// mean). Where the two are equal, the product of FPR and weight is largest.
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
        // If all keys are in the block that matters, there is no correction for other blocks.
        let curved = if load < all {
            CURVED * classic * classic
        } else {
            0.0
        };
        // Rounds to the nearest; the cast saturates.
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
                // The adjacent numbers are needed next, and the numbers after them if the start
                // is less exact. This choice was the fastest of six, measured on 6,000 specs.
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

/// The largest number of keys with which `blocks` blocks keep the mean FPR at or below `fpr`; a
/// good `guess` saves time.
pub(crate) fn keys_until_fpr<L: Layout>(layout: L, blocks: u64, fpr: f64, guess: u64) -> u64 {
    let (hashes, mut curve) = (layout.hashes(), Curves::alone(layout));
    smallest(guess, |keys| curve.expected_fpr(hashes, keys, blocks) > fpr) - 1
}

/// The smallest number of blocks, up to [`MOST`], for which `fpr` is at most `target`; [`MOST`]
/// if there is none. `fpr` must fall as the number of blocks rises.
///
/// The logarithm of an FPR is about linear in the size of the filter. So the next number of
/// blocks is where a line through the last two points crosses the target; while no number has
/// met the target, the search goes beyond that. Where the line does not help, because the FPR
/// counts as 1 and is flat, the search bisects or takes growing strides.
fn fewest(guess: u64, target: f64, mut fpr: impl FnMut(u64) -> f64) -> u64 {
    let wanted = about_log2(target);
    // A filter of 0 blocks has an FPR of 1, whose logarithm is 0.
    let mut last = (0, 0.0);
    let (mut from, mut to) = (0, None);
    let mut blocks = guess.clamp(1, MOST);
    let mut steps = 0_u32;
    loop {
        let fpr = fpr(blocks);
        if fpr <= target {
            // Counts steps from 0 again once the answer is bracketed.
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
        // The cast saturates; NaN becomes 0.
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
            // Every fourth step bisects, so that no curve can force single steps.
            Some(to) if steps.is_multiple_of(4) || !run.is_finite() => from + (to - from) / 2,
            Some(to) => crossing.clamp(from + 1, to - 1),
        };
    }
}

/// The binary logarithm of a non-negative number, with an error of at most 0.09, for guesses:
/// the exponent plus the fraction bits as they are. It rises with `x`.
fn about_log2(x: f64) -> f64 {
    x.to_bits() as f64 / (1u64 << 52) as f64 - 1_023.0
}

/// The smallest number from 1 to [`MOST`] for which `holds` is true; [`MOST`] if there is none
/// below it. `holds` must stay true above that number. The search doubles its stride from
/// `guess` until it has bracketed the number, then bisects.
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
