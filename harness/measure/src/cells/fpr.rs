//! Fills one filter and looks up keys in it: one replicate of one point of an FPR sweep.

use anyhow::{Result, ensure};

use super::{Fitted, guarded, non_members_for, stating};
use crate::answers::{Answers, Give, ask, count, differing};
use crate::registry::{Size, State, Subject};
use crate::workload::Workload;
use bouquet_record::interrupt::interrupted;
use bouquet_record::{Observation, Sweep};
use bouquet_stats::LOW_FPR;

pub struct FprCell {
    pub of: Fitted,
    pub sweep: Sweep,
    pub x: f64,
    /// False positives to expect.
    pub hits: f64,
    /// False positives to expect at a low FPR.
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

    fn keys(&self) -> u64 {
        (self.of.capacity as f64 * self.sweep.load(self.x)).round() as u64
    }

    fn non_members(&self, state: &State) -> u64 {
        // The expected FPR that a peer reports may be far off.
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
        let (capacity, keys) = (self.of.capacity, self.keys());
        let workload = self.of.workload(keys)?;
        let mut filter = self.of.make()?;
        let mut accepted = Vec::with_capacity(keys as usize);
        workload.members(|key| accepted.push(filter.insert(key)));
        let state = filter.state(count(&accepted)).agreed()?;
        let look_up_members = || accepted_members(&*filter, &workload, &accepted);
        let before = look_up_members();
        let non_members = self.non_members(&state);
        let mut row = self.row();
        let non_members = |give: &mut Give<'_>| {
            workload.non_members(non_members, |key| {
                give(key);
                !interrupted()
            });
        };
        ask(&*filter, non_members, |singly, batches| {
            row.non_members += singly.len() as u64;
            row.false_positives += count(singly);
            if let Some(found) = batches {
                *row.batch_false_positives.get_or_insert_default() += count(found);
                *row.batch_differ.get_or_insert_default() += differing(found, singly);
            }
        });
        // Lookups must not change the filter: the members are looked up again and must still be
        // present.
        let members = Members([before, look_up_members()]);
        let taken = count(&accepted);
        let differ = members.wrong_in_batches(|found, singly| found != singly);
        if self.of.filter.grows && self.of.filter.role == "ours" {
            workload.members(|key| _ = filter.insert(key));
            let (before, after) = (state.memory_bytes, filter.state(taken).memory_bytes);
            ensure!(
                before == after,
                "grew from {before} to {after} bytes when its own keys were inserted again"
            );
        }
        Ok(Observation {
            // If the size cannot be chosen, x is the size that the filter has.
            x: match self.sweep {
                Sweep::BitsPerKey if self.of.filter.fixed_size.is_some() => {
                    state.size_bits as f64 / capacity as f64
                }
                Sweep::BitsPerKey
                | Sweep::Load
                | Sweep::TargetFpr
                | Sweep::Churn
                | Sweep::Memory => self.x,
            },
            keys,
            rejected: keys - taken,
            members: taken,
            false_negatives: members.wrong(|pass, i| !pass.singly[i]),
            batch_false_negatives: row
                .batch_differ
                .map(|_| members.wrong_in_batches(|found, _| !found)),
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

/// The answers for the accepted members in two passes. A member counts as wrong if it is wrong in
/// either pass.
struct Members([Answers; 2]);

impl Members {
    fn wrong(&self, is_wrong: impl Fn(&Answers, usize) -> bool) -> u64 {
        let members = 0..self.0[0].singly.len();
        let wrong = members.filter(|i| self.0.iter().any(|pass| is_wrong(pass, *i)));
        wrong.count() as u64
    }

    /// Counts members by comparing the answers in batches with those of single calls.
    fn wrong_in_batches(&self, is_wrong: fn(bool, bool) -> bool) -> u64 {
        self.wrong(|pass, i| {
            let batches = pass.batches.as_ref();
            batches.is_some_and(|own| is_wrong(own[i], pass.singly[i]))
        })
    }
}

/// Looks up the members that were accepted.
fn accepted_members(filter: &dyn Subject, workload: &Workload<'_>, accepted: &[bool]) -> Answers {
    let mut taken = accepted.iter();
    Answers::of(filter, |give| {
        workload.members(|key| {
            if taken.next() == Some(&true) {
                give(key);
            }
        });
    })
}
