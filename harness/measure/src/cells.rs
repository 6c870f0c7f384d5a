//! Measures one cell of an experiment and returns raw rows.

mod churn;
mod fpr;
mod locations;
mod memory;

pub use bouquet_record::parallel::guarded;
pub use churn::{ChurnCell, LAST_HITS};
pub use fpr::FprCell;
pub use locations::{LocationSetsCell, histogram};
pub use memory::MemoryCell;

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::battery::{BatteryCell, Claim, Expectation};
use crate::registry::{Entry, Options, Request, Size, State, Subject};
use crate::workload::{KeySet, Workload};
use bouquet_record::{Observation, Row, Writer};

/// The largest total size of the non-members: hashing this many bytes takes seconds.
const MOST_BYTES: u64 = 1 << 32;
/// The smallest number of non-members to look up, however high the FPR.
const LEAST_NON_MEMBERS: u64 = 1_000;

/// The result of a cell: a function that writes its rows to their files.
pub type Measured = Box<dyn FnOnce(&mut Writer) -> Result<()> + Send>;

/// A filter to build: variant, size and seed, and the set of its keys.
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
    pub fn make(&self) -> Result<Box<dyn Subject>> {
        (self.filter.build)(&Request {
            capacity: self.capacity,
            size: self.size,
            seed: self.seed,
            options: self.options,
        })
    }

    /// The columns that are known before anything is measured. The target FPR is left out if the
    /// size of the filter cannot be chosen.
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

    /// The battery's cell for the locations of the filter in its own geometry.
    ///
    /// Fails if the filter does not expose its locations.
    pub fn locations(&self, count: u64, seed: u64) -> Result<BatteryCell> {
        let subject = self.filter.locating().context("locations not exposed")?;
        let made = self.make()?;
        let state = made.state(0);
        Ok(BatteryCell {
            subject,
            keys: self.keys.clone(),
            count: self.keys.up_to(count),
            slots: made.slots().unwrap_or(state.size_bits),
            probes: state.hashes.max(1),
            replicate: 0,
            seed,
            options: self.options,
            expected: Expectation::of(Claim::Passes),
        })
    }

    fn workload(&self, members: u64) -> Result<Workload<'_>> {
        Workload::new(&self.keys, self.seed, members)
    }
}

/// The smallest unit of work. It is measured in one go, on one thread, from its own seed, so that a
/// run gives the same rows with any number of threads.
pub struct Cell {
    /// The filter or scheme that is measured.
    pub subject: &'static str,
    measure: Box<dyn Fn() -> Measured + Sync>,
}

impl Cell {
    /// A cell whose rows are all of the same type.
    pub fn of<R: Row + Send + 'static>(
        subject: &'static str,
        measure: impl Fn() -> Vec<R> + Sync + 'static,
    ) -> Self {
        Self {
            subject,
            measure: Box::new(move || {
                let rows = measure();
                Box::new(move |to| to.write(&rows))
            }),
        }
    }

    pub fn measure(&self) -> Measured {
        (self.measure)()
    }
}

/// The row with the filter's statistics added.
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

/// The number of non-members with which the wanted number of hits is expected by theory. It is
/// fixed before the lookups: stopping at a hit would bias the rate.
fn non_members_for(hits: f64, expected_fpr: f64, most: u64, keys: &KeySet) -> u64 {
    let wanted = ((hits / expected_fpr).ceil() as u64).max(LEAST_NON_MEMBERS);
    let long_keys = MOST_BYTES / keys.mean_bytes().max(1);
    wanted.min(most).min(long_keys.max(1))
}
