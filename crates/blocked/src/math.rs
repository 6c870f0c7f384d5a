//! The closed forms of blocked filters.
//!
//! From: Putze, Sanders and Singler, "Cache-, hash- and space-efficient Bloom
//! filters" (WEA 2007; ACM JEA 14, 2009, section 3): the FPR of a blocked filter
//! is the mean, over the number of keys in a block, of the FPR of one block.
//! They take that number as Poisson, which is its limit for many blocks.
//! Here it is binomial, which is exact: n keys, each in this block with probability 1/B. So the
//! mean is exact for 1, 2 and 3 blocks too.

use alloc::{vec, vec::Vec};

use bouquet_core::math::with_hash_floor;

use crate::Layout;

/// From here on a block's FPR counts as 1.
const CERTAIN: f64 = 1.0 - 1e-12;
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

/// The FPR of a block by the number of its keys, computed on demand.
pub(crate) struct Curve<L: Layout> {
    loads: L::Loads,
    known: Vec<f64>,
}

impl<L: Layout> Curve<L> {
    pub(crate) fn new(layout: L) -> Self {
        Self {
            loads: layout.loads(),
            known: Vec::new(),
        }
    }

    /// The mean FPR of a filter of `blocks` blocks with `keys` keys.
    pub(crate) fn expected_fpr(&mut self, keys: u64, blocks: u64) -> f64 {
        mean_over_loads(keys, blocks, |load| self.block_fpr(load))
    }

    #[inline]
    fn block_fpr(&mut self, load: u64) -> f64 {
        match self.known.get(load as usize) {
            Some(fpr) => *fpr,
            None => self.extended(load),
        }
    }

    /// The FPR of a block with more keys than were asked for before.
    #[cold]
    #[inline(never)]
    fn extended(&mut self, load: u64) -> f64 {
        let mut last = self.known.last().copied().unwrap_or(0.0);
        while self.known.len() as u64 <= load && last < 1.0 {
            last = self
                .loads
                .next()
                .filter(|fpr| *fpr < CERTAIN)
                .unwrap_or(1.0);
            self.known.push(last);
        }
        last
    }
}

/// The FPR of a block of eight words with one slot of a key in each, with 0, 1,
/// 2 … keys: (1 - (1 - 1/b)^i)^8 for words of b bits. Exact, because the words are
/// independent.
#[derive(Clone, Debug)]
pub struct WordLoads {
    word_bits: f64,
    /// The mean share of a word that is set.
    fill: f64,
}

impl WordLoads {
    pub(crate) fn new(word_bits: u32) -> Self {
        Self {
            word_bits: f64::from(word_bits),
            fill: 0.0,
        }
    }
}

impl Iterator for WordLoads {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let to_the_4th = (self.fill * self.fill) * (self.fill * self.fill);
        self.fill += (1.0 - self.fill) / self.word_bits;
        Some(to_the_4th * to_the_4th)
    }
}

/// The FPR of a block with k slots of a key anywhere in b bits, repeats
/// allowed, with 0, 1, 2 … keys.
///
/// Exact: it is that of a classic filter of b bits, and equals
/// [`expected_fpr`](bouquet_core::math::expected_fpr), which explains the
/// recurrence. That takes the throws all at once; here every number of keys is
/// wanted, one after the other, at k^2 operations each.
#[derive(Clone, Debug)]
pub struct LineLoads {
    /// Element j - 1: the probability that a key's k probes meet j different slots.
    met: Vec<f64>,
    /// Element j - 1: the probability that j given slots are all set.
    set: Vec<Strip>,
    /// Element j - 1 of row i: the probability that a key's k throws leave exactly i of j
    /// given slots unmet, which must have been set before.
    unmet: Vec<Strip>,
}

/// Neighbours that are computed together, in registers.
type Strip = [f64; STRIP];
const STRIP: usize = 8;

