//! Of the scoreboard one thing is judged: that ours deny no key and do not break.
//! What else it shows is for the reader.

use super::{Bench, Outcome, denied, error, promises};
use crate::groups::grouped;
use bouquet_ground::record::PeerRow;

/// Judges every phase of every filter that promises no false negatives.
pub(super) fn judge(bench: &mut Bench<'_>) {
    let records = bench.records;
    let groups = grouped(&records.peers, |row| {
        let load = (row.load * 10.0) as u64;
        let made_for = (row.capacity, row.target_fpr.to_bits());
        (&row.filter, &row.dataset, &row.phase, load, made_for)
    });
    let ours = groups
        .iter()
        .filter(|(_, rows)| promises(records, &rows[0].filter));
    for (_, rows) in ours {
        let first = rows[0];
        let sum = |of: fn(&PeerRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>();
        let (lost, asked) = (sum(|row| row.false_negatives), sum(|row| row.members_asked));
        let (outcome, by) = match error(rows.iter().map(|row| &row.error)) {
            Some(error) => (Outcome::Fail, error),
            None if asked == 0 => continue,
            None => (Outcome::fails_if(lost > 0), denied(lost, asked, "members")),
        };
        let what = format!(
            "scoreboard, {} at {} times the capacity: members of {} on {}",
            first.phase, first.load, first.filter, first.dataset
        );
        bench.add(outcome, (&first.filter, &first.dataset), what, by);
    }
}
