//! The time tier: ratios to the reference, compared with those of the baseline.

use super::{Run, before, unknown};
use crate::{estimate::Estimate, groups::grouped, levels::FAMILY_ALPHA, number};
use bouquet_ground::Outcome;
use bouquet_ground::record::{
    AGAIN, Figure, GATE_REFERENCE, GateDocument, GateRecords, GateRow, Tier, TimingRow, Way,
};
use bouquet_stats::{Interval, holm, sign_test_above};

pub const CONTROL_SETTING: &str = "the reference beside itself";
/// How far the control's ratio may lie from 1, with its interval.
const CONTROL_BAND: f64 = 0.1;

/// How many times as slow as in the baseline, by the ratio to the reference, is
/// too slow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    pub same_machine: f64,
    /// Ratios themselves differ from one processor to another.
    pub other_machine: f64,
}

impl Tolerance {
    /// By the processor's name.
    fn at(self, here: &str, baseline: &str) -> f64 {
        if here == baseline && !here.is_empty() {
            self.same_machine
        } else {
            self.other_machine.max(self.same_machine)
        }
    }
}

/// The ratio of the baseline from which on it is too slow: its upper end, times
/// what is tolerated.
fn limit(old: &Figure, tolerance: f64) -> Option<f64> {
    match old {
        Figure::Ratio { high, .. } => Some(high * tolerance),
        _ => None,
    }
}

/// What is beyond the tolerance at first sight and has to be measured again:
/// subject and operation.
pub fn suspects(
    records: &GateRecords,
    baseline: &GateDocument,
    cpu: &str,
    tolerance: Tolerance,
) -> Vec<(String, String)> {
    let tolerance = tolerance.at(cpu, baseline.fact("times_cpu"));
    let all = series(&records.times);
    let beyond = |series: &&Series<'_>| {
        let id = (Tier::Time, series.subject, series.what.as_str());
        let old = baseline.row(id).and_then(|row| row.value.as_ref());
        let limit = old.and_then(|old| limit(old, tolerance));
        let is_slower = |(limit, now): (f64, Estimate)| now.interval.low > limit;
        series.subject != GATE_REFERENCE && limit.zip(series.ratio(FIRST)).is_some_and(is_slower)
    };
    all.iter()
        .filter(beyond)
        .map(|s| (s.subject.to_owned(), s.what.clone()))
        .collect()
}

/// The rows, and what there is to say of the tier as a whole.
pub fn rows(run: &Run<'_>) -> (Vec<GateRow>, String) {
    if let Some(reason) = run.no_times {
        return (Vec::new(), reason.to_owned());
    }
    let all = series(&run.records.times);
    let cpu = run.facts.get("times_cpu").map_or("", String::as_str);
    let there = run
        .baseline
        .map_or("", |baseline| baseline.fact("times_cpu"));
    let tolerance = run.tolerance.at(cpu, there);
    let (controls, own): (Vec<_>, Vec<_>) = all.iter().partition(|s| s.subject == GATE_REFERENCE);
    let mut rows: Vec<GateRow> = controls.into_iter().map(control).collect();
    let is_calm = !rows.is_empty() && rows.iter().all(|row| row.standing == Outcome::Pass);
    rows.extend(beside(run, &own, tolerance, is_calm));
    let failed = run.records.times.iter().filter(|row| !row.error.is_empty());
    rows.extend(failed.map(|row| {
        GateRow::new(Tier::Time, &row.subject, "loop", String::new()).error(&row.error)
    }));
    (rows, note(is_calm, there, cpu, tolerance))
}

fn note(is_calm: bool, there: &str, here: &str, tolerance: f64) -> String {
    let mut note = format!(
        "Slower fails from {} times the baseline's ratio on.",
        number::significant(tolerance, 3)
    );
    if !there.is_empty() && there != here {
        note += " The baseline's times are of another machine, so the tolerance is the wider one.";
    }
    if !is_calm {
        note += " The reference beside itself did not come out equal: the machine is too unquiet \
                 to judge.";
    }
    note
}

/// The reference beside itself: equal, or the machine is too unquiet.
fn control(series: &Series<'_>) -> GateRow {
    let is_equal = |now: Estimate| {
        now.interval.low > 1.0 - CONTROL_BAND && now.interval.high < 1.0 + CONTROL_BAND
    };
    let is_calm = [FIRST, RERUN]
        .into_iter()
        .all(|rerun| series.ratio(rerun).is_none_or(is_equal));
    let row = GateRow {
        setting: CONTROL_SETTING.into(),
        value: series.figure(),
        ..series.row()
    };
    if is_calm {
        return row;
    }
    GateRow {
        standing: Outcome::Inconclusive,
        note: format!("not within {} % of 1", CONTROL_BAND * 100.0),
        ..row
    }
}

