//! Measuring: one cell of an experiment in, raw rows out.

mod churn;
mod fpr;
mod locations;
mod memory;

pub use bouquet_ground::parallel::guarded;
pub use churn::{ChurnCell, LAST_HITS};
pub use fpr::FprCell;
pub use locations::{LocationSetsCell, histogram};
pub use memory::MemoryCell;

use std::sync::Arc;

use anyhow::Result;

use crate::registry::{Entry, Options, Request, Size, State, Subject};
use crate::workload::{KeySet, Workload};
use bouquet_ground::record::{Observation, Row, Writer};
use bouquet_ground::room;

/// The most bytes of non-members: hashing them takes seconds.
const MOST_BYTES: u64 = 1 << 32;
/// The fewest non-members to ask for, however high the FPR.
const LEAST_NON_MEMBERS: u64 = 1_000;

/// What a cell yields: rows, on their way to their files.
pub type Measured = Box<dyn FnOnce(&mut Writer) -> Result<()> + Send>;

/// A filter of a size, to be given keys of a set.
#[derive(Clone)]
pub struct Fitted {
    pub experiment: String,
    pub filter: Arc<Entry>,
    pub keys: Arc<KeySet>,
    pub capacity: u64,
    pub size: Size,
    pub replicate: u32,
    pub seed: u64,
    pub options: Options,
}

impl Fitted {
    /// What is asked of it.
    pub fn request(&self) -> Request {
        Request {
            capacity: self.capacity,
            size: self.size,
            seed: self.seed,
            options: self.options,
        }
    }

    pub fn make(&self) -> Result<Box<dyn Subject>> {
        (self.filter.build)(&self.request())
    }

    /// What a row says of it before anything is measured; of a target where there is a choice.
    fn row(&self) -> Observation {
        let (target_fpr, _) = self.size.columns();
        Observation {
            experiment: self.experiment.clone(),
            filter: self.filter.name.into(),
            key_set: self.keys.name().into(),
            capacity: self.capacity,
            target_fpr: target_fpr.filter(|_| self.filter.fixed_size.is_none()),
            replicate: self.replicate,
            seed: self.seed,
            ..Observation::default()
        }
    }

    fn workload(&self, members: u64) -> Result<Workload<'_>> {
        Workload::new(&self.keys, self.seed, members)
    }
}

impl Size {
    /// Bits per key that a filter of this size has at least: by what a target takes of any
    /// filter (Carter et al. 1978).
    pub fn least_bits(self, filter: &Entry) -> f64 {
        match self {
            _ if filter.fixed_size.is_some() => 0.0,
            Self::TargetFpr(fpr) => -fpr.log2(),
            Self::BitsPerKey(bits) => bits,
        }
    }

    /// Of records: the target FPR and the bits per key, whichever it is.
    pub fn columns(self) -> (Option<f64>, Option<f64>) {
        match self {
            Self::TargetFpr(fpr) => (Some(fpr), None),
            Self::BitsPerKey(bits) => (None, Some(bits)),
        }
    }
}

/// The smallest piece of work: measured in one go, on one thread, from its own
/// seed, so that a run gives the same rows on any number of threads.
pub struct Cell {
    /// The filter or scheme that is measured.
    pub subject: &'static str,
    /// Bytes that it takes at least.
    least_bytes: f64,
    measure: Box<dyn Fn() -> Measured + Sync>,
}

impl Cell {
    /// One that gives rows of one kind.
    pub fn of<R: Row + Send + 'static>(
        subject: &'static str,
        measure: impl Fn() -> Vec<R> + Sync + 'static,
    ) -> Self {
        Self {
            subject,
            least_bytes: 0.0,
            measure: Box::new(move || {
                let rows = measure();
                Box::new(move |to| to.write(&rows))
            }),
        }
    }

    /// The same, of which it is known that it takes so many bytes at least.
    pub fn taking(self, least_bytes: f64) -> Self {
        Self {
            least_bytes,
            ..self
        }
    }

    /// Rejects cells of which one cannot fit into the memory that there is.
    pub fn check_room(cells: &[Self]) -> Result<()> {
        let largest = cells
            .iter()
            .max_by(|a, b| a.least_bytes.total_cmp(&b.least_bytes));
        largest.map_or(Ok(()), |cell| {
            room::check(&format!("measuring {}", cell.subject), cell.least_bytes)
        })
    }

    pub fn measure(&self) -> Measured {
        (self.measure)()
    }
}

/// A row with what a filter says of itself.
fn stating(state: &State, row: Observation) -> Observation {
    Observation {
        size_bits: state.size_bits,
        hashes: state.hashes,
        memory_bytes: state.memory_bytes,
        fill: Some(state.fill_ratio),
        expected_fill: state.expected_fill.map(|(mean, _)| mean),
        expected_fill_sd: state.expected_fill.map(|(_, sd)| sd),
        fpr_given_bits: state.fpr_given_bits,
        expected_fpr: state.expected_fpr,
        expected_fpr_sd: state.expected_fpr_sd,
        ..row
    }
}

/// How many non-members bring the hits that are wanted, if theory is right. Fixed
/// before asking: stopping at a hit would bias the rate.
fn non_members_for(hits: f64, expected_fpr: f64, most: u64, keys: &KeySet) -> u64 {
    let wanted = ((hits / expected_fpr).ceil() as u64).max(LEAST_NON_MEMBERS);
    let long_keys = MOST_BYTES / keys.mean_bytes().max(1);
    wanted.min(most).min(long_keys.max(1))
}
