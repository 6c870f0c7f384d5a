//! All rates of a filter together against theory.

use super::{Check, Collector, check, is_of_a_peer};
use crate::groups::grouped;
use bouquet_ground::record::Observation;

/// A filter over all its points.
#[derive(Clone, PartialEq, Debug)]
pub struct Overall {
    pub filter: String,
    /// Filters that were filled and asked.
    pub replicates: usize,
    pub check: Check,
    pub z: f64,
}

/// Judges every filter, in the order of the records.
pub(super) fn judge(collector: &mut Collector<'_>) -> Vec<Overall> {
    let sound = collector.records.fpr.iter();
    let is_judged =
        |row: &&Observation| row.error.is_empty() && !is_of_a_peer(collector.records, &row.filter);
    let sound = sound.filter(is_judged);
    let mut all = Vec::new();
    for (filter, rows) in grouped(sound, |row| &row.filter) {
        let Some((check, z)) = check::overall(&rows, collector.overall_alpha) else {
            continue;
        };
        let what = format!("FPR of {filter} over all its points");
        collector.add(check.outcome, (filter, ""), what, check.by_how_much());
        all.push(Overall {
            filter: filter.clone(),
            replicates: rows.len(),
            check,
            z,
        });
    }
    all
}
