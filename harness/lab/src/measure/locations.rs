//! Where locations lie, for the chart of a histogram, and keys that share all of
//! them at the size of a filter with a low FPR.

mod ranges;

use anyhow::Result;
use bouquet_stats::bin_deviation;

use self::ranges::{RANGES, Ranges, due};
use super::{Fitted, guarded};
use crate::battery::{BatteryCell, Sample, location_sets};
use crate::schemes::Wanted;
use bouquet_ground::record::{HISTOGRAM, TestRow};

/// With fewer locations expected in a range there is nothing to be seen.
const LEAST: f64 = 20.0;
/// In fewer slots a range, one slot more or less is seen.
const LEAST_SLOTS: u64 = 16;

/// The locations in each range of slots, all probes together, with their mean and
/// variance by chance. None where nothing could be seen; why there are no locations, the
/// battery says.
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
    let due = due(&*locator);
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
            // What varies as a count does, varies with what is due.
            variance: Some(deviation.powi(2) * share * RANGES as f64),
            ..TestRow::default()
        };
        cell.row((slots, probes), found)
    };
    Ok((1..).zip(ranges.counts.iter().zip(due)).map(row).collect())
}

pub struct LocationSetsCell {
    pub of: Fitted,
    /// Keys to locate, if there are so many.
    pub count: u64,
}

impl LocationSetsCell {
    /// The pairs of keys, and how many by chance; no test where the layout claims nothing of
    /// them.
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
        let Fitted { keys, seed, .. } = &self.of;
        let Some(locate) = self.of.filter.locate else {
            anyhow::bail!("locations not exposed")
        };
        let filter = self.of.make()?;
        let state = filter.state(0);
        let slots = filter.slots().unwrap_or(state.size_bits);
        let locator = locate(Wanted::new(slots, state.hashes, *seed))?;
        let count = keys.up_to(self.count);
        let sample = Sample::take(&*locator, count, |visit| keys.for_each(count, visit))?;
        Ok(TestRow {
            slots: sample.slots,
            probes: sample.columns.len() as u32,
            keys: sample.keys(),
            // There is none where there is no law for it.
            ..location_sets(&sample).pop().unwrap_or_default()
        })
    }
}