fn beside(run: &Run<'_>, all: &[&Series<'_>], tolerance: f64, is_calm: bool) -> Vec<GateRow> {
    let old = |series: &Series<'_>| before(run, &series.row());
    let p = |series: &&Series<'_>| {
        let limit = old(series).and_then(|old| limit(&old, tolerance));
        limit.map_or(1.0, |limit| sign_test_above(&series.ratios(FIRST), limit))
    };
    let adjusted = holm(&all.iter().map(p).collect::<Vec<_>>());
    all.iter()
        .zip(adjusted)
        .map(|(series, p)| one(run, series, tolerance, p, is_calm))
        .collect()
}

/// One operation of one filter; `p` is that of "slower than tolerated" at first,
/// after Holm.
fn one(run: &Run<'_>, series: &Series<'_>, tolerance: f64, p: f64, is_calm: bool) -> GateRow {
    let row = GateRow {
        value: series.figure(),
        ..series.row()
    };
    let old = before(run, &row);
    let (
        Some(Figure::Ratio {
            ratio: before,
            high,
            ..
        }),
        Some(now),
    ) = (&old, series.ratio(FIRST))
    else {
        let (standing, note) = unknown(run);
        return GateRow {
            changed: run.baseline.is_some(),
            standing,
            note,
            ..row
        };
    };
    let limit = high * tolerance;
    let is_beyond = |now: Interval, p: f64| now.low > limit && p < FAMILY_ALPHA;
    let interval = now.interval;
    let first = is_beyond(interval, p);
    // Measured again, and whether it is surely beyond then too.
    let again = series.ratio(RERUN).map(|again| {
        let p = sign_test_above(&series.ratios(RERUN), limit);
        (again.value, is_beyond(again.interval, p))
    });
    let standing = match (first, again) {
        (true, Some((_, true))) if is_calm => Outcome::Fail,
        (true, _) => Outcome::Inconclusive,
        (false, _) if interval.high > limit => Outcome::Inconclusive,
        (false, _) => Outcome::Pass,
    };
    let part = |ratio: f64| number::significant(ratio / before, 3);
    let is_faster = interval.high * tolerance < *before;
    let again = match again {
        Some((again, _)) => format!(", {} when measured again", part(again)),
        None => String::new(),
    };
    let [value, low, high] = [now.value, interval.low, interval.high].map(part);
    GateRow {
        // Times are never the same twice: changed is what is surely beyond.
        changed: standing == Outcome::Fail || is_faster,
        note: match standing {
            Outcome::Pass if !is_faster => String::new(),
            _ => format!("{value} times the baseline's ratio ({low} to {high}){again}"),
        },
        baseline: old,
        standing,
        ..row
    }
}

/// Of which rounds: all at first, or those of a rerun.
const FIRST: bool = false;
const RERUN: bool = true;

/// The rounds of one operation of one subject.
struct Series<'a> {
    pub subject: &'a str,
    pub what: String,
    rows: Vec<&'a TimingRow>,
}

impl Series<'_> {
    /// The times of each round, and those of the reference.
    fn times(&self, is_rerun: bool) -> impl Iterator<Item = (f64, f64)> {
        let rows = self.rows.iter();
        let own = rows.filter(move |row| row.operation.ends_with(AGAIN) == is_rerun);
        own.filter_map(|row| Some((row.ns_per_key, row.reference_ns_per_key?)))
    }

    fn ratios(&self, is_rerun: bool) -> Vec<f64> {
        self.times(is_rerun)
            .map(|(own, reference)| own / reference)
            .collect()
    }

    /// Its row before it is judged: loops have their own keys, and not too many of
    /// them.
    fn row(&self) -> GateRow {
        let setting = self.rows.first().map_or(String::new(), |row| {
            format!(
                "ratio to the reference, for {} keys of {} of the program's own, of a filter \
                 made by default",
                number::count(row.capacity),
                row.keys
            )
        });
        GateRow::new(Tier::Time, self.subject, &self.what, setting)
    }

    /// Its median and interval.
    fn ratio(&self, is_rerun: bool) -> Option<Estimate> {
        Estimate::median(self.ratios(is_rerun).into_iter())
    }

    fn figure(&self) -> Option<Figure> {
        let ratio = self.ratio(FIRST)?;
        let (own, reference): (Vec<f64>, Vec<f64>) = self.times(FIRST).unzip();
        let middle = |ns: Vec<f64>| Some(Estimate::median(ns.into_iter())?.value);
        Some(Figure::Ratio {
            ratio: ratio.value,
            low: ratio.interval.low,
            high: ratio.interval.high,
            rounds: own.len() as u64,
            ns: middle(own)?,
            reference_ns: middle(reference)?,
        })
    }
}

fn series(rows: &[TimingRow]) -> Vec<Series<'_>> {
    let what = |row: &TimingRow| match row.path {
        Way::Single => row.operation.replace(AGAIN, ""),
        Way::Batch => row.operation.replace(AGAIN, "") + " in batches",
    };
    let sound = rows.iter().filter(|row| row.error.is_empty());
    let groups = grouped(sound, |row| (row.subject.as_str(), what(row))).into_iter();
    let series = groups.map(|((subject, what), rows)| Series {
        subject,
        what,
        rows,
    });
    series.collect()
}
