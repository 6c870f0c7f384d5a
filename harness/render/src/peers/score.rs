//! From the rows of the scoreboard to one line a filter and target.

use serde::Serialize;

use crate::judge;
use bouquet_ground::record::{PeerRow, Records};
use bouquet_stats::{Interval, mean_interval, proportion};

/// Of the intervals that are shown.
const CONFIDENCE: f64 = 0.95;
/// With fewer false positives or filters the spread from filter to filter is
/// not known well enough.
const ENOUGH_HITS: u64 = 100;
const ENOUGH_FILTERS: usize = 4;

/// What is known of one filter, in plain numbers; rates and parts are shares.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Score {
    pub filter: String,
    /// Crate and version.
    pub release: String,
    /// `ours`, `baseline` or `peer`.
    pub role: String,
    pub capacity: u64,
    pub target_fpr: f64,
    /// `false`: the filter has but one FPR.
    pub chooses_fpr: bool,
    /// Allocated, full to capacity.
    pub bits_per_key: Option<f64>,
    /// The span of that over other capacities.
    pub least_bits_per_key: Option<f64>,
    pub most_bits_per_key: Option<f64>,
    pub measured_fpr: Option<f64>,
    pub measured_fpr_low: Option<f64>,
    pub measured_fpr_high: Option<f64>,
    /// Measured over asked.
    pub times_asked: Option<f64>,
    /// Bits per key over log2(1 / measured FPR).
    pub times_bound: Option<f64>,
    /// Full to capacity, and past it.
    pub false_negatives: Option<u64>,
    pub false_negatives_past: Option<u64>,
    /// The part of the keys, at capacity, 1.5 times and twice that.
    pub refused: Option<f64>,
    pub refused_at_1_5: Option<f64>,
    pub refused_at_2: Option<f64>,
    pub fpr_at_2: Option<f64>,
    pub fpr_at_2_low: Option<f64>,
    pub fpr_at_2_high: Option<f64>,
    /// Only of those that grow: at ten times the capacity of the beginning.
    pub fpr_at_10: Option<f64>,
    pub fpr_at_10_low: Option<f64>,
    pub fpr_at_10_high: Option<f64>,
    pub refused_at_10: Option<f64>,
    /// In a word or two.
    pub union: String,
    /// The part of the keys that a union across seeds denies.
    pub lost_by_union: Option<f64>,
    /// Of the union, which then holds as many keys as it was made for.
    pub union_fpr: Option<f64>,
    pub union_fpr_low: Option<f64>,
    pub union_fpr_high: Option<f64>,
    pub serialized_bytes_per_key: Option<f64>,
    /// In a word or two, as of the union.
    pub reload: String,
    /// The part of the keys that are denied after reading it back.
    pub lost_by_reload: Option<f64>,
    /// `seeded`, `fixed` or `random`.
    pub hashing: String,
    pub is_static: bool,
    pub removes: bool,
    pub grows: bool,
    /// Rows that are errors.
    pub errors: u64,
}

impl Score {
    /// Whether it did what was asked of it: not surely above the target, no
    /// false negative, no key refused.
    pub fn keeps_its_promise(&self) -> bool {
        let kept = self
            .measured_fpr_low
            .is_some_and(|low| low <= self.target_fpr);
        kept && self.false_negatives == Some(0) && self.refused == Some(0.0)
    }

    /// The same at twice the capacity, whatever the FPR.
    pub fn takes_twice(&self) -> bool {
        self.refused_at_2 == Some(0.0) && self.false_negatives_past == Some(0)
    }

    /// The same at ten times the capacity.
    pub fn takes_tenfold(&self) -> bool {
        self.refused_at_10 == Some(0.0) && self.false_negatives_past == Some(0)
    }

    /// Whether it can be united, and what it cannot unite it refuses.
    pub fn unites_safely(&self) -> bool {
        self.union == "keeps all" || self.union == "refused"
    }
}

/// The rows of one filter and target.
struct Rows<'a>(Vec<&'a PeerRow>);

impl<'a> Rows<'a> {
    fn phase(&self, phase: &str) -> Rows<'a> {
        self.only(|row| row.phase == phase)
    }

    fn load(&self, load: f64) -> Rows<'a> {
        self.only(|row| row.phase == "load" && row.load == load)
    }

    fn only(&self, of: impl Fn(&PeerRow) -> bool) -> Rows<'a> {
        Rows(self.0.iter().copied().filter(|row| of(row)).collect())
    }

    /// Those that are no errors.
    fn good(&self) -> Rows<'a> {
        self.only(|row| row.error.is_empty())
    }

    fn sum(&self, of: fn(&PeerRow) -> u64) -> u64 {
        self.0.iter().map(|row| of(row)).sum()
    }

    /// A sum; `None` without rows.
    fn count(&self, of: fn(&PeerRow) -> u64) -> Option<u64> {
        (!self.0.is_empty()).then(|| self.sum(of))
    }

    /// One sum over another.
    fn share(&self, some: fn(&PeerRow) -> u64, whole: fn(&PeerRow) -> u64) -> Option<f64> {
        let whole = self.sum(whole);
        (whole > 0).then(|| self.sum(some) as f64 / whole as f64)
    }

    /// Measured, and the ends of its interval.
    fn fpr(&self) -> [Option<f64>; 3] {
        match rate(&self.0) {
            Some((share, interval)) => [share, interval.low, interval.high].map(Some),
            None => [None; 3],
        }
    }

    fn bits_per_key(&self) -> impl Iterator<Item = f64> {
        let bits = |row: &&PeerRow| Some(row.allocated_bytes? as f64 * 8.0 / row.keys as f64);
        self.0.iter().filter_map(bits)
    }
}

