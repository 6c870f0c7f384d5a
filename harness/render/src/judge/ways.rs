//! Is a filter the same, whichever way keys go in and whichever way it is asked?

use serde::Serialize;

use super::{Collector, Outcome, promises};
use crate::{groups::grouped, number};
use bouquet_ground::record::WaysRow;

/// Filters of one make, filled by one way and asked by one, over their replicates.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Way {
    pub filter: String,
    pub dataset: String,
    pub capacity: u64,
    pub inserted: String,
    pub asked: String,
    pub replicates: usize,
    pub keys: u64,
    pub rejected: u64,
    pub members_asked: u64,
    pub false_negatives: u64,
    pub non_members_asked: u64,
    pub false_positives: u64,
    /// Against the same filter filled and asked by single calls: keys answered and
    /// keys taken otherwise, and filters that are stored otherwise or call another
    /// number of keys new.
    pub answered_otherwise: u64,
    pub taken_otherwise: u64,
    pub stored_otherwise: u64,
    pub new_otherwise: u64,
    #[serde(rename = "verdict")]
    pub outcome: Outcome,
}

impl Way {
    /// Several, made one, whatever their keys and sizes; `None` for none.
    pub fn pool<'a>(ways: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        let mut ways = ways.into_iter();
        let mut whole = ways.next()?.clone();
        for way in ways {
            whole.replicates += way.replicates;
            whole.keys += way.keys;
            whole.rejected += way.rejected;
            whole.members_asked += way.members_asked;
            whole.false_negatives += way.false_negatives;
            whole.non_members_asked += way.non_members_asked;
            whole.false_positives += way.false_positives;
            whole.answered_otherwise += way.answered_otherwise;
            whole.taken_otherwise += way.taken_otherwise;
            whole.stored_otherwise += way.stored_otherwise;
            whole.new_otherwise += way.new_otherwise;
            whole.outcome = whole.outcome.max(way.outcome);
        }
        Some(whole)
    }

    /// What it does otherwise than by single calls, in words; empty if nothing.
    fn otherwise(&self) -> Vec<String> {
        let keys = self.members_asked + self.non_members_asked;
        let filters = self.replicates as u64;
        let all = [
            (self.answered_otherwise, keys, super::OTHERWISE),
            (
                self.taken_otherwise,
                self.keys,
                "keys taken or rejected otherwise than by single calls",
            ),
            (
                self.stored_otherwise,
                filters,
                "filters stored as other bytes than when filled by single calls",
            ),
            (
                self.new_otherwise,
                filters,
                "filters called another number of keys new than single calls do",
            ),
        ];
        let wrong = all.into_iter().filter(|(count, ..)| *count > 0);
        wrong
            .map(|(count, whole, words)| super::of(count, whole, words))
            .collect()
    }
}

/// Judges every way: there may be no false negative, of a filter that promises
/// so, and nothing may be otherwise than by single calls.
pub(super) fn judge(collector: &mut Collector<'_>) -> Vec<Way> {
    let records = collector.records;
    let groups = grouped(&records.ways, |row| {
        (
            &row.experiment,
            &row.filter,
            &row.dataset,
            row.capacity,
            row.target_fpr.map(f64::to_bits),
            row.bits_per_key.map(f64::to_bits),
            &row.inserted,
            &row.asked,
        )
    });
    groups
        .iter()
        .filter_map(|(_, rows)| way(collector, rows))
        .collect()
}

fn way(collector: &mut Collector<'_>, rows: &[&WaysRow]) -> Option<Way> {
    let first = rows[0];
    let on = (&*first.filter, &*first.dataset);
    if let Some(by) = super::error(rows.iter().map(|row| &row.error)) {
        collector.add(Outcome::Fail, on, what(first), by);
        return None;
    }
    let sound: Vec<Way> = rows.iter().map(|row| of(row)).collect();
    let mut way = Way::pool(&sound)?;
    let mut wrong = way.otherwise();
    if promises(collector.records, &way.filter) && way.false_negatives > 0 {
        let false_negatives_of =
            super::false_negatives_of(way.false_negatives, way.members_asked, "members");
        wrong.insert(0, false_negatives_of);
    }
    way.outcome = Outcome::fails_if(!wrong.is_empty());
    collector.add(way.outcome, on, what(first), wrong.join("; "));
    Some(way)
}

/// A way, or as much of it as there was before an error.
fn what(row: &WaysRow) -> String {
    let (filter, dataset) = (&row.filter, &row.dataset);
    if row.inserted.is_empty() {
        return format!("ways into {filter} and out of it, on {dataset}");
    }
    let asked = match &*row.asked {
        "" => String::new(),
        way => format!(" and asked {way}"),
    };
    let (inserted, capacity) = (&row.inserted, number::count(row.capacity));
    format!("{filter} inserted {inserted}{asked}, sized for {capacity} keys, on {dataset}")
}

fn of(row: &WaysRow) -> Way {
    let some = |flag: Option<bool>| u64::from(flag == Some(true));
    Way {
        filter: row.filter.clone(),
        dataset: row.dataset.clone(),
        capacity: row.capacity,
        inserted: row.inserted.clone(),
        asked: row.asked.clone(),
        replicates: 1,
        keys: row.keys,
        rejected: row.rejected,
        members_asked: row.members_asked,
        false_negatives: row.false_negatives,
        non_members_asked: row.non_members_asked,
        false_positives: row.false_positives,
        answered_otherwise: row.answered_otherwise,
        taken_otherwise: row.taken_otherwise,
        stored_otherwise: some(row.stored_otherwise),
        new_otherwise: some(row.new_otherwise),
        outcome: Outcome::Pass,
    }
}
