//! One filter, filled and asked: a replicate of a point of an FPR sweep.

use std::sync::Arc;

use anyhow::Result;

use super::{guarded, strangers_for};
use crate::{
    experiment::Sweep,
    record::FprRow,
    registry::{Ask, Entry, Size, State, Subject},
    staging::interrupted,
    stats::LOW_FPR,
    workload::{KeySet, Workload},
};

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
        let mut denied = vec![false; accepted.len()];
        verify(&*filter, &workload, &accepted, &mut denied);
        let hits = if state.expected_fpr <= LOW_FPR {
            self.hits.min(self.gate_hits)
        } else {
            self.hits
        };
        let strangers = strangers_for(hits, state.expected_fpr, self.max_strangers, &self.keys);
        workload.strangers(strangers, |key| {
            counts.strangers_asked += 1;
            counts.false_positives += u64::from(filter.contains(key));
            !interrupted()
        });
        // Asking changes nothing: the members are still there.
        verify(&*filter, &workload, &accepted, &mut denied);
        counts.members_asked = members - counts.refused;
        counts.false_negatives = denied.iter().filter(|denied| **denied).count() as u64;
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

/// Asks for every member that was accepted, and marks those that are denied.
fn verify(filter: &dyn Subject, workload: &Workload<'_>, accepted: &[bool], denied: &mut [bool]) {
    let mut marks = accepted.iter().zip(denied);
    workload.members(|key| {
        if let Some((true, denied)) = marks.next() {
            *denied |= !filter.contains(key);
        }
    });
}
