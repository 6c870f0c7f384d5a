//! What an evaluation, or a part of one, has to compare.

use super::{Figures, Measure};
use crate::{judge, number};
use bouquet_ground::record::{Observation, Records, Sweep};

/// Of all ways to ask.
const FALSE_NEGATIVES: &str = "false negatives";
/// Of filters of which both were asked.
const OTHERWISE: &str = "answered otherwise than by single calls";

pub fn figures(records: &Records) -> Figures {
    let judgement = judge::judge(records);
    let mut figures = super::locations(records, &judgement.locations);
    for row in records.fpr.iter().chain(&records.churn) {
        let missing = row.false_negatives + row.batch_false_negatives.unwrap_or_default();
        figures.count(&row.filter, FALSE_NEGATIVES, missing);
        if let Some(differ) = row.batch_differ {
            figures.count(&row.filter, OTHERWISE, differ);
        }
        let is_sound = figures.is_sound(&row.filter, &row.error);
        if is_sound && row.sweep != Sweep::Churn {
            let (hits, asked) = (row.false_positives, row.non_members);
            figures.rate(&row.filter, point(row), hits, asked);
        }
    }
    for row in &records.memory {
        if figures.is_sound(&row.filter, &row.error) {
            let what = format!(
                "bytes for {} keys at {}",
                number::count(row.capacity),
                number::significant(row.x, 3)
            );
            figures.put(&row.filter, what, Measure::Exact(row.memory_bytes as f64));
        }
    }
    // The rate of a filter when its keys have come and gone.
    for lifecycle in &judgement.lifecycles {
        if let Some(last) = lifecycle.rounds.last() {
            let what = format!(
                "FPR after round {} of churn, {} keys, {}, {}",
                last.of.step,
                number::count(last.of.capacity),
                last.of.key_set,
                last.of.experiment
            );
            let (hits, asked) = (last.of.false_positives, last.of.non_members);
            figures.rate(&last.of.filter, what, hits, asked);
        }
    }
    figures
}

fn point(row: &Observation) -> String {
    format!(
        "FPR, {} {}, {} keys, {}, {}",
        row.sweep.name(),
        number::significant(row.x, 4),
        number::count(row.capacity),
        row.key_set,
        row.experiment
    )
}
