//! The memory that a filter allocates for a target FPR, and whether it has room for its keys.

use std::sync::Arc;

use anyhow::Result;

use super::guarded;
use crate::answers::Answers;
use crate::registry::{Entry, Request};
use crate::workload::mix;
use bouquet_record::{Observation, Sweep};

/// The number of keys inserted per size, over all its filters. A few batches, so that large filters
/// answer in batches too; with many small filters, one that sometimes rejects a key is found.
const KEYS: u64 = 4_096;

pub struct MemoryCell {
    pub experiment: String,
    pub filter: Arc<Entry>,
    pub capacity: u64,
    pub target_fpr: f64,
    pub seed: u64,
}

impl MemoryCell {
    pub fn measure(&self) -> Observation {
        let fixed = self.filter.fixed_size;
        let row = Observation {
            experiment: self.experiment.clone(),
            filter: self.filter.name.into(),
            sweep: Sweep::Memory,
            x: self.target_fpr,
            capacity: self.capacity,
            target_fpr: Some(self.target_fpr),
            seed: self.seed,
            note: fixed.map_or_else(String::new, |why| format!("no choice of FPR: {why}")),
            ..Observation::default()
        };
        let request = Request::of_target(self.capacity, self.target_fpr, self.seed);
        let measured = guarded(|| {
            let state = self.filter.sized(&request)?.state(self.capacity).agreed()?;
            self.fill(Observation {
                size_bits: state.size_bits,
                hashes: state.hashes,
                memory_bytes: state.memory_bytes,
                expected_fpr: state.expected_fpr,
                ..row.clone()
            })
        });
        measured.unwrap_or_else(|error| Observation { error, ..row })
    }

    /// Fills filters of this size, up to capacity or with as many keys as there are.
    fn fill(&self, mut row: Observation) -> Result<Observation> {
        let each = self.capacity.min(KEYS);
        for first in (0..KEYS / each).map(|filter| filter * each) {
            let seed = mix(self.seed ^ first);
            let request = Request::of_target(self.capacity, self.target_fpr, seed);
            let mut filter = (self.filter.build)(&request)?;
            let keys = (first..first + each).map(|key| mix(seed ^ key).to_le_bytes());
            let accepted: Vec<_> = keys.filter(|key| filter.insert(key)).collect();
            let answers = Answers::of(&*filter, |give| accepted.iter().for_each(|key| give(key)));
            row.keys += each;
            row.members += accepted.len() as u64;
            row.false_negatives += answers.singly.iter().filter(|found| !**found).count() as u64;
            if answers.batches.is_some() {
                *row.batch_differ.get_or_insert_default() += answers.otherwise();
            }
        }
        row.rejected = row.keys - row.members;
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::known_faults;

    #[test]
    fn the_first_key_that_each_of_forty_filters_loses_is_found() {
        for filter in known_faults() {
            let (name, filter) = (filter.name, Arc::new(filter));
            let cell = MemoryCell {
                experiment: "memory".into(),
                filter,
                capacity: 100,
                target_fpr: 0.01,
                seed: 1,
            };
            let row = cell.measure();
            let lost = if name == "fault-missing-key" { 40 } else { 0 };
            assert_eq!(row.false_negatives, lost, "{name}: {}", row.error);
        }
    }
}
