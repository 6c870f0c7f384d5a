//! Computes scores from rows: one filter, by single calls or in batches, in one column.

use super::table::significant;
use crate::{estimate::Estimate, groups::grouped, number};
use bouquet_record::{Clock, READ, Records, SubjectRow, TimingRow, Way};

/// The family of filters that keep a key in one block, as records name it.
pub const BLOCKED: &str = "blocked";

/// A target FPR counts as kept unless the measured FPR exceeds it, with confidence, by more than
/// this factor.
pub const TOLERANCE: f64 = 1.05;
/// The operations, measured for throughput; with `in turn` for latency, where each key depends on
/// the answer before.
pub const MEASURED: [&str; 7] = [
    "insert",
    "hit",
    "miss",
    "half",
    "hit in turn",
    "miss in turn",
    "half in turn",
];
/// The index of the mixed operation, which most programs resemble.
pub const HALF: usize = 3;

/// The name of an operation for people.
pub fn in_words(operation: usize) -> String {
    MEASURED[operation]
        .replace("half", "50 % hits")
        .replace(" in turn", " latency")
}

/// Net times in nanoseconds per key, one per repetition.
pub type Times = Vec<f64>;

/// The median of net times.
pub fn middle(times: &Times) -> Option<Estimate> {
    Estimate::median(times.iter().copied())
}

/// A filter, used by single calls or in batches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entrant<'a> {
    pub filter: &'a str,
    pub is_batch: bool,
}

impl Entrant<'_> {
    /// The name, followed by "batch" if it is used in batches.
    pub fn label(&self) -> String {
        let way = if self.is_batch { ", batch" } else { "" };
        format!("{}{way}", self.filter)
    }
}

impl<'a> From<&'a TimingRow> for Entrant<'a> {
    fn from(row: &'a TimingRow) -> Self {
        Self {
            filter: &row.subject,
            is_batch: row.path == Way::Batch,
        }
    }
}

/// Groups rows by filter and way, in the order of the subjects.
pub fn by_entrant<'a>(
    records: &Records,
    rows: impl IntoIterator<Item = &'a TimingRow>,
) -> Vec<(Entrant<'a>, Vec<&'a TimingRow>)> {
    let mut all = grouped(rows, |row| Entrant::from(*row));
    all.sort_by_key(|(entrant, _)| {
        let mut subjects = records.subjects.iter();
        let place = subjects.position(|s| s.subject == entrant.filter);
        (place, entrant.is_batch)
    });
    all
}

#[derive(Clone, Debug)]
pub struct Score<'a> {
    pub name: Entrant<'a>,
    pub role: &'a str,
    pub family: &'a str,
    pub bits_per_key: Option<f64>,
    pub false_positives: u64,
    pub non_members_asked: u64,
    /// Whether every key was taken, without an error.
    is_sound: bool,
    /// The net times of each operation, in the order of [`MEASURED`].
    pub net: [Times; MEASURED.len()],
}

impl<'a> Score<'a> {
    fn new(records: &'a Records, name: Entrant<'a>, rows: &[&'a TimingRow]) -> Self {
        let good = || rows.iter().filter(|row| row.error.is_empty());
        let of = |operation: &'static str| good().filter(move |row| row.operation == operation);
        let bits = |row: &&TimingRow| Some(row.bytes? as f64 * 8.0 / row.capacity as f64);
        let subject = records.subject(name.filter);
        let is = |what: fn(&SubjectRow) -> &str| subject.map_or("", what);
        Self {
            name,
            role: is(|subject| &subject.role),
            family: is(|subject| &subject.family),
            bits_per_key: good().filter_map(bits).next_back(),
            false_positives: of("miss").map(|row| row.false_positives).sum(),
            non_members_asked: of("miss").map(|row| row.operations).sum(),
            is_sound: good().count() == rows.len() && good().all(|row| row.rejected == 0),
            net: MEASURED.map(|name| of(name).map(|row| row.net()).collect()),
        }
    }

    pub fn fpr(&self) -> Estimate {
        Estimate::share(self.false_positives, self.non_members_asked)
    }

    pub fn middle(&self, operation: usize) -> Option<Estimate> {
        middle(&self.net[operation])
    }

    /// Whether the filter may be compared with others: it can take keys after its construction,
    /// took every key, and its FPR is not above the target with confidence.
    pub fn competes(&self, target_fpr: f64) -> bool {
        self.family != "static"
            && self.is_sound
            && self.non_members_asked > 0
            && self.fpr().interval.low <= TOLERANCE * target_fpr
    }
}

/// One kind of key, capacity and target FPR.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    pub keys: &'a str,
    pub capacity: u64,
    pub target_fpr: f64,
    pub scores: Vec<Score<'a>>,
    /// Nanoseconds per random cache line, read in the fastest way.
    pub roofline: Times,
}

