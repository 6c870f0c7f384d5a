//! The filters that take part in a speed run, and their rows in the records.

use anyhow::{Result, bail};
use bouquet_catalogue::Family;

use super::{Kind, Sharing, definition::Column};
use crate::registry::{Entry, contestants, sharings};
use bouquet_record::unknown::unknown;
use bouquet_record::{SubjectRow, TimingRow};
use bouquet_stats::{median, proportion};

pub struct Field {
    pub contestants: Vec<Entry>,
    pub sharings: Vec<Sharing>,
}

impl Field {
    /// Chooses the filters with these names, or all filters if there are no names, both for one
    /// thread and for several threads that share a filter.
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

    /// The filters to measure in a column: ours, and those of other crates (peers). If `most` is
    /// given, only so many peers: the fastest in the rows of `seen` with the column's kind of key
    /// and target FPR, at the largest capacity of these rows. Then peers are left out if they are
    /// static, rejected keys, or exceed the target FPR by more than 5 % (95 % interval).
    pub fn of(&self, column: Column, most: Option<usize>, seen: &[TimingRow]) -> Vec<&Entry> {
        let all = self.contestants.iter();
        let Some(most) = most else {
            return all.collect();
        };
        // Many filters are measured in one column alone; their keys are these.
        let kind = match column.kind {
            Kind::Among => Kind::U64,
            kind => kind,
        };
        let is_alike =
            |row: &&TimingRow| row.keys == kind.name() && row.target_fpr == column.target_fpr;
        let alike = || seen.iter().filter(is_alike);
        let largest = alike().map(|row| row.capacity).max();
        let rank = |one: &Entry| {
            let is_own =
                |row: &&TimingRow| row.subject == one.name && Some(row.capacity) == largest;
            let rows: Vec<&TimingRow> = alike().filter(is_own).collect();
            let is_sound = |row: &&TimingRow| row.error.is_empty() && row.rejected == 0;
            (rows.iter().all(is_sound) && keeps_target(&rows)).then(|| total(&rows))
        };
        let is_updatable = |one: &&Entry| one.role == "peer" && one.family != Family::Static;
        let peers = all.clone().filter(is_updatable);
        let mut ranks: Vec<(f64, &str)> = peers
            .filter_map(|one| Some((rank(one)?, one.name)))
            .collect();
        ranks.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        ranks.truncate(most);
        let is_fast = |one: &Entry| ranks.iter().any(|(_, name)| *name == one.name);
        // A static filter of so many keys takes minutes, and has no other to be compared with.
        let is_ours = |one: &Entry| one.role == "ours" && one.family != Family::Static;
        all.filter(|one| is_ours(one) || is_fast(one)).collect()
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

fn keeps_target(rows: &[&TimingRow]) -> bool {
    let misses = || rows.iter().filter(|row| row.operation == "miss");
    let found = misses().map(|row| row.false_positives).sum();
    let asked = misses().map(|row| row.operations).sum();
    let target = rows.first().map_or(0.0, |row| row.target_fpr);
    proportion(found, asked, 0.95).low <= 1.05 * target
}

/// The sum of the median net times of the operations.
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

    fn peer(name: &'static str, family: Family) -> Entry {
        let mut peer = contestants().swap_remove(0);
        (peer.facts.name, peer.facts.family, peer.role) = (name, family, "peer");
        peer
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
        let field = Field {
            contestants: vec![
                peer("slow", Family::Spread),
                peer("fast", Family::Blocked),
                peer("wrong", Family::Fingerprints),
                peer("static", Family::Static),
            ],
            sharings: Vec::new(),
        };
        let seen = [
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
        let names = |most| -> Vec<&str> {
            let chosen = field.of(column, most, &seen).into_iter();
            chosen.map(|one| one.name).collect()
        };
        assert_eq!(names(Some(1)), ["fast"]);
        assert_eq!(names(Some(3)), ["slow", "fast"]);
        assert_eq!(names(None).len(), 4);
    }
}
