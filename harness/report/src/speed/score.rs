//! Computes scores from records. A score has the times of one filter, by single calls or batches.

use crate::{
    groups::grouped,
    number::{self, Estimate},
};
use bouquet_record::{Clock, DROPPED, READ, Records, TimingRow, Way};

/// The name that records give to the family of filters that keep each key in one block.
pub const BLOCKED: &str = "blocked";

/// A target FPR counts as kept unless the 95 % interval of the measured FPR lies above the target
/// times this factor.
const TOLERANCE: f64 = 1.05;
/// The operations with their column headings. `in turn` measures latency: each key depends on the
/// answer for the previous key.
pub const MEASURED: [(&str, &str); 8] = [
    ("insert", "#Insert"),
    ("hit", "#Hit"),
    ("miss", "#Miss"),
    ("half", "#50 % hits"),
    ("hit in turn", "#Hit latency"),
    ("miss in turn", "#Miss latency"),
    ("half in turn", "#50 % hits latency"),
    (DROPPED, "#Insert, answer dropped"),
];
/// The index in [`MEASURED`] of lookups with 50 % hits, the most similar to those of real programs.
pub const HALF: usize = 3;

/// A filter with the way in which it is called: by single calls or in batches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entrant<'a> {
    pub filter: &'a str,
    pub is_batch: bool,
}

impl Entrant<'_> {
    /// The name of the filter, followed by "batch" if it is called in batches.
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

/// Groups rows by filter and by single calls or batches; filters are in the order of the records.
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
    /// `None` if no non-member was looked up.
    pub fpr: Option<Estimate>,
    /// Whether the filter may be compared with others: it can take keys after its construction,
    /// took every key without an error, and kept its target FPR.
    pub competes: bool,
    /// For each operation, the number of repetitions and the median of the net nanoseconds per key.
    pub net: [(usize, Option<Estimate>); MEASURED.len()],
}

impl<'a> Score<'a> {
    fn new(records: &'a Records, (name, rows): (Entrant<'a>, Vec<&'a TimingRow>)) -> Self {
        let good = || rows.iter().filter(|row| row.error.is_empty());
        let of = |operation: &'static str| good().filter(move |row| row.operation == operation);
        let bits = |row: &&TimingRow| Some(row.bytes? as f64 * 8.0 / row.capacity as f64);
        let subject = records.subject(name.filter);
        let family = subject.map_or("", |subject| &*subject.family);
        let hits = of("miss").map(|row| row.false_positives).sum();
        let asked = of("miss").map(|row| row.operations).sum();
        let fpr = (asked > 0).then(|| Estimate::share(hits, asked));
        let is_sound = good().count() == rows.len() && good().all(|row| row.rejected == 0);
        let most = TOLERANCE * rows[0].target_fpr;
        Self {
            name,
            role: subject.map_or("", |subject| &subject.role),
            family,
            bits_per_key: good().filter_map(bits).next_back(),
            fpr,
            competes: family != "static" && is_sound && fpr.is_some_and(|fpr| fpr.low <= most),
            net: MEASURED.map(|(name, _)| (of(name).count(), median(of(name)))),
        }
    }

    /// `None` if the time was not measured, or is not measurable.
    pub fn ns(&self, operation: usize) -> Option<Estimate> {
        measurable(self.net[operation].1)
    }
}

/// The median of net times. No time is below 0: what chance puts there is 0.
fn median<'a>(rows: impl Iterator<Item = &'a &'a TimingRow>) -> Option<Estimate> {
    let Estimate { value, low, high } = Estimate::median(rows.map(|row| row.net()))?;
    let [value, low, high] = [value, low, high].map(|ns| ns.max(0.0));
    Some(Estimate { value, low, high })
}

/// A net time of 0 is not measurable: the loop takes no longer than without the filter.
fn measurable(ns: Option<Estimate>) -> Option<Estimate> {
    ns.filter(|ns| ns.value > 0.0)
}

/// The scores for one kind of key, one capacity and one target FPR.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    pub keys: &'a str,
    pub capacity: u64,
    pub target_fpr: f64,
    pub scores: Vec<Score<'a>>,
    /// Nanoseconds per read of a random cache line, by the fastest method: the limit set by memory.
    pub roofline: Option<Estimate>,
}

impl<'a> Column<'a> {
    /// The number and kind of keys, the target FPR, and the time to read a random cache line.
    pub fn title(&self) -> String {
        let line = self.roofline.map_or_else(String::new, |line| {
            let ns = nanoseconds(line.value);
            format!(" A random cache line of as many bytes, read with many others, takes {ns} ns.")
        });
        format!("{}. Net nanoseconds per key.{line}", self.place())
    }

