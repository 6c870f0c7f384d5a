//! The locations that are looked at.

use crate::schemes::{Locator, Part};

/// The range is cut into so many equal regions, each of which must be met.
pub const REGIONS: u64 = 1_024;

/// Regions, high-order bins and residues are counted over so many keys: each
/// region is met 64 times and more.
const COUNTED: u64 = 1 << 16;

/// Sets of locations are compared over so many: a hash of 32 bits gives two
/// keys the same set 32 times.
const COMPARED: u64 = 1 << 19;

/// Draws of one value among so many are compared for equality.
const DRAWS: u64 = 1 << 19;

/// The same where 32 bits times m show in nothing else: see [`draws`].
const MANY_DRAWS: u64 = 1 << 23;

/// Parts with fewer values than this are looked at by their bins alone.
const MANY_VALUES: u64 = 1 << 20;

/// Moduli of the residues.
pub const MODULI: [u64; 5] = [2, 3, 5, 7, 64];

/// The most bins of a part.
const BINS: u64 = 256;

/// What is wrong with a locator before any statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortfall {
    /// A location at or above m, or before its part.
    Outside,
    /// A key without its k locations.
    Count,
}

/// Of which each of [`MODULI`] is a divisor: one division tells them all.
const MULTIPLE: u64 = 64 * 3 * 5 * 7;

/// How often each bin and residue was met, for one part and probe.
pub struct Tally {
    pub part: Part,
    pub probe: u32,
    pub bins: Vec<u64>,
    /// Of the residues mod [`MULTIPLE`].
    met: Vec<u64>,
}

/// Pairs of equal values among draws of a part, all its probes together.
pub struct Pairs {
    pub draws: u64,
    pub values: u64,
    pub equal: u64,
}

/// What is left of the locations of some hundred thousand keys.
pub struct Sample {
    pub keys: u64,
    pub tallies: Vec<Tally>,
    pub pairs: Vec<Pairs>,
    pub regions_met: u64,
    /// Pairs of keys with all locations the same.
    pub same_sets: u64,
}

impl Pairs {
    /// How many are equal by chance.
    pub fn expected(&self) -> f64 {
        let draws = self.draws as f64;
        draws * (draws - 1.0) / 2.0 / self.values as f64
    }
}

impl Sample {
    /// Pairs of equal values in all parts.
    pub fn equal_pairs(&self) -> u64 {
        self.pairs.iter().map(|pairs| pairs.equal).sum()
    }

    /// How many there are by chance.
    pub fn expected_pairs(&self) -> f64 {
        self.pairs.iter().map(Pairs::expected).sum()
    }

    /// Asks a locator for its locations.
    ///
    /// # Errors
    ///
    /// What makes statistics pointless.
    pub fn take(locator: &dyn Locator) -> Result<Self, Shortfall> {
        let mut tallies = tallies(locator);
        let mut regions = vec![false; REGIONS as usize];
        let region = (locator.slots() / REGIONS).max(1);
        let mut sets = Vec::with_capacity(COMPARED as usize);
        let mut draws = draws(locator);
        let keys = draws
            .iter()
            .map(|draws| draws.keys)
            .fold(COMPARED, u64::max);
        let mut slots = Vec::new();
        for key in 0..keys {
            locations(locator, key, &mut slots)?;
            if key < COMPARED {
                sets.push(slots.iter().fold(0, with_slot));
            }
            if key < COUNTED {
                for &slot in &slots {
                    // What the division leaves over is the last region's.
                    regions[(slot / region).min(REGIONS - 1) as usize] = true;
                }
                tallies.iter_mut().for_each(|tally| tally.count(&slots));
            }
            for draws in draws.iter_mut().filter(|draws| key < draws.keys) {
                draws.add(&slots);
            }
        }
        Ok(Self {
            keys: COMPARED,
            tallies,
            pairs: draws.into_iter().map(Draws::pairs).collect(),
            regions_met: regions.iter().filter(|met| **met).count() as u64,
            same_sets: equal_pairs(sets),
        })
    }
}

