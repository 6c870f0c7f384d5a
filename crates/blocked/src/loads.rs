//! The FPR of one block as a function of the number of its keys, in closed form.

use alloc::{vec, vec::Vec};
use core::{array::from_fn, ops::RangeInclusive};

use bouquet_core::math::with_hash_floor;

/// A block's FPR counts as 1 if it is at least this.
const CERTAIN: f64 = 1.0 - 1e-12;

/// The FPR of a block with 0, 1, 2 … keys, as far as it was computed.
#[derive(Clone, Debug, Default)]
pub struct Known(Vec<f64>);

impl Known {
    pub(crate) fn get(&self, load: u64) -> Option<f64> {
        let known = self.0.get(load as usize).copied();
        known.or(self.is_certain().then_some(1.0))
    }

    /// Whether all following values are 1.
    fn is_certain(&self) -> bool {
        self.0.last().is_some_and(|fpr| *fpr >= 1.0)
    }

    fn push(&mut self, fpr: f64) {
        if !self.is_certain() {
            self.0.push(if fpr < CERTAIN { fpr } else { 1.0 });
        }
    }
}

/// Computes the FPR of a block with 0, 1, 2 … keys: the mean over all sets of keys.
pub trait Loads {
    /// Appends the FPRs for a few more keys to the known values of each number of hashes.
    fn extend(&mut self, known: &mut [Known]);
}

/// The number of values that are appended at a time for layouts of words.
const KEYS: usize = 4;

/// The FPR of a block of eight words with one slot of a key in each: (1 - (1 - 1/b)^i)^8 with i
/// keys, for words of b bits. Exact, because the words are independent.
#[derive(Clone, Debug)]
pub struct WordLoads {
    word_bits: f64,
    /// The mean share of a word's bits that are set.
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

impl Loads for WordLoads {
    fn extend(&mut self, known: &mut [Known]) {
        // These layouts have only one possible number of hashes.
        for known in known {
            for _ in 0..KEYS {
                let to_the_4th = (self.fill * self.fill) * (self.fill * self.fill);
                self.fill += (1.0 - self.fill) / self.word_bits;
                known.push(to_the_4th * to_the_4th);
            }
        }
    }
}

/// The FPR of a block of b bits with the k slots of a key anywhere, repeats allowed, for
/// several numbers k.
///
/// Exact: the block is a classic filter of b bits, and the result equals
/// [`expected_fpr`](bouquet_core::math::expected_fpr), which explains the recurrence. The
/// probability that j given slots are all set depends on the number of throws, not on k. So the
/// same throws are used for every k; each further key needs its value k throws later.
///
/// The k slots of a key come from one 64-bit word: a non-member that has the same word as a key
/// in its block hits all of that key's slots, however many they are, and however wide the hash
/// is that picked the block. So the FPR is never below 2^-64 per key. While the k slots are
/// independent parts of the word, that probability is already included.
#[derive(Clone, Debug)]
pub struct LineLoads {
    /// Element j - 1: the probability that a throw hits one of j given slots, and that it hits
    /// none.
    chances: Vec<(Strip, Strip)>,
    /// Element j - 1 of row t: the probability that j given slots are all set, `t` throws after
    /// the throws of the rows computed before. A row has as many strips as `chances`.
    set: Vec<Strip>,
    curves: Vec<Curve>,
    /// The largest number of hashes for which the slots are independent parts of a word.
    parts: u32,
}

/// The progress of the computation for blocks with k slots per key.
#[derive(Clone, Debug)]
struct Curve {
    hashes: u32,
    /// Element j - 1: the probability that the k probes of a key hit j different slots.
    met: Vec<f64>,
    keys: u64,
    /// The row that belongs to this number of keys.
    row: usize,
}

/// Adjacent values that are computed together, in registers.
type Strip = [f64; STRIP];
const STRIP: usize = 16;

/// The number of throws that are computed at a time: the throws of a few keys.
const THROWS: usize = 64;

impl LineLoads {
    pub(crate) fn new(block_bits: u64, hashes: RangeInclusive<u32>, parts: u32) -> Self {
        let strips = (*hashes.end() as usize).div_ceil(STRIP);
        let share = |j: usize| (j + 1) as f64 / block_bits as f64;
        let chances = (0..strips).map(|strip| {
            let share: Strip = from_fn(|j| share(strip * STRIP + j));
            (share, share.map(|share| 1.0 - share))
        });
        let mut met = vec![1.0];
        let mut curves = Vec::new();
        for k in 1..=*hashes.end() {
            if hashes.contains(&k) {
                curves.push(Curve {
                    hashes: k,
                    met: met.clone(),
                    keys: 0,
                    row: 0,
                });
            }
            // One more probe, so at most one more slot.
            met.push(0.0);
            for j in (1..met.len()).rev() {
                met[j] = met[j] * share(j) + met[j - 1] * (1.0 - share(j - 1));
            }
            met[0] *= share(0);
        }
        Self {
            chances: chances.collect(),
            set: vec![[0.0; STRIP]; (THROWS + 1) * strips],
            curves,
            parts,
        }
    }