    /// The number and kind of keys, and the target FPR.
    pub fn place(&self) -> String {
        format!(
            "{} keys of kind {}, target {}",
            number::count(self.capacity),
            self.keys,
            number::share(self.target_fpr, 3)
        )
    }

    /// The scores that may be compared and have a measurable time for this operation, the fastest
    /// first.
    pub fn fastest(&self, operation: usize) -> Vec<&Score<'a>> {
        let competing = self.scores.iter().filter(|score| score.competes);
        let timed = competing.filter_map(|score| Some((score.ns(operation)?.value, score)));
        let mut timed: Vec<_> = timed.collect();
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        timed.into_iter().map(|(_, score)| score).collect()
    }

    /// The scores for charts and short tables. The filters are chosen by their times for single
    /// calls with 50 % hits: the first filter, Bouquet's two fastest, the fastest of other crates,
    /// and the fastest of other crates that is not blocked. Scores in batches are included.
    pub fn few(&self) -> Vec<&Score<'a>> {
        let mut fastest = self.fastest(HALF);
        fastest.retain(|score| !score.name.is_batch);
        let of = |role: &'static str| fastest.iter().copied().filter(move |one| one.role == role);
        let without_blocks = of("peer").find(|score| score.family != BLOCKED);
        let chosen = of("ours").take(2).chain(of("peer").take(1));
        let all = || self.scores.iter().filter(|score| score.competes);
        let first = all().find(|score| !score.name.is_batch);
        let chosen = chosen.chain(first).chain(without_blocks);
        let names: Vec<&str> = chosen.map(|score| score.name.filter).collect();
        let is_chosen = |score: &&Score<'_>| names.contains(&score.name.filter);
        all().filter(is_chosen).collect()
    }
}

/// One column per kind of key, capacity and target FPR, in the order of the records. Its scores are
/// in the order in which the records list the filters.
pub fn columns<'a>(records: &'a Records) -> Vec<Column<'a>> {
    let rows = records.times.iter();
    let alone = rows.filter(|row| row.clock == Clock::Thread);
    let columns = grouped(alone, |row| (&row.keys, row.capacity, row.target_fpr)).into_iter();
    let column = |((keys, capacity, target_fpr), rows): ((&'a String, _, _), Vec<_>)| {
        let rows = rows.into_iter();
        let (lines, rows): (Vec<&TimingRow>, Vec<_>) =
            rows.partition(|row: &&TimingRow| row.operation == READ);
        let lines = grouped(lines, |row| Entrant::from(*row)).into_iter();
        let lines = lines.filter_map(|(_, rows)| median(rows.iter()));
        let scores = by_entrant(records, rows).into_iter();
        Column {
            keys,
            capacity,
            target_fpr,
            scores: scores.map(|own| Score::new(records, own)).collect(),
            roofline: measurable(lines.min_by(|a, b| a.value.total_cmp(&b.value))),
        }
    };
    columns.map(column).collect()
}

/// The rows of one filter that threads share, at one capacity, by single calls or in batches.
pub struct Shared<'a> {
    pub capacity: u64,
    pub name: Entrant<'a>,
    rows: Vec<&'a TimingRow>,
}

impl Shared<'_> {
    /// The throughput in millions of keys per second.
    pub fn rate(&self, operation: &str, threads: u32) -> Option<Estimate> {
        let rows = self.rows.iter();
        let rows = rows.filter(|row| row.operation == operation && row.threads == threads);
        let times = rows.map(|row| row.net()).filter(|ns| *ns > 0.0);
        Estimate::median(times.map(|ns| 1e3 / ns))
    }
}

/// The filters that threads share, by capacity and then in the order of the records.
pub fn shared(records: &Records) -> Vec<Shared<'_>> {
    let rows = records.times.iter();
    let together = rows.filter(|row| row.clock == Clock::Wall && row.error.is_empty());
    let capacities = grouped(together, |row| row.capacity).into_iter();
    let shared = capacities.flat_map(|(capacity, rows)| {
        let all = by_entrant(records, rows).into_iter();
        all.map(move |(name, rows)| Shared {
            capacity,
            name,
            rows,
        })
    });
    shared.collect()
}

/// A net time with two decimals, from 10 on with one decimal, and from 100 on with none.
pub fn nanoseconds(ns: f64) -> String {
    match ns {
        0.0 => "not measurable".into(),
        ns if ns < 9.995 => number::decimal(ns, 2),
        ns if ns < 99.95 => number::decimal(ns, 1),
        ns => number::decimal(ns, 0),
    }
}
