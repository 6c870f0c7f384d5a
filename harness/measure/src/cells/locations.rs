//! The distribution of locations, for a histogram chart, and the number of keys with the same
//! locations at the size of a filter with a low FPR.

mod ranges;

use anyhow::Result;
use bouquet_stats::bin_deviation;

use self::ranges::{RANGES, Ranges, due};
use super::{Fitted, guarded};
use crate::battery::{BatteryCell, location_sets};
use bouquet_record::{HISTOGRAM, TestRow};

/// The smallest expected number of locations per range; with fewer, the histogram shows nothing.
const LEAST: f64 = 20.0;
/// The smallest number of slots per range; with fewer, the histogram would show that some ranges
/// have one slot more than others.
const LEAST_SLOTS: u64 = 16;

/// One row per range of slots: the number of locations of all probes, with the mean and variance to
/// expect by chance. No rows if the histogram would show nothing. If there are no locations, the
/// rows of the battery give the reason.
pub fn histogram(cell: &BatteryCell) -> Vec<TestRow> {
    guarded(|| ranges_of(cell)).unwrap_or_default()
}

fn ranges_of(cell: &BatteryCell) -> Result<Vec<TestRow>> {
    let locator = cell.locator()?;
    let (slots, probes) = (locator.slots(), locator.probes());
    let mut ranges = Ranges::new();
    cell.keys.for_each(cell.count, |key| {
        locator.locate(key, &mut |slot| ranges.meet(slot, slots));
        ranges.end_key();
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
    /// Number of keys to locate, if the set has that many.
    pub count: u64,
}

impl LocationSetsCell {
    /// The number of pairs of keys with the same locations and the number to expect by chance; no
    /// test if the layout makes no claim about them.
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
