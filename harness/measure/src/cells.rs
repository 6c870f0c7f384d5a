//! Measures a cell (a unit of work) of an experiment and returns its rows. A cell is for example
//! a filter at one point of an FPR sweep.

mod churn;
mod locations;

pub use bouquet_record::parallel::guarded;
pub use churn::{ChurnCell, LAST_HITS};
pub use locations::{LocationSetsCell, histogram};

use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use crate::answers::{Answers, Give, ask, count, differing};
use crate::battery::{BatteryCell, Claim, Expectation};
use crate::registry::{Entry, Options, Request, Size, State, Subject};
use crate::schemes::Wanted;
use crate::workload::{KeySet, Workload, mix};
use bouquet_record::{Observation, Row, Sweep, Writer};
use bouquet_stats::LOW_FPR;

/// The largest total size of the non-members to look up, in bytes. To hash that much takes seconds.
const MOST_BYTES: u64 = 1 << 32;
/// The smallest number of non-members to look up, however high the FPR.
const LEAST_NON_MEMBERS: u64 = 1_000;

/// The result of measuring a cell: a function that writes the rows to their files.
pub type Measured = Box<dyn FnOnce(&mut Writer) -> Result<()> + Send>;

/// A filter to build, and the key set that has its keys.
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

    /// A row with the columns that are known before the measurement. The target FPR is left out if
    /// the size of the filter cannot be chosen.
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

    /// The uniformity test of the slots that this filter maps keys to, with its m and k.
    ///
    /// Fails if the filter does not expose the slots of a key.
    pub fn locations(&self, count: u64, seed: u64) -> Result<BatteryCell> {
        let subject = self.filter.locating().context("locations not exposed")?;
        let made = self.make()?;
        let state = made.state(0);
        let slots = made.slots().unwrap_or(state.size_bits);
        Ok(BatteryCell {
            subject,
            keys: self.keys.clone(),
            at: Wanted {
                options: self.options,
                ..Wanted::new(slots, state.hashes.max(1), seed)
            },
            count: self.keys.up_to(count),
            replicate: 0,
            expected: Expectation::of(Claim::Passes),
        })
    }

    fn workload(&self, members: u64) -> Result<Workload<'_>> {
        Workload::new(&self.keys, self.seed, members)
    }
}

/// The smallest unit of work. One thread measures the whole cell with the cell's own seed, so that
/// the rows do not depend on the number of threads.
pub struct Cell {
    /// The name of the filter or location scheme that is measured.
    pub subject: &'static str,
    measure: Box<dyn Fn() -> Measured + Sync>,
}

impl Cell {
    /// A cell whose rows all have the type `R`.
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

/// Adds the filter's statistics to the row.
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

/// The number of non-members to look up so that theory predicts `hits` false positives. It is fixed
/// before the lookups, because stopping at a false positive would bias the rate.
fn non_members_for(hits: f64, expected_fpr: f64, most: u64, keys: &KeySet) -> u64 {
    let wanted = ((hits / expected_fpr).ceil() as u64).max(LEAST_NON_MEMBERS);
    let long_keys = MOST_BYTES / keys.mean_bytes().max(1);
    wanted.min(most).min(long_keys.max(1))
}

pub struct FprCell {
    pub of: Fitted,
    pub sweep: Sweep,
    pub x: f64,
    /// The expected number of false positives; it determines how many non-members are looked up.
    pub hits: f64,
    /// The upper limit of `hits` if the expected FPR is at most `LOW_FPR`.
    pub low_hits: f64,
    pub max_non_members: u64,
}

impl FprCell {
    pub fn measure(&self) -> Observation {
        guarded(|| self.run()).unwrap_or_else(|error| Observation {
            error,
            ..self.row()
        })
    }

    fn non_members(&self, state: &State) -> u64 {
        // A peer (a filter of another crate) may report too low an FPR: assume 1/10 of the target.
        let expected = match (self.of.filter.role, self.of.size) {
            ("peer", Size::TargetFpr(fpr)) => state.expected_fpr.max(fpr / 10.0),
            _ => state.expected_fpr,
        };
        let hits = if expected <= LOW_FPR {
            self.hits.min(self.low_hits)
        } else {
            self.hits
        };
        non_members_for(hits, expected, self.max_non_members, &self.of.keys)
    }

    fn run(&self) -> Result<Observation> {
        let keys = (self.of.capacity as f64 * self.sweep.load(self.x)).round() as u64;
        let workload = self.of.workload(keys)?;
        let mut filter = self.of.make()?;
        let mut accepted = Vec::with_capacity(keys as usize);
        workload.members(|key| accepted.push(filter.insert(key)));
        let taken = count(&accepted);
        let state = filter.state(taken).agreed()?;
        if self.of.filter.forgets {
            // Older keys may be present or absent, so no answer about them would be wrong.
            let old = keys.saturating_sub(self.of.capacity) as usize;
            accepted[..old].fill(false);
        }
        let members = count(&accepted);
        // Counts false negatives of single lookups and of batch lookups, and differing answers.
        let look_up_members = || {
            let (mut wrong, mut accepted) = ([0; 3], accepted.iter());
            let give_accepted = |give: &mut Give<'_>| {
                workload.members(|key| {
                    if accepted.next() == Some(&true) {
                        give(key);
                    }
                });
            };
            ask(&*filter, give_accepted, |singly, batches| {
                let batches = batches.unwrap_or(singly);
                let asked = singly.len() as u64;
                wrong[0] += asked - count(singly);
                wrong[1] += asked - count(batches);
                wrong[2] += differing(batches, singly);
            });
            wrong
        };
        let before = look_up_members();
        let non_members = self.non_members(&state);
        let mut row = self.row();
        let non_members = |give: &mut Give<'_>| workload.non_members(non_members, give);
        ask(&*filter, non_members, |singly, batches| {
            row.non_members += singly.len() as u64;
            row.false_positives += count(singly);
            if let Some(found) = batches {
                *row.batch_false_positives.get_or_insert_default() += count(found);
                *row.batch_differ.get_or_insert_default() += differing(found, singly);
            }
        });
        // Lookups must not change the filter, so the members are looked up again: they must still
        // be present.
        let after = look_up_members();
        let [missing, missing_in_batches, differ] = [0, 1, 2].map(|i| before[i].max(after[i]));
        if self.of.filter.grows && self.of.filter.role == "ours" {
            workload.members(|key| _ = filter.insert(key));
            let (before, after) = (state.memory_bytes, filter.state(taken).memory_bytes);
            ensure!(
                before == after,
                "grew from {before} to {after} bytes when its own keys were inserted again"
            );
        }
        if self.sweep == Sweep::BitsPerKey && self.of.filter.fixed_size.is_some() {
            // This filter's size cannot be chosen, so x is the number of bits per key that it has.
            row.x = state.size_bits as f64 / self.of.capacity as f64;
        }
        Ok(Observation {
            keys,
            rejected: keys - taken,
            members,
            false_negatives: missing,
            batch_false_negatives: row.batch_differ.map(|_| missing_in_batches),
            batch_differ: row.batch_differ.map(|others| differ + others),
            ..stating(&state, row)
        })
    }

    fn row(&self) -> Observation {
        Observation {
            sweep: self.sweep,
            x: self.x,
            ..self.of.row()
        }
    }
}

/// The number of keys that a memory cell inserts: all into one filter, or, if the capacity is
/// smaller, into several filters of that capacity.
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

    /// Inserts [`KEYS`] keys into one or more filters of this capacity, and looks them up.
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
