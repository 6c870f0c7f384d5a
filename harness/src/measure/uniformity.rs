//! Chi-square statistics of locations, one probe index at a time.

use std::sync::Arc;

use anyhow::Result;

use super::guarded;
use crate::{experiment::Outcome, record::UniformityRow, schemes::Locator, workload::KeySet};

/// Makes the locator of a scheme for m, k and a seed.
pub type MakeLocator = fn(slots: u64, probes: u32, seed: u64) -> Result<Box<dyn Locator>>;

/// The fewest keys to expect in a bin: below, the statistic is not chi-square.
const LEAST_EXPECTED: u64 = 20;

pub struct UniformityCell {
    pub experiment: String,
    pub subject: &'static str,
    /// `None` for a filter that does not tell its locations.
    pub make: Option<MakeLocator>,
    pub outcome: Outcome,
    /// With fewer keys a known fault is too rare to be seen.
    pub seen_from_keys: u64,
    pub keys: Arc<KeySet>,
    /// At most so many keys.
    pub most_keys: u64,
    pub slots: u64,
    pub probes: u32,
    pub bins: u64,
    pub seed: u64,
}

impl UniformityCell {
    pub fn measure(&self) -> Vec<UniformityRow> {
        match guarded(|| self.counts()) {
            Ok(probes) => (0..)
                .zip(&probes)
                .map(|(index, counts)| self.row(index, counts))
                .collect(),
            Err(error) => vec![UniformityRow {
                error,
                ..self.row(0, &[])
            }],
        }
    }

    fn expected_outcome(&self) -> &'static str {
        match self.outcome {
            Outcome::Flagged if self.key_count() < self.seen_from_keys => "undetectable",
            outcome => outcome.name(),
        }
    }

    fn key_count(&self) -> u64 {
        self.keys.len().min(self.most_keys)
    }

    /// As many bins as the keys can fill, of the high-order bits.
    fn bin_count(&self) -> u64 {
        self.bins
            .min(self.slots)
            .min(self.key_count() / LEAST_EXPECTED)
            .max(2)
    }

    /// Keys per bin, for each probe index.
    fn counts(&self) -> Result<Vec<Vec<u64>>> {
        let Some(make) = self.make else {
            anyhow::bail!("locations not exposed")
        };
        let locator = make(self.slots, self.probes, self.seed)?;
        let bins = self.bin_count();
        let mut counts = vec![vec![0u64; bins as usize]; self.probes as usize];
        self.keys.for_each(self.key_count(), |key| {
            let mut probe = 0;
            locator.locate(key, &mut |slot| {
                let bin = u128::from(slot) * u128::from(bins) / u128::from(self.slots);
                counts[probe][bin as usize] += 1;
                probe += 1;
            });
        });
        Ok(counts)
    }

    fn row(&self, probe_index: u32, counts: &[u64]) -> UniformityRow {
        let keys = self.key_count();
        let expected = expected_counts(self.slots, counts.len() as u64, keys);
        let chi_square = counts
            .iter()
            .zip(&expected)
            .map(|(n, e)| (*n as f64 - e).powi(2) / e);
        UniformityRow {
            experiment: self.experiment.clone(),
            subject: self.subject.into(),
            dataset: self.keys.name().into(),
            slots: self.slots,
            probes: self.probes,
            probe_index,
            seed: self.seed,
            keys,
            bins: counts.len() as u64,
            least_expected: expected.iter().copied().reduce(f64::min).unwrap_or(0.0),
            chi_square: chi_square.sum(),
            expected_outcome: self.expected_outcome().into(),
            error: String::new(),
        }
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
