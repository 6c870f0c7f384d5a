//! The memory that a filter allocates for a target FPR.

use super::guarded;
use crate::registry::{Entry, Request};
use bouquet_ground::record::{Observation, Sweep};
use std::sync::Arc;

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
        match guarded(|| self.filter.sized(&request)?.state(self.capacity).agreed()) {
            Ok(state) => Observation {
                size_bits: state.size_bits,
                hashes: state.hashes,
                memory_bytes: state.memory_bytes,
                expected_fpr: state.expected_fpr,
                ..row
            },
            Err(error) => Observation { error, ..row },
        }
    }
}
