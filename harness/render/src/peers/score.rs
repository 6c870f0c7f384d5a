//! From the rows of the scoreboard to one line a filter and target.

use crate::{document::Table, estimate::Estimate, groups::grouped, levels::CONFIDENCE};
use bouquet_ground::record::{PeerRow, Records};
use bouquet_stats::mean_interval;

/// With fewer false positives or filters the spread from filter to filter is
/// not known well enough.
const ENOUGH_HITS: u64 = 100;
const ENOUGH_FILTERS: usize = 4;

/// What became of a filter that was given so many keys.
#[derive(Clone, PartialEq, Debug)]
pub struct Filled {
    pub fpr: Option<Estimate>,
    /// The part of the keys.
    pub rejected: Option<f64>,
    pub false_negatives: Option<u64>,
}

/// What came of uniting filters, or of reading them back.
#[derive(Clone, PartialEq, Debug)]
pub struct Done {
    /// The worst of all replicates, in a word or two.
    pub words: &'static str,
    /// The share of false negatives afterwards.
    pub missing: Option<f64>,
}

/// What is known of one filter sized for one target.
#[derive(Clone, PartialEq, Debug)]
pub struct Score {
    /// Its first row.
    pub of: PeerRow,
    /// `ours`, `baseline` or `peer`.
    pub role: String,
    pub removes: bool,
    pub grows: bool,
    pub concurrent: bool,
    /// Allocated, full to capacity.
    pub bits_per_key: Option<f64>,
    /// The span of that over other capacities.
    pub least_bits_per_key: Option<f64>,
    pub most_bits_per_key: Option<f64>,
    /// To capacity.
    pub full: Filled,
    pub half_over: Filled,
    pub twice: Filled,
    /// Only of those that grow: ten times the capacity of the beginning.
    pub tenfold: Filled,
    pub false_negatives_past: Option<u64>,
    /// Across seeds.
    pub union: Done,
    /// Of the union, which then holds as many keys as it was sized for.
    pub union_fpr: Option<Estimate>,
    pub reload: Done,
    pub serialized_bytes_per_key: Option<f64>,
    /// Rows that are errors.
    pub errors: u64,
}

impl Score {
    pub fn is_ours(&self) -> bool {
        self.role == "ours"
    }

    pub fn measured_fpr(&self) -> Option<f64> {
        self.full.fpr.map(|fpr| fpr.value)
    }

    /// Measured over asked.
    pub fn times_target(&self) -> Option<f64> {
        self.measured_fpr().map(|share| share / self.of.target_fpr)
    }

    /// Bits per key over log2(1 / measured FPR).
    pub fn times_bound(&self) -> Option<f64> {
        let share = self.measured_fpr()?;
        (share > 0.0 && share < 1.0).then_some(self.bits_per_key? / -share.log2())
    }

    /// Surely above the target.
    pub fn is_above(&self) -> bool {
        let fpr = self.full.fpr;
        fpr.is_some_and(|fpr| fpr.interval.low > self.of.target_fpr)
    }

    /// Whether it kept its promise: not surely above the target, no
    /// false negative, no key rejected.
    pub fn keeps_its_promise(&self) -> bool {
        let Filled { fpr, rejected, .. } = self.full;
        let all_kept = self.full.false_negatives == Some(0) && rejected == Some(0.0);
        fpr.is_some() && !self.is_above() && all_kept
    }

    /// The same past capacity, whatever the FPR.
    pub fn takes(&self, past: &Filled) -> bool {
        past.rejected == Some(0.0) && self.false_negatives_past == Some(0)
    }

    /// Whether it can be united, and what it cannot unite it rejects.
    pub fn unites_safely(&self) -> bool {
        matches!(self.union.words, "keeps all" | "rejected")
    }
}

/// The scores in plain numbers; rates and parts are shares.
pub fn lines(scores: &[Score]) -> Table {
    Table::of(scores)
        .column("filter", |s| &s.of.filter)
        .column("release", |s| &s.of.release)
        .column("role", |s| &s.role)
        .column("capacity", |s| s.of.capacity)
        .column("target_fpr", |s| s.of.target_fpr)
        .column("chooses_fpr", |s| s.of.chooses_fpr)
        .column("bits_per_key", |s| s.bits_per_key)
        .column("least_bits_per_key", |s| s.least_bits_per_key)
        .column("most_bits_per_key", |s| s.most_bits_per_key)
        .with_interval(
            ["measured_fpr", "measured_fpr_low", "measured_fpr_high"],
            |s| s.full.fpr,
        )
        .column("times_target", Score::times_target)
        .column("times_bound", Score::times_bound)
        .column("false_negatives", |s| s.full.false_negatives)
        .column("false_negatives_past", |s| s.false_negatives_past)
        .column("rejected", |s| s.full.rejected)
        .column("rejected_at_1_5", |s| s.half_over.rejected)
        .column("rejected_at_2", |s| s.twice.rejected)
        .with_interval(["fpr_at_2", "fpr_at_2_low", "fpr_at_2_high"], |s| {
            s.twice.fpr
        })
        .with_interval(["fpr_at_10", "fpr_at_10_low", "fpr_at_10_high"], |s| {
            s.tenfold.fpr
        })
        .column("rejected_at_10", |s| s.tenfold.rejected)
        .column("union", |s| s.union.words)
        .column("missing_after_union", |s| s.union.missing)
        .with_interval(["union_fpr", "union_fpr_low", "union_fpr_high"], |s| {
            s.union_fpr
        })
        .column("serialized_bytes_per_key", |s| s.serialized_bytes_per_key)
        .column("reload", |s| s.reload.words)
        .column("missing_after_reload", |s| s.reload.missing)
        .column("hashing", |s| &s.of.hashing)
        .column("is_static", |s| s.of.is_static)
        .column("removes", |s| s.removes)
        .column("grows", |s| s.grows)
        .column("errors", |s| s.errors)
        .table()
}

