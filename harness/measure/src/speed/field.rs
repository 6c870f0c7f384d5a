//! The filters that take part in a speed run, and their rows in the records.

use anyhow::{Result, bail};
use bouquet_catalogue::Family;

use super::{Sharing, definition::Column};
use crate::registry::{Entry, contestants, sharings};
use bouquet_record::groups::grouped;
use bouquet_record::unknown::unknown;
use bouquet_record::{SubjectRow, TimingRow};
use bouquet_stats::{median, proportion};

/// The filters that take part.
pub struct Field {
    pub contestants: Vec<Entry>,
    pub sharings: Vec<Sharing>,
}

impl Field {
    /// The filters with these names, or all of them: those of the grid and those that threads
    /// share.
    pub fn chosen(
        names: &[String],
        quick: bool,
        has_grid: bool,
        has_threads: bool,
    ) -> Result<Self> {
        let mut field = Self {
            contestants: contestants(),
            sharings: sharings(),
        };
        let subjects = field.subjects();
        let known: Vec<&str> = subjects.iter().map(|one| &*one.subject).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
            let hint = "`bouquet evaluate --help` shows ours";
            bail!(unknown("filter", name, &known, hint));
        }
        let all = names.is_empty();
        let is_named = |name: &str| names.iter().any(|one| one == name);
        field
            .contestants
            .retain(|one| has_grid && (is_named(one.name) || (all && (one.is_quick || !quick))));
        let sharings = &mut field.sharings;
        sharings.retain(|one| has_threads && (all || is_named(&one.subject.subject)));
        if field.contestants.is_empty() && field.sharings.is_empty() {
            bail!("nothing to measure: the chosen filters have no part in this");
        }
        Ok(field)
    }

    /// The filters that are compared at a large size: ours, and either all peers or the few that
    /// were fastest in the rows seen so far.
    pub fn of_large(
        &self,
        column: Column,
        seen: &[TimingRow],
        peers: Option<usize>,
    ) -> Vec<&Entry> {
        let fastest = peers.map(|most| fastest_peers(&self.subjects(), seen, column, most));
        let runs = |one: &&Entry| {
            let is_among = |names: &Vec<String>| names.iter().any(|name| name == one.name);
            one.role == "ours" || fastest.as_ref().is_none_or(is_among)
        };
        self.contestants.iter().filter(runs).collect()
    }

    pub fn subjects(&self) -> Vec<SubjectRow> {
        let mut subjects: Vec<SubjectRow> = self.contestants.iter().map(Entry::timed_row).collect();
        for Sharing { subject, .. } in &self.sharings {
            if !subjects.iter().any(|one| one.subject == subject.subject) {
                subjects.push(subject.clone());
            }
        }
        subjects
    }
}

/// The names of the updatable peers that were fastest over all operations, at the largest capacity
/// that was measured with this kind of key and this target FPR.
///
/// Peers that rejected keys, or whose FPR exceeds the target by more than 5 % (95 % interval), are
/// left out.
fn fastest_peers(
    subjects: &[SubjectRow],
    rows: &[TimingRow],
    column: Column,
    many: usize,
) -> Vec<String> {
    let is_wanted = |of: &SubjectRow| of.role == "peer" && of.family != Family::Static.name();
    let alike = |row: &&TimingRow| {
        let mut own = subjects.iter().filter(|of| of.subject == row.subject);
        own.any(is_wanted) && row.keys == column.kind.name() && row.target_fpr == column.target_fpr
    };
    let rows: Vec<&TimingRow> = rows.iter().filter(alike).collect();
    let most = rows.iter().map(|row| row.capacity).max();
    // The order of the rows; the sort below is stable, so filters that are equally fast keep it.
    let last = rows.into_iter().filter(|row| Some(row.capacity) == most);
    let mut peers = grouped(last, |row| &row.subject);
    peers.retain(|(_, own)| {
        let mut took_all = own
            .iter()
            .map(|row| row.error.is_empty() && row.rejected == 0);
        took_all.all(|took| took) && keeps_target(own)
    });
    peers.sort_by(|(_, a), (_, b)| total(a).total_cmp(&total(b)));
    let fastest = peers.into_iter().take(many);
    fastest.map(|(name, _)| name.to_owned()).collect()
}

fn keeps_target(rows: &[&TimingRow]) -> bool {
    let misses = || rows.iter().filter(|row| row.operation == "miss");
    let found = misses().map(|row| row.false_positives).sum();
    let asked = misses().map(|row| row.operations).sum();
    let target = rows.first().map_or(0.0, |row| row.target_fpr);
    proportion(found, asked, 0.95).low <= 1.05 * target
}

/// The sum of the median times of the operations.
fn total(rows: &[&TimingRow]) -> f64 {
    let operations = ["insert", "hit", "miss", "half"];
    let times = operations.map(|operation| {
        let of = rows.iter().filter(|row| row.operation == operation);
        let net: Vec<f64> = of.map(|row| row.net()).collect();
        median(&net, 0.95).map_or(f64::INFINITY, |(median, _)| median)
    });
    times.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::Kind;

    fn peer(name: &str, family: &str) -> SubjectRow {
        SubjectRow {
            subject: name.into(),
            role: "peer".into(),
            family: family.into(),
            ..SubjectRow::default()
        }
    }

    fn rows(filter: &str, ns: f64, false_positives: u64) -> Vec<TimingRow> {
        let row = |operation: &str| TimingRow {
            subject: filter.into(),
            keys: "u64".into(),
            capacity: 1_000,
            target_fpr: 0.01,
            operation: operation.into(),
            operations: 100_000,
            ns_per_key: ns,
            false_positives: if operation == "miss" {
                false_positives
            } else {
                0
            },
            ..TimingRow::default()
        };
        ["insert", "hit", "miss", "half"].map(row).to_vec()
    }

    #[test]
    fn who_breaks_the_promise_or_cannot_be_updated_is_passed_over() {
        let peers = [
            peer("slow", "spread"),
            peer("fast", "blocked"),
            peer("wrong", "fingerprints"),
            peer("static", "static"),
        ];
        let all = [
            rows("slow", 30.0, 1_000),
            rows("fast", 10.0, 1_000),
            rows("wrong", 5.0, 3_000),
            rows("static", 1.0, 100),
        ]
        .concat();
        let column = Column {
            kind: Kind::U64,
            capacity: 9,
            target_fpr: 0.01,
        };
        assert_eq!(fastest_peers(&peers, &all, column, 3), ["fast", "slow"]);
        assert_eq!(fastest_peers(&peers, &all, column, 1), ["fast"]);
        let other = Column {
            target_fpr: 0.001,
            ..column
        };
        assert!(fastest_peers(&peers, &all, other, 3).is_empty());
    }
}
