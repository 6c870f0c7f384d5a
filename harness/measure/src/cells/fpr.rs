//! Fills one filter and looks up keys in it: one replicate of one point of an FPR sweep.

use anyhow::{Result, ensure};

use super::{Fitted, guarded, non_members_for, stating};
use crate::answers::{Give, ask, count, differing};
use crate::registry::{Size, State};
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
        let keys = self.keys();
        let workload = self.of.workload(keys)?;
        let mut filter = self.of.make()?;
        let mut accepted = Vec::with_capacity(keys as usize);
        workload.members(|key| accepted.push(filter.insert(key)));
        let members = count(&accepted);
        let state = filter.state(members).agreed()?;
        // The false negatives by single calls and in batches, and the differing answers.
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
        // Lookups must not change the filter: the members are looked up again and must still be
        // present.
        let after = look_up_members();
        let [missing, missing_in_batches, differ] = [0, 1, 2].map(|i| before[i].max(after[i]));
        if self.of.filter.grows && self.of.filter.role == "ours" {
            workload.members(|key| _ = filter.insert(key));
            let (before, after) = (state.memory_bytes, filter.state(members).memory_bytes);
            ensure!(
                before == after,
                "grew from {before} to {after} bytes when its own keys were inserted again"
            );
        }
        if self.sweep == Sweep::BitsPerKey && self.of.filter.fixed_size.is_some() {
            // The size cannot be chosen, so x is the size that the filter has.
            row.x = state.size_bits as f64 / self.of.capacity as f64;
        }
        Ok(Observation {
            keys,
            rejected: keys - members,
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
