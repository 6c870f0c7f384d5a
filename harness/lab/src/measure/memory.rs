//! What a filter allocates for a target.

use super::guarded;
use crate::registry::{Ask, Entry, Size};
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
        let mut row = MemoryRow {
            experiment: self.experiment.clone(),
            filter: self.filter.name.into(),
            capacity: self.capacity,
            target_fpr: self.target_fpr,
            size_bits: 0,
            hashes: 0,
            memory_bytes: 0,
            expected_fpr: 0.0,
            note: self
                .filter
                .fixed_size
                .map_or_else(String::new, |why| format!("no choice of FPR: {why}")),
            error: String::new(),
        };
        let ask = Ask {
            capacity: self.capacity,
            size: Size::TargetFpr(self.target_fpr),
            seed: self.seed,
        };
        let built = guarded(|| {
            let filter = (self.filter.build)(&ask)?;
            Ok(filter.state(self.capacity))
        });
        match built {
            Ok(state) => {
                row.size_bits = state.size_bits;
                row.hashes = state.hashes;
                row.memory_bytes = state.memory_bytes;
                row.expected_fpr = state.expected_fpr;
            }
            Err(error) => row.error = error,
        }
        row
    }
}
