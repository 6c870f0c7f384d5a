//! One filter, filled and asked: a replicate of a point of an FPR sweep.

use anyhow::Result;

use super::{Fitted, guarded, strangers_for};
use crate::experiment::Sweep;
use crate::registry::Subject;
use crate::ways::{self, Out, count};
use crate::workload::Workload;
use bouquet_ground::record::FprRow;
use bouquet_ground::staging::interrupted;
use bouquet_stats::LOW_FPR;

pub struct FprCell {
    pub of: Fitted,
    pub sweep: Sweep,
    pub x: f64,
    /// False positives to expect.
    pub hits: f64,
    /// The same where the rate is too low for more than a ceiling.
    pub gate_hits: f64,
    pub max_strangers: u64,
}

impl FprCell {
    pub fn measure(&self) -> FprRow {
        guarded(|| self.run()).unwrap_or_else(|error| FprRow {
            error,
            ..self.row()
        })
    }

    fn run(&self) -> Result<FprRow> {
        let Fitted { capacity, .. } = self.of;
        let load = if self.sweep == Sweep::Load {
            self.x
        } else {
            1.0
        };
        let keys = (capacity as f64 * load).round() as u64;
        let workload = self.of.workload(keys)?;
        let mut filter = self.of.make()?;
        let mut accepted = Vec::with_capacity(keys as usize);
        workload.members(|key| accepted.push(filter.insert(key)));
        let state = filter.state(count(&accepted));
        let mut members = Members::of(&accepted);
        members.ask(&*filter, &workload, &accepted);
        let hits = if state.expected_fpr <= LOW_FPR {
            self.hits.min(self.gate_hits)
        } else {
            self.hits
        };
        let most = self.max_strangers;
        let strangers = strangers_for(hits, state.expected_fpr, most, &self.of.keys);
        let others = ways::Count::of(&*filter, |ask| {
            workload.strangers(strangers, |key| {
                ask(key);
                !interrupted()
            });
        });
        // Asking changes nothing: the members are still there.
        members.ask(&*filter, &workload, &accepted);
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
            refused: keys - count(&accepted),
            members_asked: members.denied.len() as u64,
            false_negatives: count(&members.denied),
            strangers_asked: others.asked,
            false_positives: others.singly,
            batch_false_negatives: others.batches.map(|_| count(&members.denied_in_batches)),
            batch_false_positives: others.batches.map(|others| others.present),
            batch_otherwise: others
                .batches
                .map(|others| count(&members.otherwise) + others.otherwise),
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
            experiment: of.experiment.clone(),
            filter: of.filter.name.into(),
            dataset: of.keys.name().into(),
            sweep: self.sweep.name().into(),
            x: self.x,
            capacity: of.capacity,
            target_fpr: of
                .size
                .columns()
                .0
                .filter(|_| of.filter.fixed_size.is_none()),
            replicate: of.replicate,
            seed: of.seed,
            ..FprRow::default()
        }
    }
}

/// What was ever answered wrongly for the members that were accepted, a mark a key.
struct Members {
    denied: Vec<bool>,
    denied_in_batches: Vec<bool>,
    /// By batches otherwise than by single calls.
    otherwise: Vec<bool>,
}

impl Members {
    fn of(accepted: &[bool]) -> Self {
        let none = vec![false; count(accepted) as usize];
        Self {
            denied: none.clone(),
            denied_in_batches: none.clone(),
            otherwise: none,
        }
    }

    /// Asks for each of them by every way.
    fn ask(&mut self, filter: &dyn Subject, workload: &Workload<'_>, accepted: &[bool]) {
        let mut taken = accepted.iter();
        let feed = |ask: &mut ways::Give<'_>| {
            workload.members(|key| {
                if taken.next() == Some(&true) {
                    ask(key);
                }
            });
        };
        let mut first = 0;
        ways::ask(filter, feed, |answers| {
            let singly = answers.singly();
            let at = first..first + singly.len();
            first = at.end;
            mark(
                &mut self.denied[at.clone()],
                singly.iter().map(|held| !held),
            );
            if let Some(batch) = answers.of(Out::Batches) {
                let denied = &mut self.denied_in_batches[at.clone()];
                mark(denied, batch.iter().map(|held| !held));
                let both = batch.iter().zip(singly);
                mark(
                    &mut self.otherwise[at],
                    both.map(|(batch, singly)| batch != singly),
                );
            }
        });
    }
}

fn mark(marks: &mut [bool], wrong: impl Iterator<Item = bool>) {
    for (mark, wrong) in marks.iter_mut().zip(wrong) {
        *mark |= wrong;
    }
}
