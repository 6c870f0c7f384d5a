//! The time tier: ratios to the reference, compared with those of the baseline.

use super::{Run, before, unknown};
use crate::{estimate::Estimate, groups::grouped, levels::FAMILY_ALPHA, number};
use bouquet_ground::Outcome;
use bouquet_ground::record::{
    AGAIN, Figure, GATE_REFERENCE, GateDocument, GateRecords, GateRow, Tier, TimingRow, Way,
};
use bouquet_stats::{holm, sign_test_above};

pub const CONTROL_SETTING: &str = "the reference beside itself";
/// How far the control's ratio may lie from 1, with its interval.
const CONTROL_BAND: f64 = 0.1;
/// How many times as slow as in the baseline, by the ratio to the reference, is too slow: on its
/// machine, and on another, where ratios differ by themselves.
const TOLERANCE: [f64; 2] = [1.3, 2.0];

/// By the processor's name.
fn tolerance(given: Option<f64>, here: &str, baseline: &str) -> f64 {
    let is_other = here != baseline || here.is_empty();
    given.unwrap_or(TOLERANCE[usize::from(is_other)])
}

/// The ratio of the baseline from which on it is too slow: its upper end, times
/// what is tolerated.
fn limit(old: Option<&Figure>, tolerance: f64) -> Option<f64> {
    match old {
        Some(Figure::Ratio { high, .. }) => Some(high * tolerance),
        _ => None,
    }
}

/// What is beyond the tolerance at first sight and has to be measured again:
/// subject and operation.
pub fn suspects(
    records: &GateRecords,
    baseline: &GateDocument,
    cpu: &str,
    given: Option<f64>,
) -> Vec<(String, String)> {
    let tolerance = tolerance(given, cpu, baseline.fact("times_cpu"));
    let is_beyond = |series: &Series<'_>| {
        let old = baseline.row((Tier::Time, series.subject, &series.what));
        let limit = limit(old.and_then(|row| row.value.as_ref()), tolerance);
        limit
            .zip(series.ratio(FIRST))
            .is_some_and(|(limit, now)| now.interval.low > limit)
    };
    let all = series(&records.times).into_iter();
    all.filter(|series| series.subject != GATE_REFERENCE && is_beyond(series))
        .map(|series| (series.subject.to_owned(), series.what))
        .collect()
}

/// Adds the rows; gives what there is to say of the tier as a whole.
pub fn rows(run: &Run<'_>, rows: &mut Vec<GateRow>) -> String {
    if let Some(reason) = run.no_times {
        return reason.to_owned();
    }
    let all = series(&run.records.times);
    let here = run.facts.get("times_cpu").map_or("", String::as_str);
    let there = run
        .baseline
        .map_or("", |baseline| baseline.fact("times_cpu"));
    let tolerance = tolerance(run.tolerance, here, there);
    let (controls, own): (Vec<_>, Vec<_>) = all.iter().partition(|s| s.subject == GATE_REFERENCE);
    rows.extend(controls.into_iter().map(control));
    let is_calm = !rows.is_empty() && rows.iter().all(|row| row.standing == Outcome::Pass);
    let p = own.iter().map(|series| {
        let limit = limit(before(run, &series.row()).as_ref(), tolerance);
        limit.map_or(1.0, |limit| sign_test_above(&series.ratios(FIRST), limit))
    });
    let adjusted = holm(&p.collect::<Vec<_>>());
    let own = own.iter().zip(adjusted);
    rows.extend(own.map(|(series, p)| one(run, series, tolerance, p, is_calm)));
    let failed = run.records.times.iter().filter(|row| !row.error.is_empty());
    rows.extend(failed.map(|row| {
        GateRow::new(Tier::Time, &row.subject, "loop", String::new()).error(&row.error)
    }));
    let mut note = format!(
        "Slower fails from {} times the baseline's ratio on.",
        number::significant(tolerance, 3)
    );
    if !there.is_empty() && there != here {
        note += " The baseline's times are of another machine.";
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
    let mut ratios = [FIRST, RERUN].into_iter().filter_map(|of| series.ratio(of));
    let row = GateRow {
        setting: CONTROL_SETTING.into(),
        ..series.row()
    };
    if ratios.all(is_equal) {
        return row;
    }
    GateRow {
        standing: Outcome::Inconclusive,
        note: format!("not within {} % of 1", CONTROL_BAND * 100.0),
        ..row
    }
}

/// One operation of one filter; `p` is that of "slower than tolerated" at first,
/// after Holm.
fn one(run: &Run<'_>, series: &Series<'_>, tolerance: f64, p: f64, is_calm: bool) -> GateRow {
    let row = series.row();
    let old = before(run, &row);
    let (
        Some(Figure::Ratio {
            ratio: was, high, ..
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
    let again = series.ratio(RERUN);
    let is_again = || sign_test_above(&series.ratios(RERUN), limit) < FAMILY_ALPHA;
    let standing = match p < FAMILY_ALPHA {
        true if is_calm && is_again() => Outcome::Fail,
        false if now.interval.high <= limit => Outcome::Pass,
        _ => Outcome::Inconclusive,
    };
    let is_faster = now.interval.high * tolerance < *was;
    let mut note = String::new();
    if standing != Outcome::Pass || is_faster {
        let part = |ratio: f64| number::significant(ratio / was, 3);
        note = format!("{} times the baseline's ratio", now.words(part));
        if let Some(again) = again {
            note += &format!(", {} when measured again", part(again.value));
        }
    }
    GateRow {
        // Times are never the same twice: changed is what is surely beyond.
        changed: standing == Outcome::Fail || is_faster,
        note,
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
    subject: &'a str,
    what: String,
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
        let times = self.times(is_rerun);
        times.map(|(own, reference)| own / reference).collect()
    }

    /// Its median and interval.
    fn ratio(&self, is_rerun: bool) -> Option<Estimate> {
        Estimate::median(self.ratios(is_rerun).into_iter())
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
        GateRow {
            value: self.figure(),
            ..GateRow::new(Tier::Time, self.subject, &self.what, setting)
        }
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
