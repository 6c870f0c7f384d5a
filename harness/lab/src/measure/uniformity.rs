//! Chi-square statistics of locations, one part and one probe index at a time.

mod ranges;

use std::sync::Arc;

use anyhow::Result;

use self::ranges::{Ranges, due};
use super::guarded;
use crate::experiment::Behaviour;
use crate::schemes::{Locator, Part};
use crate::workload::KeySet;
use bouquet_ground::record::{HistogramRow, UniformityRow};

/// Makes the locator of a scheme for m, k and a seed.
pub type MakeLocator = fn(slots: u64, probes: u32, seed: u64) -> Result<Box<dyn Locator>>;

/// The fewest keys to expect in a bin: below, the statistic is not chi-square.
const LEAST_EXPECTED: u64 = 20;

pub struct UniformityCell {
    pub experiment: String,
    pub subject: &'static str,
    /// `None` for a filter that does not tell its locations.
    pub make: Option<MakeLocator>,
    pub outcome: Behaviour,
    /// With fewer keys a known fault is too rare to be seen.
    pub seen_from_keys: u64,
    pub keys: Arc<KeySet>,
    /// At most so many keys.
    pub most_keys: u64,
    pub slots: u64,
    pub probes: u32,
    pub bins: u64,
    /// Whether the locations are counted for the picture of a histogram too.
    pub histogram: bool,
    pub seed: u64,
}

/// The keys of each bin, for one part and probe.
struct Tally {
    part: Part,
    probe_index: u32,
    bins: Vec<u64>,
}

impl UniformityCell {
    /// A row a part and probe; and where the cell is to have one, a histogram.
    pub fn measure(&self) -> (Vec<UniformityRow>, Option<HistogramRow>) {
        match guarded(|| self.tallies()) {
            Ok((locator, tallies, ranges)) => {
                let rows = tallies.iter().map(|tally| self.row(&*locator, tally));
                let histogram = self.histogram.then(|| self.histogram(&*locator, &ranges));
                (rows.collect(), histogram)
            }
            Err(error) => {
                let row = UniformityRow {
                    error,
                    ..self.empty_row()
                };
                (vec![row], None)
            }
        }
    }

    fn expected_outcome(&self) -> &'static str {
        match self.outcome {
            Behaviour::Flagged if self.key_count() < self.seen_from_keys => "undetectable",
            outcome => outcome.name(),
        }
    }

    fn key_count(&self) -> u64 {
        self.keys.len().min(self.most_keys)
    }

    /// As many bins as the keys can fill, of the high-order bits; where there
    /// are few values, some bins hold one more of them than others.
    fn bin_count(&self, values: u64) -> u64 {
        let keys = self.key_count().max(1);
        let least_values = (u128::from(LEAST_EXPECTED) * u128::from(values)).div_ceil(keys.into());
        let filled = u128::from(values) / least_values.max(1);
        u128::from(self.bins).min(filled).max(2) as u64
    }

    fn tallies(&self) -> Result<(Box<dyn Locator>, Vec<Tally>, Ranges)> {
        let Some(make) = self.make else {
            anyhow::bail!("locations not exposed")
        };
        let locator = make(self.slots, self.probes, self.seed)?;
        let mut tallies: Vec<Tally> = Vec::new();
        // For each probe the tallies that it goes to.
        let mut by_probe = vec![Vec::new(); locator.probes() as usize];
        // A part of one value, such as a single block, shows nothing.
        for part in locator.parts().iter().filter(|part| part.values > 1) {
            for probe_index in part.probes.clone() {
                by_probe[probe_index as usize].push(tallies.len());
                tallies.push(Tally {
                    part: part.clone(),
                    probe_index,
                    bins: vec![0; self.bin_count(part.values) as usize],
                });
            }
        }
        let mut ranges = Ranges::new();
        let slots = locator.slots();
        self.keys.for_each(self.key_count(), |key| {
            let mut probe = 0;
            locator.locate(key, &mut |slot| {
                for &at in &by_probe[probe] {
                    tallies[at].count(slot);
                }
                if self.histogram {
                    ranges.meet(slot, slots);
                }
                probe += 1;
            });
            ranges.end_key();
        });
        Ok((locator, tallies, ranges))
    }

    fn histogram(&self, locator: &dyn Locator, ranges: &Ranges) -> HistogramRow {
        let counts: Vec<String> = ranges.counts.iter().map(u64::to_string).collect();
        HistogramRow {
            experiment: self.experiment.clone(),
            subject: self.subject.into(),
            dataset: self.keys.name().into(),
            slots: locator.slots(),
            probes: locator.probes(),
            seed: self.seed,
            keys: self.key_count(),
            locations: counts.join(" "),
            due: due(locator),
            pairs_together: ranges.pairs_together,
        }
    }

    fn row(&self, locator: &dyn Locator, tally: &Tally) -> UniformityRow {
        let bins = tally.bins.len() as u64;
        let expected = expected_counts(tally.part.values, bins, self.key_count());
        let chi_square = tally
            .bins
            .iter()
            .zip(&expected)
            .map(|(n, e)| (*n as f64 - e).powi(2) / e);
        UniformityRow {
            slots: locator.slots(),
            probes: locator.probes(),
            part: tally.part.name.into(),
            values: tally.part.values,
            probe_index: tally.probe_index,
            bins,
            least_expected: expected.iter().copied().reduce(f64::min).unwrap_or(0.0),
            chi_square: chi_square.sum(),
            ..self.empty_row()
        }
    }

    fn empty_row(&self) -> UniformityRow {
        UniformityRow {
            experiment: self.experiment.clone(),
            subject: self.subject.into(),
            dataset: self.keys.name().into(),
            slots_wanted: self.slots,
            slots: self.slots,
            probes: self.probes,
            part: String::new(),
            values: 0,
            probe_index: 0,
            seed: self.seed,
            keys: self.key_count(),
            bins: 0,
            least_expected: 0.0,
            chi_square: 0.0,
            expected_outcome: self.expected_outcome().into(),
            error: String::new(),
        }
    }
}

impl Tally {
    fn count(&mut self, slot: u64) {
        let value = u128::from(self.part.value(slot));
        let bin = value * self.bins.len() as u128 / u128::from(self.part.values);
        self.bins[bin as usize] += 1;
    }
}

/// The keys to expect in each bin: bin b holds the slots x with
/// floor(x bins / slots) = b, and their number differs by one from bin to bin
/// where the division leaves a remainder.
fn expected_counts(slots: u64, bins: u64, keys: u64) -> Vec<f64> {
    let first = |bin: u64| (u128::from(bin) * u128::from(slots)).div_ceil(u128::from(bins));
    (0..bins)
        .map(|bin| (first(bin + 1) - first(bin)) as f64 / slots as f64 * keys as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unequal_bins_expect_what_they_hold() {
        assert_eq!(expected_counts(10, 4, 10), [3.0, 2.0, 3.0, 2.0]);
        for (slots, bins) in [(958_511, 1_024), (1 << 40, 1_000), (7, 7), (1_021, 2)] {
            let expected = expected_counts(slots, bins, 1_000_000);
            assert!((expected.iter().sum::<f64>() - 1e6).abs() < 1e-3);
        }
        let mut by_hand = [0.0; 3];
        for slot in 0..10u64 {
            by_hand[(slot * 3 / 10) as usize] += 1.0;
        }
        assert_eq!(expected_counts(10, 3, 10), by_hand);
    }
}