    /// Computes all rows after the first. After a throw, j slots are all set if it hits one of
    /// them and the other j - 1 were set, or if it hits none of them and all were set.
    fn throw(&mut self) {
        let strips = self.chances.len();
        for (strip, (share, none)) in self.chances.iter().enumerate() {
            // The value left of the strip in a row; the probability for j = 0 slots is 1.
            let below = |row: &[Strip]| strip.checked_sub(1).map_or(1.0, |at| row[at][STRIP - 1]);
            let mut rows = self.set.chunks_exact_mut(strips);
            let Some(first) = rows.next() else { return };
            let (mut set, mut before) = (first[strip], below(first));
            for row in rows {
                let less: Strip = from_fn(|j| if j == 0 { before } else { set[j - 1] });
                set = from_fn(|j| set[j] * none[j] + less[j] * share[j]);
                before = below(row);
                row[strip] = set;
            }
        }
    }
}

impl Loads for LineLoads {
    fn extend(&mut self, known: &mut [Known]) {
        self.throw();
        let strips = self.chances.len();
        for (curve, known) in self.curves.iter_mut().zip(known) {
            while curve.row < THROWS {
                let fpr = product(&curve.met, self.set[curve.row * strips..].as_flattened());
                known.push(if curve.hashes <= self.parts {
                    fpr
                } else {
                    with_hash_floor(fpr, curve.keys, u64::BITS)
                });
                curve.keys += 1;
                curve.row += curve.hashes as usize;
            }
            curve.row -= THROWS;
        }
        self.set.copy_within(THROWS * strips.., 0);
    }
}

/// The scalar product of `a` and `b`, four elements at a time.
fn product(a: &[f64], b: &[f64]) -> f64 {
    let ((a, rest), (b, rest_of_b)) = (a.as_chunks::<4>(), b[..a.len()].as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        for j in 0..4 {
            sums[j] += a[j] * b[j];
        }
    }
    let rest: f64 = rest.iter().zip(rest_of_b).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use bouquet_core::math::expected_fpr;

    use super::*;
    use crate::math::mean_over_loads;

    /// With this many keys, the binomial distribution equals the Poisson distribution.
    const MANY: u64 = 1 << 40;

    /// For each number of hashes, the FPRs of a block with 0, 1, 2 … keys: `count` values, or
    /// up to the first value of 1.
    fn fprs(count: usize, numbers: usize, mut loads: impl Loads) -> Vec<Vec<f64>> {
        let mut known = vec![Known::default(); numbers];
        let lacks = |known: &Known| known.0.len() < count && !known.is_certain();
        while known.iter().any(lacks) {
            loads.extend(&mut known);
        }
        known.into_iter().map(|known| known.0).collect()
    }

    /// A block whose slots count as independent for any number of hashes.
    fn one_line(block_bits: u64, hashes: RangeInclusive<u32>) -> LineLoads {
        LineLoads::new(block_bits, hashes, u32::MAX)
    }

    fn close(got: f64, want: f64, tolerance: f64, what: &str) {
        assert!(
            (got - want).abs() <= tolerance * want,
            "{what}: {got} {want}"
        );
    }

    /// The mean FPR with `keys` keys at `bits_per_key`, in whole blocks.
    fn fpr(block_bits: u64, keys: u64, bits_per_key: u64, loads: impl Loads) -> f64 {
        let known = &fprs(2_000, 1, loads)[0];
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
                    "blocked_iid" => fpr(block, keys, bits, one_line(block, k..=k)),
                    "sbbf_8x32" => fpr(block, keys, bits, WordLoads::new(32)),
                    "split_8x64" => fpr(block, keys, bits, WordLoads::new(64)),
                    // Layouts that this crate does not offer.
                    _ => continue,
                };
                // The reference values have 10 significant digits.
                close(got, number(column), 5.1e-10, line);
                rows += 1;
            }
        }
        assert_eq!(rows, 2 * (52 + 9 + 6));
    }

    #[test]
    fn a_line_is_a_classic_filter_of_512_bits() {
        for k in [1, 2, 7, 13, 40, 64] {
            let all = fprs(200, 1, one_line(512, k..=k)).remove(0);
            assert!(all.len() > 100);
            for (got, load) in all.into_iter().zip(0..200) {
                let want = expected_fpr(512, k, load);
                close(got, want, 1e-12, "k and load");
            }
        }
    }

    #[test]
    fn neighbours_have_to_the_bit_what_each_has_alone() {
        for hashes in [1..=2, 6..=8, 15..=17, 31..=33, 62..=64, 1..=64] {
            let together = fprs(200, hashes.clone().count(), one_line(512, hashes.clone()));
            for (k, got) in hashes.zip(together) {
                let alone = &fprs(200, 1, one_line(512, k..=k))[0];
                let common = got.len().min(alone.len());
                assert!(common > 100, "{k}");
                assert_eq!(got[..common], alone[..common], "{k}");
            }
        }
    }

    #[test]
    fn hashes_from_one_word_are_never_below_its_floor() {
        let alone = &fprs(3, 1, one_line(512, 64..=64))[0];
        let of_a_word = &fprs(3, 1, LineLoads::new(512, 64..=64, 7))[0];
        let floor = 1.0 / (1u128 << 64) as f64;
        assert!(alone[1] < floor * 1e-6);
        close(of_a_word[1], floor, 1e-6, "one key");
        close(of_a_word[2], 2.0 * floor, 1e-6, "two keys");
    }

    #[test]
    fn one_key_in_a_block() {
        for (word_bits, ways) in [(64, 1u64 << 48), (32, 1 << 40)] {
            let first = &fprs(2, 1, WordLoads::new(word_bits))[0];
            assert_eq!(first[..2], [0.0, 1.0 / ways as f64]);
        }
    }
}
