//! What an evaluation, or a part of one, has to compare.

use super::{Figures, Measure};
use crate::{judge, number};
use bouquet_ground::record::{FprRow, Records};

/// Of all ways to ask.
const FALSE_NEGATIVES: &str = "false negatives";
/// Of filters of which both were asked.
const OTHERWISE: &str = "answered otherwise than by single calls";

pub fn figures(records: &Records) -> Figures {
    let judgement = judge::judge(records);
    let mut figures = super::locations(records, &judgement.locations);
    rates(&mut figures, records);
    for row in &records.memory {
        if figures.is_sound(&row.filter, &row.error) {
            let what = format!(
                "bytes for {} keys at {}",
                number::count(row.capacity),
                number::significant(row.target_fpr, 3)
            );
            figures.put(&row.filter, what, Measure::Exact(row.memory_bytes as f64));
        }
    }
    for row in &records.churn {
        figures.count(&row.filter, FALSE_NEGATIVES, row.false_negatives);
        figures.is_sound(&row.filter, &row.error);
    }
    // The rate of a filter when its keys have come and gone.
    for lifecycle in &judgement.lifecycles {
        if let Some(last) = lifecycle.rounds.last() {
            let what = format!(
                "FPR after round {} of churn, {} keys, {}, {}",
                last.of.round,
                number::count(lifecycle.capacity),
                lifecycle.dataset,
                lifecycle.experiment
            );
            figures.rate(
                &lifecycle.filter,
                what,
                last.of.false_positives,
                last.of.non_members_asked,
            );
        }
    }
    figures
}

/// What was asked one by one and in batches.
fn rates(figures: &mut Figures, records: &Records) {
    for row in &records.fpr {
        let in_batches = (row.batch_false_negatives, row.batch_otherwise);
        answers(figures, &row.filter, row.false_negatives, in_batches);
        if figures.is_sound(&row.filter, &row.error) {
            let (hits, asked) = (row.false_positives, row.non_members_asked);
            figures.rate(&row.filter, point(row), hits, asked);
        }
    }
}

/// In batches the false negatives, and those answered otherwise than one by one.
fn answers(
    figures: &mut Figures,
    filter: &str,
    missing: u64,
    (in_batches, otherwise): (Option<u64>, Option<u64>),
) {
    figures.count(
        filter,
        FALSE_NEGATIVES,
        missing + in_batches.unwrap_or_default(),
    );
    if let Some(otherwise) = otherwise {
        figures.count(filter, OTHERWISE, otherwise);
    }
}

fn point(row: &FprRow) -> String {
    format!(
        "FPR, {} {}, {} keys, {}, {}",
        row.sweep,
        number::significant(row.x, 4),
        number::count(row.capacity),
        row.dataset,
        row.experiment
    )
}
