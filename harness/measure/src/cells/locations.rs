//! Counts locations per range of slots, for a histogram chart, and pairs of keys with the same
//! locations, for filters with a low FPR.

use std::ops::Range;

use anyhow::Result;
use bouquet_stats::bin_deviation;

use super::{Fitted, guarded};
use crate::battery::{BatteryCell, location_sets};
use crate::schemes::Locator;
use bouquet_record::{HISTOGRAM, TestRow};

/// The smallest expected number of locations per range; with fewer, a histogram shows only noise.
const LEAST: f64 = 20.0;
/// The smallest number of slots per range; with fewer, the histogram would show that some ranges
/// have one slot more than others.
const LEAST_SLOTS: u64 = 16;

/// One row per range of slots: the number of locations of all probes in it, with the expected mean
/// and variance of this number. No rows if the histogram would show only noise, or if there is an
/// error: the rows of the uniformity tests have this error too.
pub fn histogram(cell: &BatteryCell) -> Vec<TestRow> {
    guarded(|| ranges_of(cell)).unwrap_or_default()
}

fn ranges_of(cell: &BatteryCell) -> Result<Vec<TestRow>> {
    let locator = cell.locator()?;
    let (slots, probes) = (locator.slots(), locator.probes());
    let mut ranges = Ranges::new();
    cell.keys.for_each(cell.count, |key| {
        locator.locate(key, &mut |slot| ranges.meet(slot, slots));
        ranges.own.clear();
    });
    let all = ranges.counts.iter().sum::<u64>() as f64;
    let deviation = bin_deviation(cell.count, probes, RANGES, ranges.pairs_together);
    let due = due(&locator);
    let is_rare = due.iter().any(|share| share * all < LEAST);
    if is_rare || deviation <= 0.0 || slots < LEAST_SLOTS * RANGES {
        return Ok(Vec::new());
    }
    let row = |(range, (count, share)): (u64, (&u64, f64))| {
        let found = TestRow {
            test: HISTOGRAM.into(),
            item: format!("range {range}"),
            statistic: *count as f64,
            law: "normal".into(),
            mean: Some(share * all),
            // The variance of a count is proportional to its expected value.
            variance: Some(deviation.powi(2) * share * RANGES as f64),
            ..TestRow::default()
        };
        cell.row((slots, probes), found)
    };
    Ok((1..).zip(ranges.counts.iter().zip(due)).map(row).collect())
}

pub struct LocationSetsCell {
    pub of: Fitted,
    /// The number of keys to locate, or all keys of the set if it has fewer.
    pub count: u64,
}

impl LocationSetsCell {
    /// The number of pairs of keys with the same locations, and the number expected by chance. The
    /// row has no statistic if this expected number is not known for the filter.
    pub fn measure(&self) -> TestRow {
        TestRow {
            experiment: self.of.experiment.clone(),
            subject: self.of.filter.name.into(),
            key_set: self.of.keys.name().into(),
            capacity: Some(self.of.capacity),
            seed: self.of.seed,
            ..guarded(|| self.run()).unwrap_or_else(TestRow::failed)
        }
    }

    fn run(&self) -> Result<TestRow> {
        let cell = self.of.locations(self.count, self.of.seed)?;
        let sample = cell.sample(&cell.locator()?)?;
        Ok(TestRow {
            slots: sample.slots,
            probes: sample.columns.len() as u32,
            keys: sample.keys(),
            // There is no finding if the distribution of the number is not known.
            ..location_sets(&sample).pop().unwrap_or_default()
        })
    }
}

/// Number of equal ranges of slots in a histogram: few enough to be seen one by one.
const RANGES: u64 = 64;

/// The number of locations in each range, over all probes.
struct Ranges {
    counts: Vec<u64>,
    /// The ranges of the current key's locations.
    own: Vec<u64>,
    pairs_together: u64,
}

