//! One filter, filled and asked: a replicate of a point of an FPR sweep.

use anyhow::Result;

use super::{Fitted, guarded, non_members_for};
use crate::answers::{Answers, Count, count};
use crate::experiment::Sweep;
use crate::registry::{Size, State, Subject};
use crate::workload::Workload;
use bouquet_ground::interrupt::interrupted;
use bouquet_ground::record::FprRow;
use bouquet_stats::LOW_FPR;

pub struct FprCell {
    pub of: Fitted,
    pub sweep: Sweep,
    pub x: f64,
    /// False positives to expect.
    pub hits: f64,
    /// The same of a low rate.
    pub low_hits: f64,
    pub max_non_members: u64,
}

impl FprCell {
    pub fn measure(&self) -> FprRow {
        guarded(|| self.run()).unwrap_or_else(|error| FprRow {
            error,
            ..self.row()
        })
    }

    fn keys(&self) -> u64 {
        let load = if self.sweep == Sweep::Load {
            self.x
        } else {
            1.0
        };
        (self.of.capacity as f64 * load).round() as u64
    }

    fn non_members(&self, state: &State) -> u64 {
        // What others say of their FPR may be far off.
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

    fn run(&self) -> Result<FprRow> {
        let (capacity, keys) = (self.of.capacity, self.keys());
        let workload = self.of.workload(keys)?;
        let mut filter = self.of.make()?;
        let mut accepted = Vec::with_capacity(keys as usize);
        workload.members(|key| accepted.push(filter.insert(key)));
        let state = filter.state(count(&accepted)).agreed()?;
        let look_up_members = || accepted_members(&*filter, &workload, &accepted);
        let before = look_up_members();
        let non_members = self.non_members(&state);
        let others = Count::of(&*filter, |give| {
            workload.non_members(non_members, |key| {
                give(key);
                !interrupted()
            });
        });
        // Asking changes nothing: the members are still there.
        let members = Members([before, look_up_members()]);
        let taken = count(&accepted);
        let row = self.row();
        Ok(FprRow {
            // Where the size cannot be chosen, what came of it.
            x: match (self.sweep, self.of.filter.fixed_size) {
                (Sweep::BitsPerKey, Some(_)) => state.size_bits as f64 / capacity as f64,
                _ => self.x,
            },
            size_bits: state.size_bits,
            hashes: state.hashes,
            memory_bytes: state.memory_bytes,
            keys,
            rejected: keys - taken,
            members_asked: taken,
            false_negatives: members.wrong(|pass, i| !pass.singly[i]),
            non_members_asked: others.asked,
            false_positives: others.singly,
            batch_false_negatives: others
                .batches
                .map(|_| members.wrong_in_batches(|found, _| !found)),
            batch_false_positives: others.batches.map(|others| others.present),
            batch_otherwise: others.batches.map(|others| {
                members.wrong_in_batches(|found, singly| found != singly) + others.otherwise
            }),
            fill_ratio: state.fill_ratio,
            expected_fill: state.expected_fill.map(|(mean, _)| mean),
            expected_fill_sd: state.expected_fill.map(|(_, sd)| sd),
            fpr_given_bits: state.fpr_given_bits,
            expected_fpr: state.expected_fpr,
            expected_fpr_sd: state.expected_fpr_sd,
            ..row
        })
    }

    fn row(&self) -> FprRow {
        let of = &self.of;
        FprRow {
            sweep: self.sweep.name().into(),
            x: self.x,
            target_fpr: of.target_fpr(),
            replicate: of.replicate,
            ..row_of!(FprRow, of)
        }
    }
}

/// The answers for the members that were accepted, in two passes: wrong in either is
/// wrong.
struct Members([Answers; 2]);

impl Members {
    fn wrong(&self, is_wrong: impl Fn(&Answers, usize) -> bool) -> u64 {
        let members = 0..self.0[0].singly.len();
        let wrong = members.filter(|i| self.0.iter().any(|pass| is_wrong(pass, *i)));
        wrong.count() as u64
    }

    /// By the answers in batches and to single calls.
    fn wrong_in_batches(&self, is_wrong: fn(bool, bool) -> bool) -> u64 {
        self.wrong(|pass, i| {
            let batches = pass.batches.as_ref();
            batches.is_some_and(|own| is_wrong(own[i], pass.singly[i]))
        })
    }
}

/// The answers for the members that were accepted.
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