/// The locations of the key of this number, which must be k below m, none
/// before a part that it draws.
fn locations(locator: &dyn Locator, key: u64, slots: &mut Vec<u64>) -> Result<(), Shortfall> {
    slots.clear();
    locator.locate(&key.to_le_bytes(), &mut |slot| slots.push(slot));
    if slots.len() != locator.probes() as usize {
        return Err(Shortfall::Count);
    }
    let end = locator.slots();
    if slots.iter().any(|slot| *slot >= end) {
        return Err(Shortfall::Outside);
    }
    for part in locator.parts().iter().filter(|part| part.first > 0) {
        let own = &slots[part.probes.start as usize..part.probes.end as usize];
        if own.iter().any(|slot| *slot < part.first) {
            return Err(Shortfall::Outside);
        }
    }
    Ok(())
}

/// A multiplier whose high bits depend on all bits of what it multiplies: 2^64
/// over the golden ratio (Knuth, TAOCP volume 3, section 6.4).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// One slot more of a set that is known by a hash of 64 bits.
fn with_slot(set: u64, slot: &u64) -> u64 {
    (set.rotate_left(29) ^ slot).wrapping_mul(GOLDEN)
}

/// Which of `of` equal shares of `values` values this one is in.
///
/// Values are below 2^48 and shares few: the product fits.
fn share(value: u64, of: u64, values: u64) -> usize {
    (value * of / values) as usize
}

fn tallies(locator: &dyn Locator) -> Vec<Tally> {
    let mut tallies = Vec::new();
    for part in locator.parts() {
        for probe in part.probes.clone() {
            tallies.push(Tally {
                part: part.clone(),
                probe,
                bins: vec![0; part.values.min(BINS) as usize],
                met: vec![0; MULTIPLE as usize],
            });
        }
    }
    tallies
}

impl Tally {
    fn count(&mut self, slots: &[u64]) {
        let value = self.part.value(slots[self.probe as usize]);
        let bins = self.bins.len() as u64;
        self.bins[share(value, bins, self.part.values)] += 1;
        self.met[(value % MULTIPLE) as usize] += 1;
    }

    /// How often each residue of a modulus of [`MODULI`] was met.
    pub fn residues(&self, modulus: u64) -> Vec<u64> {
        let mut counts = vec![0; modulus as usize];
        for (residue, met) in (0..).zip(&self.met) {
            counts[(residue % modulus) as usize] += met;
        }
        counts
    }

    /// The share of values in each bin.
    pub fn bin_shares(&self) -> Vec<f64> {
        let (bins, values) = (self.bins.len() as u128, u128::from(self.part.values));
        let first = |bin: u128| (bin * values).div_ceil(bins);
        (0..bins)
            .map(|bin| (first(bin + 1) - first(bin)) as f64 / values as f64)
            .collect()
    }

    /// The share of values of each residue.
    pub fn residue_shares(&self, modulus: u64) -> Vec<f64> {
        let values = self.part.values;
        (0..modulus)
            .map(|residue| {
                let count = values / modulus + u64::from(residue < values % modulus);
                count as f64 / values as f64
            })
            .collect()
    }
}

/// How many draws of values are compared. 32 bits times m, shifted by 32, reach
/// every third slot twice or leave it out for m just below 2^32; only 8 million
/// draws tell.
fn draws_of(values: u64) -> u64 {
    if (1 << 31..1 << 32).contains(&values) && !(values + 1).is_power_of_two() {
        MANY_DRAWS
    } else {
        DRAWS
    }
}

/// The values of a part, of all its probes and the first so many keys.
struct Draws {
    part: Part,
    keys: u64,
    values: Vec<u64>,
}

/// Of every part with many values.
fn draws(locator: &dyn Locator) -> Vec<Draws> {
    let many = locator.parts().iter().filter(|p| p.values >= MANY_VALUES);
    many.map(|part| {
        let probes = part.probes.len() as u64;
        // A part of one probe has as many keys as others have, not as many draws.
        let keys = draws_of(part.values) / probes.max(PROBES_POOLED);
        Draws {
            part: part.clone(),
            keys,
            values: Vec::with_capacity((keys * probes) as usize),
        }
    })
    .collect()
}

