//! The time tier: ratios to the reference, compared with those of the baseline.

use super::{Run, before, unknown};
use crate::{estimate::Estimate, groups::grouped, levels::FAMILY_ALPHA, number};
use bouquet_ground::Outcome;
use bouquet_ground::record::{
    AGAIN, Figure, GATE_REFERENCE, GateDocument, GateRecords, GateRow, Tier, TimingRow, Way,
};
use bouquet_stats::{holm, sign_test_above};

pub const CONTROL_SETTING: &str = "the reference beside itself";
/// The interval of the control's ratio must lie between 1 minus this and 1 plus this.
const CONTROL_BAND: f64 = 0.1;
/// The largest accepted ratio to the baseline's value: on the machine of the baseline, and on
/// another, where ratios to the reference differ anyway.
const TOLERANCE: [f64; 2] = [1.3, 2.0];

/// The tolerance: as given, or the default, which depends on whether the processor's name is that
/// of the baseline.
fn tolerance(given: Option<f64>, here: &str, baseline: &str) -> f64 {
    let is_other = here != baseline || here.is_empty();
    given.unwrap_or(TOLERANCE[usize::from(is_other)])
}

/// The ratio above which an operation is too slow: the upper end of the baseline's interval times
/// the tolerance.
fn limit(old: Option<&Figure>, tolerance: f64) -> Option<f64> {
    match old {
        Some(Figure::Ratio { high, .. }) => Some(high * tolerance),
        _ => None,
    }
}

/// The operations that exceed the tolerance in the first measurement and have to be measured again:
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

/// Adds the rows; returns the note on the tier as a whole.
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

/// The control that times the reference against itself: if the ratio is not near 1, the machine is
/// not quiet enough.
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

/// Judges one operation of one filter. `p` is the p-value of "slower than tolerated" in the first
/// measurement, after Holm's correction.
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
        // Times always differ: "changed" means beyond the tolerance with statistical confidence.
        changed: standing == Outcome::Fail || is_faster,
        note,
        baseline: old,
        standing,
        ..row
    }
}

/// Which rounds to use: those of the first measurement, or those of the rerun.
const FIRST: bool = false;
const RERUN: bool = true;

/// The rounds of one operation of one subject.
struct Series<'a> {
    subject: &'a str,
    what: String,
    rows: Vec<&'a TimingRow>,
}

impl Series<'_> {
    /// The time of each round, and that of the reference in the same round.
    fn times(&self, is_rerun: bool) -> impl Iterator<Item = (f64, f64)> {
        let rows = self.rows.iter();
        let own = rows.filter(move |row| row.operation.ends_with(AGAIN) == is_rerun);
        own.filter_map(|row| Some((row.ns_per_key, row.reference_ns_per_key?)))
    }

    fn ratios(&self, is_rerun: bool) -> Vec<f64> {
        let times = self.times(is_rerun);
        times.map(|(own, reference)| own / reference).collect()
    }

    /// The median ratio with its interval.
    fn ratio(&self, is_rerun: bool) -> Option<Estimate> {
        Estimate::median(self.ratios(is_rerun).into_iter())
    }

    /// The row of this series before it is judged. Its setting says that the timed loops use their
    /// own keys, and how many.
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
