//! The time tier divides the times of filters by the time of a reference filter, and compares these
//! ratios with the ratios in the baseline.

use super::{Run, Standing, against, measured};
use crate::{
    groups::grouped,
    judge::FAMILY_ALPHA,
    number::{self, Estimate},
};
use bouquet_record::{
    AGAIN, Figure, GATE_REFERENCE, GateDocument, GateRecords, GateRow, Outcome, Tier, TimingRow,
    Way,
};
use bouquet_stats::{holm, sign_test_above};

pub const CONTROL_SETTING: &str = "the reference beside itself";
/// The 95 % interval of the control's ratio must lie between 1 minus this and 1 plus this.
const CONTROL_BAND: f64 = 0.1;
/// How many times the baseline's ratio a time ratio may be: first if the processor is that of the
/// baseline, then if it is another, where ratios differ even for an unchanged filter.
const TOLERANCE: [f64; 2] = [1.3, 2.0];

/// The given tolerance, or else the default, which depends on whether the processors are the same.
fn tolerance(given: Option<f64>, here: &str, baseline: &str) -> f64 {
    let is_other = here != baseline || here.is_empty();
    given.unwrap_or(TOLERANCE[usize::from(is_other)])
}

/// The filter and the name of each operation whose first measurement exceeds the tolerance. These
/// operations must be measured again.
pub fn suspects(
    records: &GateRecords,
    baseline: &GateDocument,
    cpu: &str,
    given: Option<f64>,
) -> Vec<(String, String)> {
    let tolerance = tolerance(given, cpu, baseline.fact("times_cpu"));
    let is_beyond = |series: &Series| {
        let limit = series.limit(Some(baseline), tolerance);
        let both = limit.zip(ratio(&series.first));
        both.is_some_and(|(limit, now)| now.low > limit)
    };
    let all = series(&records.times)
        .into_iter()
        .map(|own| (is_beyond(&own), own.row));
    let slow = all.filter(|(is_beyond, row)| *is_beyond && row.subject != GATE_REFERENCE);
    slow.map(|(_, row)| (row.subject, row.what)).collect()
}

/// The rows of the time tier, and a note on all of them.
pub fn rows(run: &Run<'_>) -> (Vec<GateRow>, String) {
    if let Some(reason) = run.no_times {
        return (Vec::new(), reason.to_owned());
    }
    let here = run.facts.get("times_cpu").map_or("", String::as_str);
    let there = run.baseline.map_or("", |old| old.fact("times_cpu"));
    let tolerance = tolerance(run.tolerance, here, there);
    let all = series(&run.records.times).into_iter();
    let (controls, own): (Vec<_>, Vec<_>) =
        all.partition(|series| series.row.subject == GATE_REFERENCE);
    let mut rows: Vec<GateRow> = controls.into_iter().map(control).collect();
    let is_calm = !rows.is_empty() && rows.iter().all(|row| row.standing == Outcome::Pass);
    let p = own.iter().map(|series| {
        let limit = series.limit(run.baseline, tolerance);
        limit.map_or(1.0, |limit| sign_test_above(&series.first, limit))
    });
    let p = holm(&p.collect::<Vec<_>>());
    rows.extend(own.iter().zip(p).map(|(series, p)| {
        let state = [p < FAMILY_ALPHA, is_calm];
        against(run, series.row.clone(), |old, _| {
            one(series, old, tolerance, state)
        })
    }));
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
    (rows, note)
}

/// Judges the control, which times the reference loop against itself. If the ratio is not near 1,
/// the machine is not quiet enough.
fn control(series: Series) -> GateRow {
    let is_equal = |now: Estimate| now.low > 1.0 - CONTROL_BAND && now.high < 1.0 + CONTROL_BAND;
    let ratios = [ratio(&series.first), ratio(&series.again)];
    let is_calm = ratios.into_iter().flatten().all(is_equal);
    let mut row = GateRow {
        setting: CONTROL_SETTING.into(),
        ..series.row
    };
    if !is_calm {
        row.standing = Outcome::Inconclusive;
        row.note = format!("not within {} % of 1", CONTROL_BAND * 100.0);
    }
    row
}