/// The rows of one filter and target.
struct Rows<'a>(Vec<&'a PeerRow>);

impl<'a> Rows<'a> {
    fn phase(&self, phase: &str) -> Rows<'a> {
        self.only(|row| row.phase == phase)
    }

    /// Those that were filled so far, and are no errors.
    fn load(&self, is_load: impl Fn(f64) -> bool) -> Rows<'a> {
        self.phase("load").only(|row| is_load(row.load)).good()
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

    fn filled(&self) -> Filled {
        Filled {
            fpr: rate(&self.0),
            rejected: self.share(|row| row.rejected, |row| row.keys),
            false_negatives: self.count(|row| row.false_negatives),
        }
    }

    fn done(&self) -> Done {
        let good = self.good();
        let done = good.only(|row| row.outcome == "done");
        let missing = done.share(|row| row.false_negatives, |row| row.members_asked);
        let words = match missing {
            _ if self.0.is_empty() => "–",
            _ if good.0.is_empty() => "error",
            Some(missing) if missing > 0.0 => "has false negatives",
            Some(_) => "keeps all",
            None if good.0.iter().all(|row| row.outcome == "not offered") => "not offered",
            None => "rejected",
        };
        Done { words, missing }
    }

    fn bits_per_key(&self) -> impl Iterator<Item = f64> {
        let bits = |row: &&PeerRow| Some(row.allocated_bytes? as f64 * 8.0 / row.keys as f64);
        self.0.iter().filter_map(bits)
    }
}

/// The measured FPR of filters filled alike; `None` without non-members.
pub fn rate(rows: &[&PeerRow]) -> Option<Estimate> {
    let asked: u64 = rows.iter().map(|row| row.non_members_asked).sum();
    let hits: u64 = rows.iter().map(|row| row.false_positives).sum();
    if asked == 0 {
        return None;
    }
    if hits >= ENOUGH_HITS && rows.len() >= ENOUGH_FILTERS {
        // One filter is one sample: its own FPR differs from the next one's by
        // more than the hits of either tell.
        let rates = rows
            .iter()
            .map(|row| row.false_positives as f64 / row.non_members_asked.max(1) as f64);
        let rates: Vec<f64> = rates.collect();
        if let Some(interval) = mean_interval(&rates, CONFIDENCE) {
            let value = rates.iter().sum::<f64>() / rates.len() as f64;
            return Some(Estimate { value, interval });
        }
    }
    Some(Estimate::share(hits, asked))
}

/// A line a filter and target: the targets as they come, and the filters in the
/// order of the rows.
pub fn scores(records: &Records) -> Vec<Score> {
    let key = |row: &&PeerRow| (row.target_fpr.to_bits(), row.filter.clone());
    let groups = grouped(&records.peers, key).into_iter();
    groups
        .map(|(_, own)| score(records, own[0], &Rows(own)))
        .collect()
}

fn score(records: &Records, first: &PeerRow, rows: &Rows<'_>) -> Score {
    let subject = records.subject(&first.filter);
    let [full, half_over, twice, tenfold] =
        [1.0, 1.5, 2.0, 10.0].map(|load| rows.load(|own| own == load));
    let [size, union, reload] = ["size", "union", "reload"].map(|phase| rows.phase(phase));
    let sizes: Vec<f64> = size.good().bits_per_key().collect();
    let bits: Vec<f64> = full.bits_per_key().collect();
    let written = reload.only(|row| row.serialized_bytes.is_some());
    let past = rows.load(|load| load > 1.0);
    Score {
        of: first.clone(),
        role: subject.map(|s| s.role.clone()).unwrap_or_default(),
        removes: subject.is_some_and(|s| s.removes),
        grows: subject.is_some_and(|s| s.grows),
        concurrent: subject.is_some_and(|s| s.concurrent),
        bits_per_key: (!bits.is_empty()).then(|| bits.iter().sum::<f64>() / bits.len() as f64),
        least_bits_per_key: sizes.iter().copied().reduce(f64::min),
        most_bits_per_key: sizes.iter().copied().reduce(f64::max),
        full: full.filled(),
        half_over: half_over.filled(),
        twice: twice.filled(),
        tenfold: tenfold.filled(),
        false_negatives_past: past.count(|row| row.false_negatives),
        union_fpr: rate(&union.good().0),
        union: union.done(),
        serialized_bytes_per_key: written
            .share(|row| row.serialized_bytes.unwrap_or(0), |row| row.keys),
        reload: reload.done(),
        errors: rows.0.len() as u64 - rows.good().0.len() as u64,
    }
}
