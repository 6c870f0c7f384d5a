//! Can a filter distinguish keys?

use serde::Serialize;

use super::{Collector, Outcome};
use crate::{battery::count_law, number};
use bouquet_ground::record::TestRow;

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
pub(super) fn judge(collector: &mut Collector<'_>) -> Vec<SharedLocations> {
    let mut all = Vec::new();
    for row in &collector.records.location_sets {
        let shared = shared(row, collector.alpha);
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
        let what = format!("keys of {} that share all locations", row.subject);
        collector.add(outcome, (&row.subject, &row.key_set), what, by);
        all.extend(shared);
    }
    all
}

fn shared(row: &TestRow, alpha: f64) -> Option<SharedLocations> {
    let law = count_law(row)?;
    let upper = law.tails(row.statistic, 0.0).upper;
    let keys = row.keys as f64;
    let pairs_of_keys = keys * (keys - 1.0) / 2.0;
    Some(SharedLocations {
        filter: row.subject.clone(),
        dataset: row.key_set.clone(),
        slots: row.slots,
        probes: row.probes,
        keys: row.keys,
        pairs: row.statistic as u64,
        expected_pairs: law.mean(),
        floor_seen: row.capacity? as f64 * law.mean_seen(alpha) / pairs_of_keys,
        outcome: Outcome::fails_if(upper < alpha),
    })
}