/// Judges one operation of one filter. `is_slow` says that its first measurement is significantly
/// slower than tolerated, after Holm's correction. `is_calm` says that the control passed. Measured
/// times are never equal, so a time counts as changed only if it is beyond the tolerance.
fn one(series: &Series, old: &Figure, tolerance: f64, [is_slow, is_calm]: [bool; 2]) -> Standing {
    let (Some((was, _)), Some(now)) = (measured(old), ratio(&series.first)) else {
        return (true, Outcome::Fail, super::OTHER.into());
    };
    let limit = was.high * tolerance;
    let is_again = || sign_test_above(&series.again, limit) < FAMILY_ALPHA;
    let standing = match is_slow {
        true if is_calm && is_again() => Outcome::Fail,
        false if now.high <= limit => Outcome::Pass,
        _ => Outcome::Inconclusive,
    };
    let is_faster = now.high * tolerance < was.value;
    if standing == Outcome::Pass && !is_faster {
        return (false, standing, String::new());
    }
    let part = |ratio: f64| number::significant(ratio / was.value, 3);
    let mut note = format!("{} times the baseline's ratio", now.words(part));
    if let Some(again) = ratio(&series.again) {
        note += &format!(", {} when measured again", part(again.value));
    }
    (standing == Outcome::Fail || is_faster, standing, note)
}

/// The measurements of one operation of one filter, or of the control.
struct Series {
    /// The row as measured, before the comparison with the baseline.
    row: GateRow,
    /// The ratio to the reference in each round of the first and of the second measurement.
    first: Vec<f64>,
    again: Vec<f64>,
}

impl Series {
    /// The ratio above which the operation is too slow: the upper end of the baseline's interval
    /// times the tolerance. `None` if the baseline has no value.
    fn limit(&self, baseline: Option<&GateDocument>, tolerance: f64) -> Option<f64> {
        let old = baseline?.row(self.row.id())?.value.as_ref()?;
        Some(measured(old)?.0.high * tolerance)
    }
}

fn ratio(ratios: &[f64]) -> Option<Estimate> {
    Estimate::median(ratios.iter().copied())
}

fn series(rows: &[TimingRow]) -> Vec<Series> {
    let what = |row: &TimingRow| match row.path {
        Way::Single => row.operation.replace(AGAIN, ""),
        Way::Batch => row.operation.replace(AGAIN, "") + " in batches",
    };
    let sound = rows.iter().filter(|row| row.error.is_empty());
    let groups = grouped(sound, |row| (row.subject.as_str(), what(row))).into_iter();
    let series = groups.map(|((subject, what), rows)| {
        let setting = format!(
            "ratio to the reference, for {} keys of {} of the program's own, of a filter made by \
             default",
            number::count(rows[0].capacity),
            rows[0].keys
        );
        let rounds = rows.into_iter();
        let rounds = rounds.filter_map(|row| Some((row, row.reference_ns_per_key?)));
        let (again, first): (Vec<_>, Vec<_>) =
            rounds.partition(|(row, _)| row.operation.ends_with(AGAIN));
        let each = |rounds: &[(&TimingRow, f64)], of: fn(f64, f64) -> f64| -> Vec<f64> {
            let rounds = rounds.iter();
            let each = rounds.map(|(row, reference)| of(row.ns_per_key, *reference));
            each.collect()
        };
        let ratios = |rounds: &[_]| each(rounds, |ns, reference| ns / reference);
        let middle = |of| ratio(&each(&first, of)).map_or(0.0, |ns| ns.value);
        let value = ratio(&ratios(&first)).map(|ratio| Figure::Ratio {
            ratio: ratio.value,
            low: ratio.low,
            high: ratio.high,
            rounds: first.len() as u64,
            ns: middle(|ns, _| ns),
            reference_ns: middle(|_, reference| reference),
        });
        Series {
            row: GateRow {
                value,
                ..GateRow::new(Tier::Time, subject, &what, setting)
            },
            first: ratios(&first),
            again: ratios(&again),
        }
    });
    series.collect()
}
