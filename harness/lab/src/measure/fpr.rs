//! One filter, filled and asked: a replicate of a point of an FPR sweep.

use std::sync::Arc;

use anyhow::Result;

use super::{guarded, strangers_for};
use crate::experiment::Sweep;
use crate::registry::{Ask, Entry, Size, State, Subject};
use crate::ways::{self, Out};
use crate::workload::{KeySet, Workload};
use bouquet_ground::record::FprRow;
use bouquet_ground::staging::interrupted;
use bouquet_stats::LOW_FPR;

pub struct FprCell {
    pub experiment: String,
    pub filter: Arc<Entry>,
    pub keys: Arc<KeySet>,
    pub sweep: Sweep,
    pub x: f64,
    pub capacity: u64,
    pub target_fpr: Option<f64>,
    pub replicate: u32,
    pub seed: u64,
    /// False positives to expect.
    pub hits: f64,
    /// The same where the rate is too low for more than a ceiling.
    pub gate_hits: f64,
    pub max_strangers: u64,
}

/// What was counted.
#[derive(Default)]
struct Counts {
    keys: u64,
    refused: u64,
    members_asked: u64,
    false_negatives: u64,
    strangers_asked: u64,
    false_positives: u64,
    batches: Option<Batches>,
}

/// The same of the same keys, asked in batches.
struct Batches {
    false_negatives: u64,
    false_positives: u64,
    /// Keys that are answered otherwise than by single calls.
    otherwise: u64,
}

impl FprCell {
    pub fn measure(&self) -> FprRow {
        match guarded(|| self.run()) {
            Ok((counts, state)) => self.row(&counts, Some(&state), String::new()),
            Err(error) => self.row(&Counts::default(), None, error),
        }
    }

    fn run(&self) -> Result<(Counts, State)> {
        let (size, load) = match (self.sweep, self.target_fpr) {
            (Sweep::Load, Some(fpr)) => (Size::TargetFpr(fpr), self.x),
            (Sweep::TargetFpr, _) => (Size::TargetFpr(self.x), 1.0),
            _ => (Size::BitsPerKey(self.x), 1.0),
        };
        let members = (self.capacity as f64 * load).round() as u64;
        let workload = Workload::new(&self.keys, self.seed, members)?;
        let ask = Ask {
            capacity: self.capacity,
            size,
            seed: self.seed,
        };
        let mut filter = (self.filter.build)(&ask)?;
        let mut counts = Counts {
            keys: members,
            ..Counts::default()
        };
        let accepted = fill(&mut *filter, &workload, &mut counts);
        let state = filter.state(members - counts.refused);
        let mut members = Members::of(&accepted);
        members.ask(&*filter, &workload, &accepted);
        let hits = if state.expected_fpr <= LOW_FPR {
            self.hits.min(self.gate_hits)
        } else {
            self.hits
        };
        let strangers = strangers_for(hits, state.expected_fpr, self.max_strangers, &self.keys);
        let others = ways::Count::of(&*filter, |ask| {
            workload.strangers(strangers, |key| {
                ask(key);
                !interrupted()
            });
        });
        // Asking changes nothing: the members are still there.
        members.ask(&*filter, &workload, &accepted);
        counts.members_asked = members.denied.len() as u64;
        counts.false_negatives = marked(&members.denied);
        counts.strangers_asked = others.asked;
        counts.false_positives = others.singly;
        counts.batches = others.batches.map(|others| Batches {
            false_negatives: marked(&members.denied_in_batches),
            false_positives: others.present,
            otherwise: marked(&members.otherwise) + others.otherwise,
        });
        Ok((counts, state))
    }

    fn row(&self, counts: &Counts, state: Option<&State>, error: String) -> FprRow {
        FprRow {
            experiment: self.experiment.clone(),
            filter: self.filter.name.into(),
            dataset: self.keys.name().into(),
            sweep: self.sweep.name().into(),
            // Where the size cannot be chosen, what came of it.
            x: match (self.sweep, self.filter.fixed_size, state) {
                (Sweep::BitsPerKey, Some(_), Some(state)) => {
                    state.size_bits as f64 / self.capacity as f64
                }
                _ => self.x,
            },
            capacity: self.capacity,
            target_fpr: match self.sweep {
                _ if self.filter.fixed_size.is_some() => None,
                Sweep::TargetFpr => Some(self.x),
                _ => self.target_fpr,
            },
            size_bits: state.map_or(0, |s| s.size_bits),
            hashes: state.map_or(0, |s| s.hashes),
            memory_bytes: state.map_or(0, |s| s.memory_bytes),
            replicate: self.replicate,
            seed: self.seed,
            keys: counts.keys,
            refused: counts.refused,
            members_asked: counts.members_asked,
            false_negatives: counts.false_negatives,
            strangers_asked: counts.strangers_asked,
            false_positives: counts.false_positives,
            batch_false_negatives: counts.batches.as_ref().map(|b| b.false_negatives),
            batch_false_positives: counts.batches.as_ref().map(|b| b.false_positives),
            batch_otherwise: counts.batches.as_ref().map(|b| b.otherwise),
            fill_ratio: state.map_or(0.0, |s| s.fill_ratio),
            expected_fill: state.and_then(|s| s.expected_fill).map(|(mean, _)| mean),
            expected_fill_sd: state.and_then(|s| s.expected_fill).map(|(_, sd)| sd),
            fpr_given_bits: state.and_then(|s| s.fpr_given_bits),
            expected_fpr: state.map_or(0.0, |s| s.expected_fpr),
            expected_fpr_sd: state.and_then(|s| s.expected_fpr_sd),
            error,
        }
    }
}

/// Gives all members to the filter; `accepted[i]` tells whether it took the
/// i-th.
fn fill(filter: &mut dyn Subject, workload: &Workload<'_>, counts: &mut Counts) -> Vec<bool> {
    let mut accepted = Vec::with_capacity(counts.keys as usize);
    workload.members(|key| accepted.push(filter.insert(key)));
    counts.refused = accepted.iter().filter(|taken| !**taken).count() as u64;
    accepted
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
        let none = vec![false; marked(accepted) as usize];
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

fn marked(marks: &[bool]) -> u64 {
    marks.iter().filter(|mark| **mark).count() as u64
}
