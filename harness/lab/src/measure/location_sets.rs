//! Keys that share all their locations, at the size of a filter with a low FPR.

use std::sync::Arc;

use anyhow::Result;

use super::guarded;
use crate::battery::{Sample, location_sets};
use crate::registry::{Ask, Entry, Size};
use crate::workload::KeySet;
use bouquet_ground::record::LocationSetsRow;

pub struct LocationSetsCell {
    pub experiment: String,
    pub filter: Arc<Entry>,
    pub keys: Arc<KeySet>,
    pub capacity: u64,
    pub size: Size,
    /// Keys to locate, if there are so many.
    pub count: u64,
    pub seed: u64,
}

/// What was looked at, and what was found where there is a law for it.
struct Found {
    slots: u64,
    probes: u32,
    keys: u64,
    pairs: Option<(u64, f64)>,
}

impl LocationSetsCell {
    pub fn measure(&self) -> LocationSetsRow {
        match guarded(|| self.run()) {
            Ok(found) => self.row(Some(&found), String::new()),
            Err(error) => self.row(None, error),
        }
    }

    fn run(&self) -> Result<Found> {
        let Some(locate) = self.filter.locate else {
            anyhow::bail!("locations not exposed")
        };
        let ask = Ask {
            capacity: self.capacity,
            size: self.size,
            seed: self.seed,
        };
        let filter = (self.filter.build)(&ask)?;
        let state = filter.state(0);
        let slots = filter.slots().unwrap_or(state.size_bits);
        let locator = locate(slots, state.hashes, self.seed)?;
        let count = self.keys.len().min(self.count);
        let count = if self.keys.is_generated() {
            self.count
        } else {
            count
        };
        let sample = Sample::take(&*locator, count, |visit| {
            self.keys.for_range(0..count, visit);
        })?;
        let finding = location_sets(&sample).pop();
        Ok(Found {
            slots: sample.slots(),
            probes: sample.probes(),
            keys: sample.keys(),
            pairs: finding.map(|found| (found.statistic as u64, found.law.mean())),
        })
    }

    fn row(&self, found: Option<&Found>, error: String) -> LocationSetsRow {
        let pairs = found.and_then(|found| found.pairs);
        LocationSetsRow {
            experiment: self.experiment.clone(),
            filter: self.filter.name.into(),
            dataset: self.keys.name().into(),
            capacity: self.capacity,
            slots: found.map_or(0, |found| found.slots),
            probes: found.map_or(0, |found| found.probes),
            seed: self.seed,
            keys: found.map_or(0, |found| found.keys),
            pairs: pairs.map(|(pairs, _)| pairs),
            expected_pairs: pairs.map(|(_, expected)| expected),
            error,
        }
    }
}