impl<'a> Column<'a> {
    /// The keys, the target, and the time that a random cache line takes, the limit that memory
    /// sets.
    pub fn title(&self) -> String {
        let place = self.place();
        let line = middle(&self.roofline).map_or_else(String::new, |line| {
            let ns = significant(line.value);
            format!(" A random cache line of as many bytes takes {ns} ns.")
        });
        format!("{place}. Net nanoseconds per key.{line}")
    }

    /// The number and kind of keys, and the target.
    pub fn place(&self) -> String {
        format!(
            "{} keys of kind {}, target {}",
            number::count(self.capacity),
            self.keys,
            number::share(self.target_fpr, 3)
        )
    }

    /// The column with all of its scores, for a table.
    pub fn with_all(&self) -> (&Self, Vec<&Score<'a>>) {
        (self, self.scores.iter().collect())
    }

    /// The fastest of the comparable scores for which `among` is true.
    pub fn best(&self, operation: usize, among: impl Fn(&Score<'_>) -> bool) -> Option<&Score<'a>> {
        let competing = self
            .scores
            .iter()
            .filter(|score| score.competes(self.target_fpr) && among(score));
        let timed = competing.filter_map(|score| Some((score.middle(operation)?.value, score)));
        timed
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, score)| score)
    }

    /// A selection for charts and short tables, by single calls with 50 % hits: the first filter, the
    /// two fastest of ours, the fastest of other crates, and the fastest of those without blocks; if
    /// they have batches, these too.
    pub fn few(&self) -> Vec<&Score<'a>> {
        let mut all: Vec<&Score<'a>> = self.scores.iter().collect();
        all.retain(|score| score.competes(self.target_fpr));
        let mut fastest = all.clone();
        fastest.retain(|score| !score.name.is_batch);
        let first = fastest.first().copied();
        let time = |score: &Score<'_>| score.middle(HALF).map_or(f64::INFINITY, |ns| ns.value);
        fastest.sort_by(|a, b| time(a).total_cmp(&time(b)));
        let of = |role: &'static str| fastest.iter().copied().filter(move |one| one.role == role);
        let without_blocks = of("peer").find(|score| score.family != BLOCKED);
        let chosen = of("ours").take(2).chain(of("peer").take(1));
        let chosen = chosen.chain(first).chain(without_blocks);
        let names: Vec<&str> = chosen.map(|score| score.name.filter).collect();
        all.retain(|score| names.contains(&score.name.filter));
        all
    }
}

/// The columns in the order of the records; the filters are in the order of the subjects.
pub fn columns<'a>(records: &'a Records) -> Vec<Column<'a>> {
    let alone = records.times.iter();
    let alone = alone.filter(|row| row.clock == Clock::Thread);
    let columns = grouped(alone, |row| {
        (row.keys.as_str(), row.capacity, row.target_fpr)
    })
    .into_iter();
    let column = |((keys, capacity, target_fpr), rows): (_, Vec<&'a TimingRow>)| {
        let (lines, rows): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|row| row.operation == READ);
        let scores = by_entrant(records, rows).into_iter();
        Column {
            keys,
            capacity,
            target_fpr,
            scores: scores
                .map(|(name, rows)| Score::new(records, name, &rows))
                .collect(),
            roofline: fastest_lines(lines),
        }
    };
    columns.map(column).collect()
}

/// The times of the way to read lines with the smallest median.
fn fastest_lines(rows: Vec<&TimingRow>) -> Times {
    let ways = grouped(rows, |row| Entrant::from(*row)).into_iter();
    let timed = ways.filter_map(|(_, rows)| {
        let times = rows.iter().map(|row| row.net());
        let times: Times = times.collect();
        Some((middle(&times)?.value, times))
    });
    let fastest = timed.min_by(|a, b| a.0.total_cmp(&b.0));
    fastest.map_or(Times::new(), |(_, times)| times)
}
