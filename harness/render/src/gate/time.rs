//! The time tier: ratios to the reference, held against those of the baseline.

mod series;

use self::series::{Series, series};
use super::{Run, before, unknown};
use crate::{judge::FAMILY_ALPHA, number};
use bouquet_ground::Outcome;
use bouquet_ground::record::{Figure, GATE_REFERENCE, GateDocument, GateRecords, GateRow, Tier};
use bouquet_stats::{holm, sign_test_above};

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
        let id = (Tier::Time, series.subject, series.operation);
        let old = baseline.row(id).and_then(|row| row.value.as_ref());
        let limit = old.and_then(|old| limit(old, tolerance));
        let low = match series.figure(0) {
            Some(Figure::Ratio { low, .. }) => low,
            _ => return false,
        };
        series.subject != GATE_REFERENCE && limit.is_some_and(|limit| low > limit)
    };
    all.iter()
        .filter(beyond)
        .map(|s| (s.subject.to_owned(), s.operation.to_owned()))
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
    let controls: Vec<GateRow> = all
        .iter()
        .filter(|series| series.subject == GATE_REFERENCE)
        .map(control)
        .collect();
    let is_calm = !controls.is_empty() && controls.iter().all(|row| row.standing == Outcome::Pass);
    let mut rows = controls;
    let own: Vec<&Series<'_>> = all.iter().filter(|s| s.subject != GATE_REFERENCE).collect();
    let judged = beside(run, &own, tolerance, is_calm);
    rows.extend(judged);
    let failed = run.records.times.iter().filter(|row| !row.error.is_empty());
    rows.extend(failed.map(|row| {
        GateRow::new(Tier::Time, &row.subject, "loop", String::new()).error(&row.error)
    }));
    (rows, note(run, is_calm, there, cpu, tolerance))
}

fn note(run: &Run<'_>, is_calm: bool, there: &str, here: &str, tolerance: f64) -> String {
    let mut note = format!(
        "Slower fails from {} times the baseline's ratio on.",
        number::significant(tolerance, 3)
    );
    if run.baseline.is_some() && !there.is_empty() && there != here {
        note += &format!(
            " The baseline's times are of another machine ({there}; here {here}), so ratios alone \
             are compared, and by the wider tolerance."
        );
    }
    if !is_calm {
        note += " The reference beside itself did not come out equal: the machine is too unquiet \
                 to judge.";
    }
    note
}

/// The reference beside itself: equal, or the machine is too unquiet.
fn control(series: &Series<'_>) -> GateRow {
    let figures = [series.figure(0), series.figure(1)];
    let is_equal = |figure: &Figure| match figure {
        Figure::Ratio { low, high, .. } => *low > 1.0 - CONTROL_BAND && *high < 1.0 + CONTROL_BAND,
        _ => false,
    };
    let is_calm = figures.iter().flatten().all(is_equal);
    let [value, _] = figures;
    GateRow {
        setting: CONTROL_SETTING.into(),
        value,
        standing: if is_calm {
            Outcome::Pass
        } else {
            Outcome::Inconclusive
        },
        note: if is_calm {
            String::new()
        } else {
            format!("not within {} % of 1", CONTROL_BAND * 100.0)
        },
        ..series.row()
    }
}

fn beside(run: &Run<'_>, all: &[&Series<'_>], tolerance: f64, is_calm: bool) -> Vec<GateRow> {
    let old = |series: &Series<'_>| before(run, &series.row());
    let p = |series: &&Series<'_>| {
        let limit = old(series).and_then(|old| limit(&old, tolerance));
        limit.map_or(1.0, |limit| sign_test_above(&series.ratios(0), limit))
    };
    let adjusted = holm(&all.iter().map(p).collect::<Vec<_>>());
    all.iter()
        .zip(adjusted)
        .map(|(series, p)| match old(series) {
            Some(old) => one(series, old, tolerance, p, is_calm),
            None => new(run, series),
        })
        .collect()
}

/// What the rounds say of a limit.
struct Beyond {
    limit: f64,
    /// At first, surely.
    first: bool,
    /// The ratio when measured again, and whether it is surely beyond.
    again: Option<(f64, bool)>,
}

impl Beyond {
    /// `p` is that of "slower than tolerated" at first, after Holm.
    fn of(series: &Series<'_>, limit: f64, low: f64, p: f64) -> Self {
        let again = match series.figure(1) {
            Some(Figure::Ratio { ratio, low, .. }) => {
                let p = sign_test_above(&series.ratios(1), limit);
                Some((ratio, low > limit && p < FAMILY_ALPHA))
            }
            _ => None,
        };
        Self {
            limit,
            first: low > limit && p < FAMILY_ALPHA,
            again,
        }
    }

    /// `high` is the upper end of the ratio at first.
    fn standing(&self, high: f64, is_calm: bool) -> Outcome {
        match (self.first, self.again) {
            (true, Some((_, true))) if is_calm => Outcome::Fail,
            (true, _) => Outcome::Inconclusive,
            (false, _) if high > self.limit => Outcome::Inconclusive,
            (false, _) => Outcome::Pass,
        }
    }
}

/// One operation that the baseline has not.
fn new(run: &Run<'_>, series: &Series<'_>) -> GateRow {
    let (standing, note) = unknown(run);
    GateRow {
        value: series.figure(0),
        changed: run.baseline.is_some(),
        standing,
        note,
        ..series.row()
    }
}

/// One operation of one filter.
fn one(series: &Series<'_>, old: Figure, tolerance: f64, p: f64, is_calm: bool) -> GateRow {
    let value = series.figure(0);
    let row = series.row();
    let (
        Figure::Ratio { ratio: before, .. },
        Some(Figure::Ratio {
            ratio, low, high, ..
        }),
    ) = (&old, &value)
    else {
        return GateRow {
            value,
            changed: true,
            standing: Outcome::Inconclusive,
            note: "not in the baseline".into(),
            ..row
        };
    };
    let limit = limit(&old, tolerance);
    let beyond = Beyond::of(series, limit.unwrap_or(f64::INFINITY), *low, p);
    let standing = beyond.standing(*high, is_calm);
    let is_faster = high * tolerance < *before;
    let note = match standing {
        Outcome::Pass if is_faster => format!("{}: faster", times(*ratio, *before)),
        Outcome::Pass => String::new(),
        _ => slower([*ratio, *low, *high], *before, &beyond),
    };
    GateRow {
        // Times are never the same twice: changed is what is surely beyond.
        changed: standing == Outcome::Fail || is_faster,
        value,
        baseline: Some(old),
        standing,
        note,
        ..row
    }
}

fn times(ratio: f64, before: f64) -> String {
    let times = number::significant(ratio / before, 3);
    format!("{times} times the baseline's ratio")
}

/// How much slower: the ratio with its interval, and what came of the rerun.
fn slower([ratio, low, high]: [f64; 3], before: f64, beyond: &Beyond) -> String {
    let part = |ratio: f64| number::significant(ratio / before, 3);
    let first = format!("{} ({} to {})", times(ratio, before), part(low), part(high));
    match beyond.again {
        Some((again, true)) if beyond.first => {
            format!("{first}, and {} when measured again", part(again))
        }
        Some((again, false)) if beyond.first => {
            format!("{first}, but {} when measured again", part(again))
        }
        _ => first,
    }
}