/// The measured FPR of filters filled alike; `None` without strangers.
pub fn rate(rows: &[&PeerRow]) -> Option<(f64, Interval)> {
    let asked: u64 = rows.iter().map(|row| row.strangers_asked).sum();
    let hits: u64 = rows.iter().map(|row| row.false_positives).sum();
    if asked == 0 {
        return None;
    }
    let share = hits as f64 / asked as f64;
    if hits >= ENOUGH_HITS && rows.len() >= ENOUGH_FILTERS {
        // One filter is one sample: its own FPR differs from the next one's by
        // more than the hits of either tell.
        let rates = rows
            .iter()
            .map(|row| row.false_positives as f64 / row.strangers_asked.max(1) as f64);
        let rates: Vec<f64> = rates.collect();
        if let Some(interval) = mean_interval(&rates, CONFIDENCE) {
            return Some((rates.iter().sum::<f64>() / rates.len() as f64, interval));
        }
    }
    Some((share, proportion(hits, asked, CONFIDENCE)))
}

/// A line a filter and target: the targets as they come, and the filters in the
/// order of the rows.
pub fn scores(records: &Records) -> Vec<Score> {
    let mut named: Vec<(u64, &str)> = Vec::new();
    for row in &records.peers {
        let name = (row.target_fpr.to_bits(), row.filter.as_str());
        if !named.contains(&name) {
            named.push(name);
        }
    }
    let of = |(target, filter): &(u64, &str)| {
        let own = |row: &&PeerRow| row.filter == *filter && row.target_fpr.to_bits() == *target;
        let rows = Rows(records.peers.iter().filter(own).collect());
        rows.0.first().map(|first| score(records, first, &rows))
    };
    named.iter().filter_map(of).collect()
}

fn score(records: &Records, first: &PeerRow, rows: &Rows<'_>) -> Score {
    let subject = judge::subject(records, &first.filter);
    let full = rows.load(1.0).good();
    let (half_over, twice) = (rows.load(1.5).good(), rows.load(2.0).good());
    let sizes: Vec<f64> = rows.phase("size").good().bits_per_key().collect();
    let bits: Vec<f64> = full.bits_per_key().collect();
    let bits_per_key = (!bits.is_empty()).then(|| bits.iter().sum::<f64>() / bits.len() as f64);
    let [measured, measured_low, measured_high] = full.fpr();
    let written = rows
        .phase("reload")
        .only(|row| row.serialized_bytes.is_some());
    let (union, lost_by_union) = outcome(&rows.phase("union"));
    let (reload, lost_by_reload) = outcome(&rows.phase("reload"));
    let [union_fpr, union_fpr_low, union_fpr_high] = rows.phase("union").good().fpr();
    let grown = rows.load(10.0).good();
    let [fpr_at_2, fpr_at_2_low, fpr_at_2_high] = twice.fpr();
    let [fpr_at_10, fpr_at_10_low, fpr_at_10_high] = grown.fpr();
    let past = rows
        .only(|row| row.phase == "load" && row.load > 1.0)
        .good();
    let refused = |rows: &Rows<'_>| rows.share(|row| row.refused, |row| row.keys);
    Score {
        filter: first.filter.clone(),
        release: first.release.clone(),
        role: subject.map(|s| s.role.clone()).unwrap_or_default(),
        capacity: first.capacity,
        target_fpr: first.target_fpr,
        chooses_fpr: first.chooses_fpr,
        bits_per_key,
        least_bits_per_key: sizes.iter().copied().reduce(f64::min),
        most_bits_per_key: sizes.iter().copied().reduce(f64::max),
        measured_fpr: measured,
        measured_fpr_low: measured_low,
        measured_fpr_high: measured_high,
        times_asked: measured.map(|share| share / first.target_fpr),
        times_bound: bits_per_key
            .zip(measured.filter(|share| *share > 0.0 && *share < 1.0))
            .map(|(bits, share)| bits / -share.log2()),
        false_negatives: full.count(|row| row.false_negatives),
        false_negatives_past: past.count(|row| row.false_negatives),
        refused: refused(&full),
        refused_at_1_5: refused(&half_over),
        refused_at_2: refused(&twice),
        fpr_at_2,
        fpr_at_2_low,
        fpr_at_2_high,
        fpr_at_10,
        fpr_at_10_low,
        fpr_at_10_high,
        refused_at_10: refused(&grown),
        union,
        lost_by_union,
        union_fpr,
        union_fpr_low,
        union_fpr_high,
        serialized_bytes_per_key: written
            .share(|row| row.serialized_bytes.unwrap_or(0), |row| row.keys),
        reload,
        lost_by_reload,
        hashing: first.hashing.clone(),
        is_static: first.is_static,
        removes: subject.is_some_and(|s| s.removes),
        grows: subject.is_some_and(|s| s.grows),
        errors: rows.0.iter().filter(|row| !row.error.is_empty()).count() as u64,
    }
}

/// What came of uniting filters, or of reading them back: the worst of all
/// replicates, and the part of the keys that was lost.
fn outcome(rows: &Rows<'_>) -> (String, Option<f64>) {
    let good = rows.good();
    let done = good.only(|row| row.outcome == "done");
    let lost = done.share(|row| row.false_negatives, |row| row.members_asked);
    let words = if rows.0.is_empty() {
        "–"
    } else if good.0.is_empty() {
        "error"
    } else if lost.is_some_and(|lost| lost > 0.0) {
        "loses keys"
    } else if lost.is_some() {
        "keeps all"
    } else if good.0.iter().all(|row| row.outcome == "not offered") {
        "not offered"
    } else {
        "refused"
    };
    (words.to_owned(), lost)
}
