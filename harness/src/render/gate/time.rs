//! The time tier: ratios to the reference, held against those of the baseline.

use super::{Run, before};
use crate::{
    record::{Figure, GateDocument, GateRecords, GateRow, GateTimeRow, Standing, Tier},
    render::{
        judge::{CONFIDENCE, FAMILY_ALPHA},
        number,
    },
    stats::{bootstrap_median, holm, median, sign_test_above, uniform},
};

/// The subject of the control: the reference beside itself.
const CONTROL: &str = "reference";
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

/// The rounds of one operation of one subject.
struct Series<'a> {
    subject: &'a str,
    operation: &'a str,
    rows: Vec<&'a GateTimeRow>,
}

impl Series<'_> {
    fn ratios(&self, attempt: u32) -> Vec<f64> {
        let own = self.rows.iter().filter(|row| row.attempt == attempt);
        own.map(|row| row.ns_per_key / row.reference_ns_per_key)
            .collect()
    }

    fn middle_ns(&self, of: fn(&GateTimeRow) -> f64) -> f64 {
        let first = self.rows.iter().filter(|row| row.attempt == 0);
        let values: Vec<f64> = first.map(|row| of(row)).collect();
        median(&values, CONFIDENCE).map_or(f64::NAN, |(middle, _)| middle)
    }

    /// Median and interval of an attempt.
    fn figure(&self, attempt: u32) -> Option<Figure> {
        let ratios = self.ratios(attempt);
        // The seed of the resampling follows from the name alone.
        let seed = uniform(attempt.into(), &[self.subject, self.operation]).to_bits();
        let (ratio, interval) = bootstrap_median(&ratios, CONFIDENCE, seed)?;
        Some(Figure::Ratio {
            ratio,
            low: interval.low,
            high: interval.high,
            rounds: ratios.len() as u64,
            ns: self.middle_ns(|row| row.ns_per_key),
            reference_ns: self.middle_ns(|row| row.reference_ns_per_key),
        })
    }
}

fn series(rows: &[GateTimeRow]) -> Vec<Series<'_>> {
    let mut all: Vec<Series<'_>> = Vec::new();
    for row in rows.iter().filter(|row| row.error.is_empty()) {
        let same = |s: &&mut Series<'_>| (s.subject, s.operation) == (&row.subject, &row.operation);
        match all.iter_mut().find(same) {
            Some(series) => series.rows.push(row),
            None => all.push(Series {
                subject: &row.subject,
                operation: &row.operation,
                rows: vec![row],
            }),
        }
    }
    all
}

/// The ratio of the baseline from which on it is too slow: its upper end, times
/// what is tolerated.
fn limit(old: &Figure, tolerance: f64) -> Option<f64> {
    match old {
        Figure::Ratio { high, .. } => Some(high * tolerance),
        _ => None,
    }
}

fn empty_row(subject: &str, operation: &str) -> GateRow {
    GateRow {
        tier: Tier::Time,
        subject: subject.into(),
        what: operation.into(),
        setting: "ratio to the reference".into(),
        value: None,
        baseline: None,
        standing: Standing::Pass,
        changed: false,
        note: String::new(),
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
        series.subject != CONTROL && limit.is_some_and(|limit| low > limit)
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
        .filter(|series| series.subject == CONTROL)
        .map(control)
        .collect();
    let is_calm = !controls.is_empty() && controls.iter().all(|row| row.standing == Standing::Pass);
    let mut rows = controls;
    let own: Vec<&Series<'_>> = all.iter().filter(|s| s.subject != CONTROL).collect();
    let judged = beside(run, &own, tolerance, is_calm);
    rows.extend(judged);
    let failed = run.records.times.iter().filter(|row| !row.error.is_empty());
    rows.extend(failed.map(|row| GateRow {
        value: Some(Figure::Error {
            error: row.error.clone(),
        }),
        standing: Standing::Fail,
        note: row.error.clone(),
        ..empty_row(&row.subject, "loop")
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
            Standing::Pass
        } else {
            Standing::Inconclusive
        },
        note: if is_calm {
            String::new()
        } else {
            format!("not within {} % of 1", CONTROL_BAND * 100.0)
        },
        ..empty_row(series.subject, series.operation)
    }
}

fn beside(run: &Run<'_>, all: &[&Series<'_>], tolerance: f64, is_calm: bool) -> Vec<GateRow> {
    let old = |series: &Series<'_>| -> Option<Figure> {
        let row = empty_row(series.subject, series.operation);
        before(run, &row).and_then(|row| row.value.clone())
    };
    let p = |series: &&Series<'_>| {
        let limit = old(series).and_then(|old| limit(&old, tolerance));
        limit.map_or(1.0, |limit| sign_test_above(&series.ratios(0), limit))
    };
    let adjusted = holm(&all.iter().map(p).collect::<Vec<_>>());
    all.iter()
        .zip(adjusted)
        .map(|(series, p)| one(series, old(series), tolerance, p, is_calm))
        .collect()
}

/// One operation of one filter; `p` is that of "slower than tolerated", after
/// Holm.
fn one(series: &Series<'_>, old: Option<Figure>, tolerance: f64, p: f64, is_calm: bool) -> GateRow {
    let value = series.figure(0);
    let row = empty_row(series.subject, series.operation);
    let (
        Some(Figure::Ratio { ratio: before, .. }),
        Some(Figure::Ratio {
            ratio, low, high, ..
        }),
    ) = (&old, &value)
    else {
        return GateRow {
            value,
            changed: true,
            standing: Standing::Inconclusive,
            note: "not in the baseline".into(),
            ..row
        };
    };
    let limit = old
        .as_ref()
        .and_then(|old| limit(old, tolerance))
        .unwrap_or(f64::INFINITY);
    let beyond = *low > limit && p < FAMILY_ALPHA;
    let again = match series.figure(1) {
        Some(Figure::Ratio { ratio, low, .. }) => {
            let p = sign_test_above(&series.ratios(1), limit);
            Some((ratio, low > limit && p < FAMILY_ALPHA))
        }
        _ => None,
    };
    let times = format!(
        "{} times the baseline's ratio ({} to {})",
        number::significant(ratio / before, 3),
        number::significant(low / before, 3),
        number::significant(high / before, 3)
    );
    let (standing, note) = match (beyond, again) {
        (true, _) if !is_calm => (Standing::Inconclusive, times),
        (true, Some((ratio, true))) => {
            let again = number::significant(ratio / before, 3);
            (
                Standing::Fail,
                format!("{times}, and {again} when measured again"),
            )
        }
        (true, Some((ratio, false))) => {
            let again = number::significant(ratio / before, 3);
            let note = format!("{times}, but {again} when measured again");
            (Standing::Inconclusive, note)
        }
        (true, None) => (Standing::Inconclusive, times),
        (false, _) if *high > limit => (Standing::Inconclusive, times),
        (false, _) => (Standing::Pass, String::new()),
    };
    // Times are never the same twice: changed is what is surely beyond.
    let changed = standing == Standing::Fail || high * tolerance < *before;
    let note = if changed && note.is_empty() {
        format!(
            "{} times the baseline's ratio: faster",
            number::significant(ratio / before, 3)
        )
    } else {
        note
    };
    GateRow {
        value,
        baseline: old,
        standing,
        changed,
        note,
        ..row
    }
}