impl LineLoads {
    pub(crate) fn new(block_bits: u64, hashes: u32) -> Self {
        let (m, k) = (block_bits as f64, hashes as usize);
        let share: Vec<f64> = (1..=hashes).map(|j| f64::from(j) / m).collect();
        Self {
            met: different_slots(&share, k),
            set: vec![[0.0; STRIP]; k.div_ceil(STRIP)],
            unmet: unmet_slots(&share, k),
        }
    }

    fn insert(&mut self) {
        let strips = self.set.len();
        // From the last strip on: each needs those before it as they were.
        for strip in (0..strips).rev() {
            let mut rows = self.unmet[strip..].iter().step_by(strips);
            let mut now = rows.next().copied().unwrap_or_default();
            let before = self.set[..=strip].as_flattened();
            for (unmet, set) in rows.zip(before) {
                for j in 0..STRIP {
                    now[j] += unmet[j] * set;
                }
            }
            self.set[strip] = now;
        }
    }
}

/// Element j - 1 of row i: the probability that k throws leave exactly i of j given slots
/// unmet, from the probability `share` of each to meet one of j.
fn unmet_slots(share: &[f64], k: usize) -> Vec<Strip> {
    let strips = k.div_ceil(STRIP);
    // One row more, of what cannot be.
    let mut all = vec![[0.0; STRIP]; (k + 2) * strips];
    // Before a throw all are unmet.
    for i in 1..=k {
        all[i * strips..].as_flattened_mut()[i - 1] = 1.0;
    }
    for throws in 1..=k {
        for i in 0..=k {
            // Of i unmet slots none is met, or of i + 1 one is.
            let stays = 1.0 - i.checked_sub(1).map_or(0.0, |before| share[before]);
            let met = share.get(i).copied().unwrap_or(0.0);
            let (row, next) = all[i * strips..].split_at_mut(strips);
            // j is from i to i and a slot for each throw.
            let strips = i.saturating_sub(1) / STRIP..(i + throws).min(k).div_ceil(STRIP);
            for (row, next) in row[strips.clone()].iter_mut().zip(&next[strips]) {
                for j in 0..STRIP {
                    row[j] = row[j] * stays + next[j] * met;
                }
            }
        }
    }
    all.truncate((k + 1) * strips);
    all
}

/// Element j - 1: the probability that k probes meet j different slots, from the probability
/// `share` of each to meet one of j.
fn different_slots(share: &[f64], k: usize) -> Vec<f64> {
    let mut met = vec![0.0; k];
    met[0] = 1.0;
    for probes in 1..k {
        // As many slots as probes at most.
        for j in (1..=probes).rev() {
            met[j] = met[j] * share[j] + met[j - 1] * (1.0 - share[j - 1]);
        }
        met[0] *= share[0];
    }
    met
}

impl Iterator for LineLoads {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let set = self.set.as_flattened();
        let fpr = self.met.iter().zip(set).map(|(met, set)| met * set).sum();
        self.insert();
        Some(fpr)
    }
}

/// The FPR of a block whose keys draw their k slots from one word of 64 bits
/// each: a non-member with the word of a key in its block hits all its slots,
/// however many they are, and however wide the hash is that picked the block.
///
/// So it never falls below 2^-64 per key. As long as the word has k independent
/// parts that probability is included in that of [`LineLoads`].
#[derive(Clone, Debug)]
pub struct OneWordLoads {
    loads: LineLoads,
    /// Keys of the next block, or always 0 if equal words are counted already.
    keys: u64,
    step: u64,
}

impl OneWordLoads {
    pub(crate) fn new(loads: LineLoads, independent: bool) -> Self {
        Self {
            loads,
            keys: 0,
            step: u64::from(!independent),
        }
    }
}

impl Iterator for OneWordLoads {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        let fpr = with_hash_floor(self.loads.next()?, self.keys, u64::BITS);
        self.keys += self.step;
        Some(fpr)
    }
}

#[cfg(test)]
mod tests {
    use bouquet_core::math::expected_fpr;

    use super::*;
    use crate::{Line, Words32, Words64};

    /// So many keys that the binomial is Poisson.
    const MANY: u64 = 1 << 40;

