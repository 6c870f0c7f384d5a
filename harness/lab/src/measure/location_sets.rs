//! Keys that share all their locations, at the size of a filter with a low FPR.

use anyhow::Result;

use super::{Fitted, guarded};
use crate::battery::{Sample, location_sets};
use crate::schemes::Wanted;
use bouquet_ground::record::LocationSetsRow;

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
            expected_pairs: finding.map(|found| found.law.mean()),
            ..row
        })
    }
}
