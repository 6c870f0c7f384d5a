//! One filter, filled by every way in and asked by every way out.

use std::sync::Arc;

use anyhow::Result;
use bouquet_core::batch::FAR_BITS;

use super::guarded;
use crate::registry::{Ask, Entry, Size, State};
use crate::ways::{In, Out, Trial};
use crate::workload::{KeySet, Workload};
use bouquet_ground::record::WaysRow;

pub struct WaysCell {
    pub experiment: String,
    pub filter: Arc<Entry>,
    pub keys: Arc<KeySet>,
    /// Keys that the filter is filled with.
    pub members: u64,
    pub size: Size,
    /// Made for so many more keys that no cache holds it: there batches go another
    /// way.
    pub is_far: bool,
    pub replicate: u32,
    pub seed: u64,
    pub non_members: u64,
}

impl WaysCell {
    pub fn measure(&self) -> Vec<WaysRow> {
        let mut rows = Vec::new();
        if let Err(error) = guarded(|| self.run(&mut rows)) {
            rows.push(WaysRow {
                error,
                ..self.row(self.members)
            });
        }
        rows
    }

    fn run(&self, rows: &mut Vec<WaysRow>) -> Result<()> {
        let workload = Workload::new(&self.keys, self.seed, self.members)?;
        let ask = self.ask()?;
        let mut first = None;
        for way in In::ALL {
            let mut filter = (self.filter.build)(&ask)?;
            let others = self.non_members;
            let trial = Trial::run(&self.filter, &mut *filter, way, &workload, others);
            let Some(trial) = trial else { continue };
            let state = filter.state(self.members);
            let held_against = first.as_ref().unwrap_or(&trial);
            for (out, answers) in trial.answers.each() {
                rows.push(self.of(&ask, &state, &trial, (out, answers), held_against));
            }
            first.get_or_insert(trial);
        }
        Ok(())
    }

    /// What is asked of the filter.
    fn ask(&self) -> Result<Ask> {
        let ask = Ask {
            capacity: self.members,
            size: self.size,
            seed: self.seed,
        };
        if !self.is_far {
            return Ok(ask);
        }
        let bits = (self.filter.build)(&ask)?.state(0).size_bits;
        // A quarter more than it takes, for what a layout rounds off.
        let times = 1.25 * FAR_BITS as f64 / bits.max(1) as f64;
        Ok(Ask {
            capacity: (self.members as f64 * times).ceil() as u64,
            ..ask
        })
    }

    fn of(
        &self,
        ask: &Ask,
        state: &State,
        trial: &Trial,
        (out, answers): (Out, &[bool]),
        first: &Trial,
    ) -> WaysRow {
        let refused = trial.filled.accepted.iter().filter(|taken| !**taken);
        let refused = refused.count() as u64;
        let differences = trial.against(first);
        WaysRow {
            size_bits: state.size_bits,
            inserted: trial.way.name().into(),
            asked: out.name().into(),
            refused,
            taken_otherwise: differences.taken,
            new_otherwise: differences.new,
            stored_otherwise: differences.bytes,
            members_asked: self.members - refused,
            false_negatives: trial.denied(answers),
            non_members_asked: self.non_members,
            false_positives: trial.false_positives(answers),
            answered_otherwise: trial.otherwise(answers, first),
            ..self.row(ask.capacity)
        }
    }

    fn row(&self, capacity: u64) -> WaysRow {
        let (target_fpr, bits_per_key) = match self.size {
            Size::TargetFpr(fpr) => (Some(fpr), None),
            Size::BitsPerKey(bits) => (None, Some(bits)),
        };
        WaysRow {
            experiment: self.experiment.clone(),
            filter: self.filter.name.into(),
            dataset: self.keys.name().into(),
            capacity,
            target_fpr,
            bits_per_key,
            replicate: self.replicate,
            seed: self.seed,
            keys: self.members,
            ..WaysRow::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::filters;

    fn cell(filter: Entry, is_far: bool) -> WaysCell {
        let keys = KeySet::generated("uuid", "uuid", 1).unwrap();
        WaysCell {
            experiment: "ways".into(),
            filter: filter.into(),
            keys: keys.into(),
            members: 3_000,
            size: Size::TargetFpr(0.01),
            is_far,
            replicate: 0,
            seed: 3,
            non_members: 2_000,
        }
    }

    /// In cache and beyond.
    #[test]
    fn ours_have_no_difference_to_record() {
        for is_far in [false, true] {
            for filter in filters().into_iter().filter(|entry| entry.role == "ours") {
                let rows = cell(filter, is_far).measure();
                assert!(rows.len() >= 4, "{rows:?}");
                for row in rows {
                    let wrong = [
                        row.false_negatives,
                        row.taken_otherwise,
                        row.answered_otherwise,
                    ];
                    assert_eq!((wrong, &*row.error), ([0; 3], ""), "{row:?}");
                    assert_eq!(row.stored_otherwise, Some(false), "{row:?}");
                    assert_eq!(row.members_asked, 3_000);
                    assert_eq!(row.size_bits > FAR_BITS, is_far, "{row:?}");
                    assert_eq!(row.false_positives > 0, !is_far, "{row:?}");
                }
            }
        }
    }

    /// A filter that promises nothing and has no batches is asked singly alone.
    #[test]
    fn what_has_one_way_has_one_row() {
        let baseline = filters().into_iter().find(|entry| entry.role == "baseline");
        let rows = cell(baseline.unwrap(), false).measure();
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!((&*rows[0].inserted, &*rows[0].asked), ("singly", "singly"));
        assert_eq!(rows[0].stored_otherwise, None);
    }

    #[test]
    fn a_filter_that_cannot_be_made_is_a_row() {
        let mut filter = filters().swap_remove(0);
        filter.build = |_| anyhow::bail!("no room");
        let rows = cell(filter, true).measure();
        assert_eq!((rows.len(), &*rows[0].error), (1, "no room"));
    }
}