    fn close(got: f64, want: f64, tolerance: f64, what: &str) {
        assert!(
            (got - want).abs() <= tolerance * want,
            "{what}: {got} {want}"
        );
    }

    /// The mean FPR with `keys` keys at `bits_per_key`, to whole blocks.
    fn fpr(block_bits: u64, keys: u64, bits_per_key: u64, loads: impl Iterator<Item = f64>) -> f64 {
        let known: Vec<f64> = loads.take(2_000).collect();
        let blocks = keys as f64 * bits_per_key as f64 / block_bits as f64;
        mean_over_loads(keys, blocks.round_ties_even() as u64, |load| {
            known.get(load as usize).copied().unwrap_or(1.0)
        })
    }

    #[test]
    fn reference_rows_match() {
        let mut rows = 0;
        let csv = include_str!("../tests/data/blocked_fpr.csv");
        for line in csv.lines().skip(1) {
            let cell: Vec<&str> = line.split(',').collect();
            let number = |i: usize| cell[i].parse::<f64>().unwrap();
            let (block, k, bits) = (number(1) as u64, number(2) as u32, number(3) as u64);
            for (keys, column) in [(MANY, 4), (10_000, 5)] {
                let got = match cell[0] {
                    "blocked_iid" => fpr(block, keys, bits, LineLoads::new(block, k)),
                    "sbbf_8x32" => fpr(block, keys, bits, WordLoads::new(32)),
                    "split_8x64" => fpr(block, keys, bits, WordLoads::new(64)),
                    // Layouts that are not offered.
                    _ => continue,
                };
                // The reference has 10 digits.
                close(got, number(column), 5.1e-10, line);
                rows += 1;
            }
        }
        assert_eq!(rows, 2 * (52 + 9 + 6));
    }

    #[test]
    fn a_line_is_a_classic_filter_of_512_bits() {
        for k in [1, 2, 7, 13, 40, 64] {
            for (load, got) in LineLoads::new(512, k).enumerate().take(200) {
                let want = expected_fpr(512, k, load as u64);
                close(got, want, 1e-12, "k and load");
            }
        }
    }

    #[test]
    fn one_key_in_a_block() {
        let first = |layout: WordLoads| layout.take(2).collect::<Vec<_>>();
        assert_eq!(first(WordLoads::new(64)), [0.0, 1.0 / (1u64 << 48) as f64]);
        assert_eq!(first(WordLoads::new(32)), [0.0, 1.0 / (1u64 << 40) as f64]);
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
            let known: Vec<f64> = layout.loads().take(301).collect();
            let mut curve = Curve::new(layout);
            for blocks in [1, 2, 3, 10, 1_000] {
                for keys in [1, 2, 3, 10, 50, 300] {
                    let want = by_triangle(keys, blocks, |load| known[load as usize]);
                    close(curve.expected_fpr(keys, blocks), want, 1e-12, "few blocks");
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
        let mut curve = Curve::new(Words64);
        assert_eq!(curve.expected_fpr(0, 1), 0.0);
        assert_eq!(curve.expected_fpr(0, 1 << 39), 0.0);
        for blocks in [1, 2, 1_000, 1 << 39] {
            assert_eq!(curve.expected_fpr(u64::MAX, blocks), 1.0);
        }
        // One key, hit by a non-member in its block and there in its mask.
        let want = 1.0 / (1u64 << 48) as f64 / (1u64 << 39) as f64;
        close(curve.expected_fpr(1, 1 << 39), want, 1e-14, "one key");
        let mut last = 0.0;
        for keys in (0..40_000).step_by(10) {
            let now = curve.expected_fpr(keys, 3);
            assert!(now >= last * (1.0 - 1e-12) && now <= 1.0, "{keys} {now}");
            last = now;
        }
        assert_eq!(last, 1.0);
        let mut slow = Curve::new(Line::new(1).unwrap());
        close(slow.expected_fpr(100_000, 2), 1.0, 1e-12, "k = 1");
    }
}
