//! One filter, filled by every way in and asked by every way out.

use anyhow::Result;
use bouquet_core::batch::FAR_BITS;

use super::{Fitted, GROWN, guarded};
use crate::registry::Request;
use crate::ways::{In, Kind, Out, Trial};
use bouquet_ground::record::WaysRow;

/// What a filter is sized for, by the keys that it is filled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// For these keys.
    Fitting,
    /// For a part of them: it grows, passes its FPR, or rejects keys.
    Short,
    /// For so many more that no cache holds it: there batches go another way.
    Far,
}

pub struct WaysCell {
    /// The capacity is the number of keys that the filter is filled with.
    pub of: Fitted,
    pub room: Room,
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

    pub fn least_bytes(&self) -> f64 {
        Trial::least_bytes(
            &self.of.filter,
            self.of.capacity,
            self.of.size,
            self.non_members,
        )
    }

    fn run(&self, rows: &mut Vec<WaysRow>) -> Result<()> {
        let workload = self.of.workload(self.of.capacity)?;
        let kind = Kind {
            entry: &self.of.filter,
            request: self.request()?,
        };
        let made_for = kind.request.capacity;
        let run = |way| guarded(|| Trial::run(&kind, way, &workload, self.non_members));
        let mut first = None;
        for way in In::ALL {
            // It sizes a filter for its keys, whatever the first was sized for.
            if way == In::FromKeys && self.room != Room::Fitting {
                continue;
            }
            match run(way) {
                Ok(Some(trial)) => {
                    self.tell(rows, made_for, &trial, first.as_ref().unwrap_or(&trial));
                    first.get_or_insert(trial);
                }
                Ok(None) => {}
                Err(error) => {
                    rows.push(WaysRow {
                        inserted: way.name().into(),
                        error,
                        ..self.row(made_for)
                    });
                    if first.is_none() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// What is asked of the filter.
    fn request(&self) -> Result<Request> {
        let request = self.of.request();
        let capacity = match self.room {
            Room::Fitting => request.capacity,
            Room::Short => (request.capacity / GROWN).max(1),
            Room::Far => {
                let bits = self.of.make()?.state(0).size_bits;
                // A quarter more than it takes, for what a layout rounds off.
                let times = 1.25 * FAR_BITS as f64 / bits.max(1) as f64;
                (request.capacity as f64 * times).ceil() as u64
            }
        };
        Ok(Request {
            capacity,
            ..request
        })
    }

    /// The rows of a trial.
    fn tell(&self, rows: &mut Vec<WaysRow>, made_for: u64, trial: &Trial, first: &Trial) {
        let size_bits = trial.filter.state(self.of.capacity).size_bits;
        let row = |(out, answers)| WaysRow {
            size_bits,
            ..self.of(made_for, trial, (out, answers), first)
        };
        rows.extend(trial.answers.each().map(row));
        let errors = trial.answers.errors().iter();
        rows.extend(errors.map(|(out, error)| WaysRow {
            inserted: trial.way.name().into(),
            asked: out.name().into(),
            error: error.clone(),
            ..self.row(made_for)
        }));
    }

    fn of(
        &self,
        made_for: u64,
        trial: &Trial,
        (out, answers): (Out, &[bool]),
        first: &Trial,
    ) -> WaysRow {
        let rejected = trial.filled.rejected();
        let differences = trial.against(first);
        WaysRow {
            inserted: trial.way.name().into(),
            asked: out.name().into(),
            rejected,
            taken_otherwise: differences.taken,
            new_otherwise: differences.new,
            stored_otherwise: differences.bytes,
            members_asked: self.of.capacity - rejected,
            false_negatives: trial.false_negatives(answers),
            non_members_asked: self.non_members,
            false_positives: trial.false_positives(answers),
            answered_otherwise: trial.otherwise(answers, first),
            ..self.row(made_for)
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
    use crate::registry::{Entry, Options, Size, filters};
    use crate::workload::KeySet;

    fn cell(filter: Entry, room: Room) -> WaysCell {
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
                options: Options::default(),
            },
            room,
            non_members: 2_000,
        }
    }

    /// In cache and beyond, and past what they were sized for.
    #[test]
    fn ours_have_no_difference_to_record() {
        for room in [Room::Fitting, Room::Short, Room::Far] {
            for filter in filters().into_iter().filter(|entry| entry.role == "ours") {
                let (relocates, rejects) =
                    (filter.relocates, room == Room::Short && filter.relocates);
                let rows = cell(filter, room).measure();
                assert!(rows.len() >= 14, "{rows:?}");
                for row in rows {
                    let wrong = [
                        row.false_negatives,
                        row.taken_otherwise,
                        row.answered_otherwise,
                    ];
                    assert_eq!((wrong, &*row.error), ([0; 3], ""), "{row:?}");
                    let may_differ = relocates && row.inserted == "by from_keys";
                    assert_eq!(
                        row.stored_otherwise,
                        (!may_differ).then_some(false),
                        "{row:?}"
                    );
                    assert_eq!(row.members_asked < 3_000, rejects, "{row:?}");
                    assert_eq!(row.size_bits > FAR_BITS, room == Room::Far, "{row:?}");
                    assert_eq!(row.false_positives > 0, room != Room::Far, "{row:?}");
                }
            }
        }
    }

    /// A filter that promises nothing and has no batches is asked singly alone.
    #[test]
    fn what_has_one_way_has_one_row() {
        let baseline = filters().into_iter().find(|entry| entry.role == "baseline");
        let rows = cell(baseline.unwrap(), Room::Fitting).measure();
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!((&*rows[0].inserted, &*rows[0].asked), ("singly", "singly"));
        assert_eq!(rows[0].stored_otherwise, None);
    }

    #[test]
    fn a_filter_that_cannot_be_made_is_a_row() {
        let mut filter = filters().swap_remove(0);
        filter.build = Box::new(|_| anyhow::bail!("no room"));
        let rows = cell(filter, Room::Far).measure();
        assert_eq!((rows.len(), &*rows[0].error), (1, "no room"));
    }
}
