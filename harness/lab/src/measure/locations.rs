//! The battery on locations, where they lie for the chart of a histogram, and keys
//! that share all of them at the size of a filter with a low FPR.

mod ranges;

use anyhow::Result;

use self::ranges::{Ranges, due};
use super::{Fitted, Measured, guarded};
use crate::battery::{BatteryCell, Sample, location_sets};
use crate::schemes::Wanted;
use bouquet_ground::record::{HistogramRow, LocationSetsRow};

pub struct LocationsCell {
    pub experiment: String,
    pub cell: BatteryCell,
    /// Whether the locations are counted for the chart of a histogram too.
    pub histogram: bool,
}

impl LocationsCell {
    /// The rows of all tests; and where the cell is to have one, a histogram. Why there
    /// is none, the rows say.
    pub fn measure(&self) -> Measured {
        let histogram = || guarded(|| self.histogram()).ok();
        let histogram = self.histogram.then(histogram).flatten();
        let locations = self.cell.measure();
        Box::new(move |to| {
            to.write(histogram.as_slice())?;
            to.write(&locations)
        })
    }

    fn histogram(&self) -> Result<HistogramRow> {
        let cell = &self.cell;
        let locator = cell.locator()?;
        let slots = locator.slots();
        let mut ranges = Ranges::new();
        cell.keys.for_each(cell.count, |key| {
            locator.locate(key, &mut |slot| ranges.meet(slot, slots));
            ranges.end_key();
        });
        let counts: Vec<String> = ranges.counts.iter().map(u64::to_string).collect();
        Ok(HistogramRow {
            experiment: self.experiment.clone(),
            subject: cell.subject.name.into(),
            dataset: cell.keys.name().into(),
            slots,
            probes: locator.probes(),
            seed: cell.seed,
            keys: cell.count,
            locations: counts.join(" "),
            due: due(&*locator),
            pairs_together: ranges.pairs_together,
        })
    }
}

pub struct LocationSetsCell {
    pub of: Fitted,
    /// Keys to locate, if there are so many.
    pub count: u64,
}

impl LocationSetsCell {
    pub fn measure(&self) -> LocationSetsRow {
        let row = row_of!(LocationSetsRow, self.of);
        guarded(|| self.run(row.clone())).unwrap_or_else(|error| LocationSetsRow { error, ..row })
    }

    fn run(&self, row: LocationSetsRow) -> Result<LocationSetsRow> {
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
        // There is none where there is no law for it.
        let finding = location_sets(&sample).pop();
        Ok(LocationSetsRow {
            slots: sample.slots(),
            probes: sample.probes(),
            keys: sample.keys(),
            pairs: finding.as_ref().map(|found| found.statistic as u64),
            expected_pairs: finding.and_then(|found| found.mean),
            ..row
        })
    }
}