impl Draws {
    fn add(&mut self, slots: &[u64]) {
        let own = &slots[self.part.probes.start as usize..self.part.probes.end as usize];
        self.values
            .extend(own.iter().map(|slot| self.part.value(*slot)));
    }

    fn pairs(self) -> Pairs {
        Pairs {
            draws: self.values.len() as u64,
            values: self.part.values,
            equal: equal_pairs(self.values),
        }
    }
}

const PROBES_POOLED: u64 = super::PROBES as u64;

/// Pairs of equal values. Few values share their mark of some bits with another:
/// those alone are sorted.
fn equal_pairs(mut values: Vec<u64>) -> u64 {
    let mut marks = Marks::for_values(values.len());
    values.iter().for_each(|value| marks.add(*value));
    // Without a branch, which no processor would foresee.
    let mut kept = 0;
    for at in 0..values.len() {
        let value = values[at];
        values[kept] = value;
        kept += usize::from(marks.is_shared(value));
    }
    values.truncate(kept);
    values.sort_unstable();
    let runs = values.chunk_by(|a, b| a == b).map(|run| run.len() as u64);
    runs.map(|run| run * (run - 1) / 2).sum()
}

/// Which marks were met, and which twice.
struct Marks {
    shift: u32,
    /// For 32 marks each: met, and met again.
    words: Vec<[u32; 2]>,
}

impl Marks {
    /// Four marks a value: few enough to stay in the cache, and a fifth of the
    /// values is left to sort.
    fn for_values(count: usize) -> Self {
        let bits = (4 * count).next_power_of_two().max(64);
        Self {
            shift: 64 - bits.trailing_zeros(),
            words: vec![[0; 2]; bits / 32],
        }
    }

    fn of(&self, value: u64) -> (usize, u32) {
        let mark = value.wrapping_mul(GOLDEN) >> self.shift;
        ((mark / 32) as usize, 1 << (mark % 32))
    }

    fn add(&mut self, value: u64) {
        let (at, bit) = self.of(value);
        let [met, again] = &mut self.words[at];
        *again |= *met & bit;
        *met |= bit;
    }

    fn is_shared(&self, value: u64) -> bool {
        let (at, bit) = self.of(value);
        self.words[at][1] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pairs_are_counted_by_pairs() {
        assert_eq!(equal_pairs(vec![3, 1, 3, 2, 3, 1]), 4);
        assert_eq!(equal_pairs(Vec::new()), 0);
        // A hundred values twice, fifty of them once more, among 100,000.
        let twice = (0..100).map(|i| i * 7);
        let thrice = twice.clone().take(50);
        let all = (0..100_000).chain(twice).chain(thrice).collect();
        assert_eq!(equal_pairs(all), 50 + 50 * 3);
    }

    #[test]
    fn residues_are_those_of_the_values() {
        let mut tally = Tally {
            part: Part::slot(1, 1 << 40),
            probe: 0,
            bins: vec![0; 8],
            met: vec![0; MULTIPLE as usize],
        };
        let values: Vec<u64> = (0..1_000)
            .map(|i: u64| i.wrapping_mul(GOLDEN) >> 24)
            .collect();
        values.iter().for_each(|value| tally.count(&[*value]));
        for modulus in MODULI {
            let mut want = vec![0; modulus as usize];
            values
                .iter()
                .for_each(|v| want[(v % modulus) as usize] += 1);
            assert_eq!(tally.residues(modulus), want, "{modulus}");
        }
    }

    #[test]
    fn shares_are_of_all_values() {
        let tally = Tally {
            part: Part::slot(1, 1_003),
            probe: 0,
            bins: vec![0; 10],
            met: Vec::new(),
        };
        for shares in [tally.bin_shares(), tally.residue_shares(7)] {
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        // Each value is in the bin whose share counts it.
        let mut counted = [0u64; 10];
        (0..1_003).for_each(|value| counted[share(value, 10, 1_003)] += 1);
        for (count, share) in counted.iter().zip(tally.bin_shares()) {
            assert!((*count as f64 / 1_003.0 - share).abs() < 1e-12);
        }
    }
}
