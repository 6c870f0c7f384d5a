//! Did a filter keep its keys through its lifecycle, and can it distinguish keys?

use serde::Serialize;

use super::{Collector, OTHERWISE, Outcome, error, false_negatives_of, not_allowed, of, promises};
use crate::{groups::grouped, number};
use bouquet_ground::record::{LocationSetsRow, PhaseRow};
use bouquet_stats::CountLaw;

/// A phase of filters of one make on one data set, over its replicates.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Phase {
    pub filter: String,
    pub dataset: String,
    pub capacity: u64,
    pub target_fpr: Option<f64>,
    pub bits_per_key: Option<f64>,
    pub phase: String,
    pub replicates: usize,
    pub inserted: u64,
    pub rejected: u64,
    pub removed: u64,
    pub removals_rejected: u64,
    pub members_asked: u64,
    pub false_negatives: u64,
    /// The same keys asked in batches: false negatives, and answered otherwise than by single
    /// calls; `None` where they were not.
    pub batch_false_negatives: Option<u64>,
    pub batch_otherwise: Option<u64>,
    #[serde(rename = "verdict")]
    pub outcome: Outcome,
}

/// Judges every phase: there may be no false negative, of a filter that
/// promises so.
pub(super) fn phases(collector: &mut Collector<'_>) -> Vec<Phase> {
    let records = collector.records;
    let groups = grouped(&records.phases, |row| {
        (
            &row.filter,
            &row.dataset,
            row.capacity,
            row.target_fpr.map(f64::to_bits),
            row.bits_per_key.map(f64::to_bits),
            &row.phase,
        )
    });
    groups
        .iter()
        .map(|(_, rows)| phase(collector, rows))
        .collect()
}

fn phase(collector: &mut Collector<'_>, rows: &[&PhaseRow]) -> Phase {
    let first = rows[0];
    let sum = |of: fn(&PhaseRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
    let each =
        |of: fn(&PhaseRow) -> Option<u64>| rows.iter().map(|row| of(row)).sum::<Option<u64>>();
    let mut phase = Phase {
        filter: first.filter.clone(),
        dataset: first.dataset.clone(),
        capacity: first.capacity,
        target_fpr: first.target_fpr,
        bits_per_key: first.bits_per_key,
        phase: first.phase.clone(),
        replicates: rows.len(),
        inserted: sum(|row| row.inserted),
        rejected: sum(|row| row.rejected),
        removed: sum(|row| row.removed),
        removals_rejected: sum(|row| row.removals_rejected),
        members_asked: sum(|row| row.members_asked),
        false_negatives: sum(|row| row.false_negatives),
        batch_false_negatives: each(|row| row.batch_false_negatives),
        batch_otherwise: each(|row| row.batch_otherwise),
        outcome: Outcome::Pass,
    };
    let error = error(rows.iter().map(|row| &row.error));
    let wrong = error.map_or_else(|| wrong(collector, &phase), |error| vec![error]);
    phase.outcome = Outcome::fails_if(!wrong.is_empty());
    let what = format!("members of {} after {:?}", first.filter, first.phase);
    let on = (&*first.filter, &*first.dataset);
    collector.add(phase.outcome, on, what, wrong.join("; "));
    phase
}

/// What is wrong after a phase, in words.
fn wrong(collector: &Collector<'_>, phase: &Phase) -> Vec<String> {
    let mut wrong = Vec::new();
    if promises(collector.records, &phase.filter) {
        let in_batches = phase.batch_false_negatives.unwrap_or_default();
        for (missing, of) in [
            (phase.false_negatives, "members"),
            (in_batches, "members asked in batches"),
        ] {
            if missing > 0 {
                wrong.push(false_negatives_of(missing, phase.members_asked, of));
            }
        }
        let rejected = phase.removals_rejected;
        if rejected > 0 {
            wrong.push(not_allowed(
                rejected,
                phase.removed,
                "removals of members rejected",
            ));
        }
    }
    if let Some(differ @ 1..) = phase.batch_otherwise {
        wrong.push(of(differ, phase.members_asked, OTHERWISE));
    }
    wrong
}

/// Keys of a geometry that share all their locations, against chance.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SharedLocations {
    pub filter: String,
    pub dataset: String,
    pub slots: u64,
    pub probes: u32,
    pub keys: u64,
    pub pairs: u64,
    pub expected_pairs: f64,
    /// At capacity, the FPR that such keys alone would have to cause to be found
    /// nine times in ten.
    pub floor_seen: f64,
    #[serde(rename = "verdict")]
    pub outcome: Outcome,
}

/// Judges all of which something is claimed.
pub(super) fn location_sets(collector: &mut Collector<'_>) -> Vec<SharedLocations> {
    let mut all = Vec::new();
    for row in &collector.records.location_sets {
        let shared = shared(row, 1.0 - collector.strict);
        let (outcome, by) = match &shared {
            _ if !row.error.is_empty() => (Outcome::Fail, format!("error: {}", row.error)),
            None => continue,
            Some(shared) => {
                let expected = number::significant(shared.expected_pairs, 2);
                let by = format!(
                    "{} pairs, {expected} by chance",
                    number::count(shared.pairs)
                );
                (shared.outcome, by)
            }
        };
        let what = format!("keys of {} that share all locations", row.filter);
        collector.add(outcome, (&row.filter, &row.dataset), what, by);
        all.extend(shared);
    }
    all
}

fn shared(row: &LocationSetsRow, alpha: f64) -> Option<SharedLocations> {
    let (pairs, mean) = (row.pairs?, row.expected_pairs?);
    let law = CountLaw::Poisson { mean };
    let upper = law.tails(pairs as f64, 0.0).upper;
    let keys = row.keys as f64;
    Some(SharedLocations {
        filter: row.filter.clone(),
        dataset: row.dataset.clone(),
        slots: row.slots,
        probes: row.probes,
        keys: row.keys,
        pairs,
        expected_pairs: mean,
        floor_seen: row.capacity as f64 * law.mean_seen(alpha) / (keys * (keys - 1.0) / 2.0),
        outcome: Outcome::fails_if(upper < alpha),
    })
}
