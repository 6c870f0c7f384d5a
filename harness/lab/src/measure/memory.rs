//! What a filter allocates for a target.

use super::guarded;
use crate::registry::{Entry, Request};
use bouquet_ground::record::MemoryRow;
use std::sync::Arc;

pub struct MemoryCell {
    pub experiment: String,
    pub filter: Arc<Entry>,
    pub capacity: u64,
    pub target_fpr: f64,
    pub seed: u64,
}

impl MemoryCell {
    pub fn measure(&self) -> MemoryRow {
        let fixed = self.filter.fixed_size;
        let row = MemoryRow {
            experiment: self.experiment.clone(),
            filter: self.filter.name.into(),
            capacity: self.capacity,
            target_fpr: self.target_fpr,
            note: fixed.map_or_else(String::new, |why| format!("no choice of FPR: {why}")),
            ..MemoryRow::default()
        };
        let request = Request::of_target(self.capacity, self.target_fpr, self.seed);
        match guarded(|| (self.filter.build)(&request)?.state(self.capacity).agreed()) {
            Ok(state) => MemoryRow {
                size_bits: state.size_bits,
                hashes: state.hashes,
                memory_bytes: state.memory_bytes,
                expected_fpr: state.expected_fpr,
                ..row
            },
            Err(error) => MemoryRow { error, ..row },
        }
    }
}
