//! The battery on locations, and where they lie for the picture of a histogram.

mod ranges;

use anyhow::Result;

use self::ranges::{Ranges, due};
use super::{Measured, guarded};
use crate::battery;
use bouquet_ground::record::HistogramRow;

pub struct LocationsCell {
    pub experiment: String,
    pub cell: battery::BatteryCell,
    /// Whether the locations are counted for the picture of a histogram too.
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