impl Ranges {
    fn new() -> Self {
        Self {
            counts: vec![0; RANGES as usize],
            own: Vec::new(),
            pairs_together: 0,
        }
    }

    fn meet(&mut self, slot: u64, slots: u64) {
        let range = (u128::from(slot) * u128::from(RANGES) / u128::from(slots)) as u64;
        self.counts[range as usize] += 1;
        self.pairs_together += self.own.iter().filter(|own| **own == range).count() as u64;
        self.own.push(range);
    }
}

/// The expected fraction of all locations in each range. Some slots may get more probes than
/// others, for example if a filter has stages of different sizes.
fn due(locator: &Locator) -> Vec<f64> {
    let stretches = stretches(locator);
    let due = |range: Range<u64>| {
        let shares = stretches.iter().map(|(stretch, share)| {
            let (first, end) = (range.start.max(stretch.start), range.end.min(stretch.end));
            let size = (stretch.end - stretch.start) as f64;
            share * end.saturating_sub(first) as f64 / size
        });
        shares.sum()
    };
    equal_ranges(locator.slots()).map(due).collect()
}

/// Divides the slots into [`RANGES`] ranges. If the division leaves a remainder, some ranges have
/// one slot more than others.
fn equal_ranges(slots: u64) -> impl Iterator<Item = Range<u64>> {
    let first = move |range: u64| {
        let product = u128::from(range) * u128::from(slots);
        product.div_ceil(u128::from(RANGES)) as u64
    };
    (0..RANGES).map(move |range| first(range)..first(range + 1))
}

