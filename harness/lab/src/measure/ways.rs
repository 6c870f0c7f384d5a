//! One filter, filled by every way in and asked by every way out.

use anyhow::Result;
use bouquet_core::batch::FAR_BITS;

use super::{Fitted, guarded};
use crate::registry::{Request, State};
use crate::ways::{In, Out, Trial};
use bouquet_ground::record::WaysRow;

pub struct WaysCell {
    /// The capacity is the number of keys that the filter is filled with.
    pub of: Fitted,
    /// Made for so many more keys that no cache holds it: there batches go another
    /// way.
    pub is_far: bool,
    pub non_members: u64,
}

impl WaysCell {
    pub fn measure(&self) -> Vec<WaysRow> {
        let mut rows = Vec::new();
        if let Err(error) = guarded(|| self.run(&mut rows)) {
            rows.push(WaysRow {
                error,
                ..self.row(self.of.capacity)
            });
        }
        rows
    }

    fn run(&self, rows: &mut Vec<WaysRow>) -> Result<()> {
        let workload = self.of.workload(self.of.capacity)?;
        let ask = self.ask()?;
        let mut first = None;
        for way in In::ALL {
            let mut filter = (self.of.filter.build)(&ask)?;
            let others = self.non_members;
            let trial = Trial::run(&self.of.filter, &mut *filter, way, &workload, others);
            let Some(trial) = trial else { continue };
            let state = filter.state(self.of.capacity);
            let held_against = first.as_ref().unwrap_or(&trial);
            for (out, answers) in trial.answers.each() {
                rows.push(self.of(&ask, &state, &trial, (out, answers), held_against));
            }
            first.get_or_insert(trial);
        }
        Ok(())
    }

    /// What is asked of the filter.
    fn ask(&self) -> Result<Request> {
        let ask = self.of.ask();
        if !self.is_far {
            return Ok(ask);
        }
        let bits = self.of.make()?.state(0).size_bits;
        // A quarter more than it takes, for what a layout rounds off.
        let times = 1.25 * FAR_BITS as f64 / bits.max(1) as f64;
        Ok(Request {
            capacity: (ask.capacity as f64 * times).ceil() as u64,
            ..ask
        })
    }

    fn of(
        &self,
        ask: &Request,
        state: &State,
        trial: &Trial,
        (out, answers): (Out, &[bool]),
        first: &Trial,
    ) -> WaysRow {
        let refused = trial.filled.refused();
        let differences = trial.against(first);
        WaysRow {
            size_bits: state.size_bits,
            inserted: trial.way.name().into(),
            asked: out.name().into(),
            refused,
            taken_otherwise: differences.taken,
            new_otherwise: differences.new,
            stored_otherwise: differences.bytes,
            members_asked: self.of.capacity - refused,
            false_negatives: trial.denied(answers),
            non_members_asked: self.non_members,
            false_positives: trial.false_positives(answers),
            answered_otherwise: trial.otherwise(answers, first),
            ..self.row(ask.capacity)
        }
    }

    fn row(&self, capacity: u64) -> WaysRow {
        let of = &self.of;
        let (target_fpr, bits_per_key) = of.size.columns();
        WaysRow {
            capacity,
            target_fpr,
            bits_per_key,
            replicate: of.replicate,
            keys: of.capacity,
            ..row_of!(WaysRow, of)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Entry, Size, filters};
    use crate::workload::KeySet;

    fn cell(filter: Entry, is_far: bool) -> WaysCell {
        let keys = KeySet::generated("uuid", "uuid", 1).unwrap();
        WaysCell {
            of: Fitted {
                experiment: "ways".into(),
                filter: filter.into(),
                keys: keys.into(),
                capacity: 3_000,
                size: Size::TargetFpr(0.01),
                replicate: 0,
                seed: 3,
            },
            is_far,
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
        filter.build = Box::new(|_| anyhow::bail!("no room"));
        let rows = cell(filter, true).measure();
        assert_eq!((rows.len(), &*rows[0].error), (1, "no room"));
    }
}