/// Divides the slots into stretches within which locations are uniformly distributed. Returns each
/// stretch with the fraction of the probes that fall into it: the probes of all parts of a location
/// (such as the block, and the place in the block) that belong to the stretch.
fn stretches(locator: &Locator) -> Vec<(Range<u64>, f64)> {
    let parts = locator.parts();
    let mut firsts: Vec<u64> = parts.iter().map(|part| part.first).collect();
    firsts.sort_unstable();
    firsts.dedup();
    let ends = firsts.iter().skip(1).copied().chain([locator.slots()]);
    let stretch = |(&first, end): (&u64, u64)| {
        let own = || parts.iter().filter(|part| part.first == first);
        let is_own = |probe: &u32| own().any(|part| part.probes.contains(probe));
        let probes = (0..locator.probes()).filter(is_own).count();
        (first..end, probes as f64 / f64::from(locator.probes()))
    };
    firsts.iter().zip(ends).map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{filters, known_faults};
    use crate::schemes::{MakeLocator, Wanted, schemes};
    use crate::workload::KeySet;
    use bouquet_stats::z_two_sided;

    #[test]
    fn a_histogram_counts_locations_and_the_pairs_that_lie_together() {
        let mut ranges = Ranges::new();
        for key in [[0, 1, 127], [64, 64, 64]] {
            key.iter().for_each(|slot| ranges.meet(*slot, 128));
            ranges.own.clear();
        }
        let met = ranges.counts.iter().enumerate().filter(|(_, n)| **n > 0);
        assert!(met.eq([(0, &2), (32, &3), (63, &1)]));
        assert_eq!(ranges.pairs_together, 1 + 3);
    }

    #[test]
    fn a_slot_is_in_the_range_that_its_share_of_the_slots_says() {
        for slots in [1, 5, 63, 64, 65, 100, 1_000, (1 << 48) - 1] {
            let ranges: Vec<_> = equal_ranges(slots).collect();
            assert_eq!((ranges[0].start, ranges[63].end), (0, slots));
            assert!(ranges.is_sorted_by(|a, b| a.end == b.start));
            for slot in [0, slots / 3, slots - 1] {
                let at = u128::from(slot) * 64 / u128::from(slots);
                assert!(ranges[at as usize].contains(&slot), "{slot} of {slots}");
            }
        }
    }

    /// Numbers of slots: powers of two, multiples of 64, others, and numbers below 64.
    const SIZES: [u64; 9] = [7, 50, 64, 100, 1_000, 4_096, 12_345, 1_048_573, 1 << 20];
    const PROBES: [u32; 2] = [1, 7];
    const KEYS: u64 = 50_000;
    /// The probability that the test fails by chance.
    const ALPHA: f64 = 1e-4;

    /// Every filter and scheme that exposes its locations, with its role.
    fn layouts() -> Vec<(&'static str, &'static str, MakeLocator)> {
        let filters = filters().into_iter().chain(known_faults());
        let filters = filters.filter_map(|f| Some((f.name, f.role, f.locate?)));
        let schemes = schemes().into_iter().map(|s| (s.name, s.role, s.make));
        filters.chain(schemes).collect()
    }

    /// For each range of slots: the mean fraction of a key's locations that lie in it, and the
    /// standard error of the mean. The error is computed from the variation between keys, so it is
    /// valid even if the locations of one key depend on each other.
    fn counted(locator: &Locator, seed: u64) -> Vec<(f64, f64)> {
        let mut sums = vec![(0.0, 0.0); RANGES as usize];
        let keys = KeySet::generated("uuid", "uuid", seed).unwrap();
        keys.for_each(KEYS, |key| {
            let mut own = [0.0; RANGES as usize];
            locator.locate(key, &mut |slot| {
                let range = u128::from(slot) * u128::from(RANGES) / u128::from(locator.slots());
                own[range as usize] += 1.0 / f64::from(locator.probes());
            });
            for ((sum, squares), own) in sums.iter_mut().zip(own) {
                *sum += own;
                *squares += own * own;
            }
        });
        let keys = KEYS as f64;
        let share = |(sum, squares): (f64, f64)| {
            let mean = sum / keys;
            (
                mean,
                ((squares / keys - mean * mean).max(0.0) / keys).sqrt(),
            )
        };
        sums.into_iter().map(share).collect()
    }

    #[test]
    fn every_layout_has_in_each_range_what_it_is_due() {
        let layouts = layouts();
        let comparisons = layouts.len() * SIZES.len() * PROBES.len() * RANGES as usize;
        let limit = z_two_sided(1.0 - ALPHA / comparisons as f64);
        for (name, role, make) in layouts {
            let mut sizes = 0;
            for (slots, probes) in SIZES.iter().flat_map(|m| PROBES.map(|k| (*m, k))) {
                // Not every layout supports every size.
                let Ok(locator) = make(Wanted::new(slots, probes, slots)) else {
                    continue;
                };
                sizes += 1;
                let due = due(&locator);
                assert!(
                    (due.iter().sum::<f64>() - 1.0).abs() < 1e-7,
                    "{name}: {due:?}"
                );
                // `due` ignores the faults of a scheme. If a fault would change the counts, the
                // test only checks that `due` is the same as for a sound scheme.
                let shows = match role {
                    "known-bad" => true,
                    // The probes of one key depend on each other. With an even number of slots, a
                    // probe may therefore never use some slots.
                    "known-structure" | "textbook" => {
                        probes > 1 && locator.slots().is_multiple_of(2)
                    }
                    _ => false,
                };
                if shows {
                    let wanted = Wanted::new(locator.slots(), probes, slots);
                    let even = (schemes()[0].make)(wanted).unwrap();
                    assert_eq!(due, super::due(&even), "{name} of {slots} slots");
                    continue;
                }
                for (range, (due, (share, error))) in
                    due.iter().zip(counted(&locator, slots)).enumerate()
                {
                    assert!(
                        (share - due).abs() <= limit * error + 1e-9,
                        "{name} of {slots} slots, {probes} probes: range {range} should have {due}, and \
                         has {share} with a standard error of {error}"
                    );
                }
            }
            assert!(sizes >= 2 * PROBES.len(), "{name} has {sizes} of the sizes");
        }
    }
}
