//! The statistical tier: the FPR of each filter is compared with theory and with the baseline's.
//! The battery of tests on locations is not compared with the baseline: a flag always is a failure.

use super::{Run, before, unknown};
use crate::{
    battery::{self, Tested},
    estimate::Estimate,
    judge::{Outcome, check, point},
    levels::FAMILY_ALPHA,
    number,
};
use bouquet_ground::record::{Figure, GateRow, Observation, Records, Tier};
use bouquet_stats::{Interval, z_two_sided};

/// The number of checks per filter; they share the family's alpha.
const CHECKS: usize = 3;

pub fn rows(run: &Run<'_>) -> Vec<GateRow> {
    [rates(run), locations(run)].concat()
}

fn rates(run: &Run<'_>) -> Vec<GateRow> {
    let all = &run.records.fpr;
    let groups: Vec<&[Observation]> = all
        .chunk_by(|a, b| (&a.filter, &a.key_set) == (&b.filter, &b.key_set))
        .collect();
    let alpha = FAMILY_ALPHA / (CHECKS * groups.len().max(1)) as f64;
    let mut rows: Vec<GateRow> = Vec::new();
    for group in groups {
        // A filter whose own key set is too small is measured a second time with generated keys.
        let is_second = rows
            .last()
            .is_some_and(|row| row.subject == group[0].filter);
        let size = if is_second { " at capacity" } else { "" };
        rows.extend(of_filter(run, group, size, alpha));
    }
    rows
}

/// A false-positive rate with its interval.
fn rate(rate: Estimate, (hits, asked): (u64, u64), expected: f64) -> Figure {
    Figure::Rate {
        rate: rate.value,
        low: rate.interval.low,
        high: rate.interval.high,
        hits,
        asked,
        expected,
    }
}

fn of_filter(run: &Run<'_>, group: &[Observation], size: &str, alpha: f64) -> Vec<GateRow> {
    let first = &group[0];
    let setting = format!(
        "{} filters for {} keys of {}, each with its own seed",
        group.len(),
        number::count(first.capacity),
        first.key_set,
    );
    let new = |what: &str| {
        let what = format!("{what}{size}");
        GateRow::new(Tier::Statistical, &first.filter, &what, setting.clone())
    };
    if let Some(bad) = group.iter().find(|row| !row.error.is_empty()) {
        return vec![new("FPR").error(&bad.error)];
    }
    let samples: Vec<&Observation> = group.iter().collect();
    let point = point(&samples, alpha);
    let counts = (point.of.false_positives, point.of.non_members);
    let pooled = rate(point.rate, counts, point.of.expected_fpr);
    let mut rows = vec![against_baseline(run, group, new("FPR"), pooled, alpha)];
    // The two checks against theory, which need no baseline.
    rows.extend(
        check::both(&samples, [alpha; 2]).map(|(what, check)| GateRow {
            value: Some(rate(check.rate, counts, check.theory)),
            standing: check.outcome,
            note: match check.outcome {
                Outcome::Pass => String::new(),
                _ => check.by_how_much(),
            },
            ..new(what)
        }),
    );
    rows
}

/// Checks whether the ratio of the measured rate to that of the baseline agrees with the ratio
/// expected by theory. Equal counts of hits and non-members always pass.
fn against_baseline(
    run: &Run<'_>,
    group: &[Observation],
    row: GateRow,
    value: Figure,
    alpha: f64,
) -> GateRow {
    let old = before(run, &row);
    // Counts are compared instead of rates, whose last digit may change when written and read.
    let counts = |figure: &Figure| match figure {
        Figure::Rate {
            hits,
            asked,
            expected,
            ..
        } => Some(((*hits, *asked), *expected)),
        _ => None,
    };
    let (before, now) = (old.as_ref().and_then(counts), counts(&value));
    let is_other = before.map(|old| old.0) != now.map(|new| new.0);
    let (standing, note) = match (before, now) {
        _ if !is_other => (Outcome::Pass, String::new()),
        (Some((old, old_expected)), Some((new, expected))) => {
            near(old, new, expected / old_expected, spread(group), alpha)
        }
        _ => unknown(run),
    };
    GateRow {
        changed: run.baseline.is_some() && is_other,
        value: Some(value),
        baseline: old,
        standing,
        note,
        ..row
    }
}

/// Checks whether the ratio of two rates, each given as hits and non-members, differs from
/// `expected` by no more than chance. `expected` is 1 unless the number of keys has changed.
fn near(
    before: (u64, u64),
    now: (u64, u64),
    expected: f64,
    spread: f64,
    alpha: f64,
) -> (Outcome, String) {
    let Estimate { value, interval } = ratio(before, now, spread, 1.0 - alpha);
    if (interval.low..=interval.high).contains(&expected) {
        return (Outcome::Pass, String::new());
    }
    let [value, expected] = [value, expected].map(|times| number::significant(times, 3));
    let note = format!("{value} times the baseline's, {expected} expected, more than chance");
    (Outcome::Fail, note)
}

/// The relative variance of the mean rate of these filters between samples of filters, where theory
/// gives it.
fn spread(group: &[Observation]) -> f64 {
    let relative = |row: &Observation| Some(row.expected_fpr_sd? / row.expected_fpr);
    let sum: f64 = group.iter().filter_map(relative).map(|r| r * r).sum();
    sum / (group.len() * group.len()) as f64
}

/// The ratio of two rates with its interval, by the logarithm (Katz et al. 1978); a count of 0 hits
/// is taken as 0.5.
fn ratio(old: (u64, u64), new: (u64, u64), spread: f64, confidence: f64) -> Estimate {
    let hits = |hits: u64| (hits as f64).max(0.5);
    let rate = |(h, n): (u64, u64)| hits(h) / n.max(1) as f64;
    let value = rate(new) / rate(old);
    let variance = 1.0 / hits(old.0) + 1.0 / hits(new.0) + 2.0 * spread;
    let half = z_two_sided(confidence) * variance.sqrt();
    let interval = Interval::new(value * (-half).exp(), value * half.exp());
    Estimate { value, interval }
}

/// One row per subject: the smallest of its p-values, after Holm's correction over all.
fn locations(run: &Run<'_>) -> Vec<GateRow> {
    let records = Records {
        battery: run.records.battery.clone(),
        ..Records::default()
    };
    let judgement = battery::judge(&records);
    let row = |cell| of_subject(&records, &judgement, cell);
    judgement.cells.iter().map(row).collect()
}

fn of_subject(records: &Records, judgement: &battery::Judgement, cell: &Tested) -> GateRow {
    let first = &cell.first;
    let setting = match first.slots {
        0 => "not made".into(),
        slots => format!(
            "{} keys of {} in {} slots, k = {}",
            number::count(first.keys),
            first.key_set,
            number::count(slots),
            first.probes
        ),
    };
    let what = "locations are even";
    let row = GateRow::new(Tier::Statistical, &first.subject, what, setting);
    let adjusted = |at: &usize| judgement.adjusted[*at];
    let least = cell
        .rows
        .clone()
        .min_by(|a, b| adjusted(a).total_cmp(&adjusted(b)));
    let Some(at) = least.filter(|_| !cell.is_error()) else {
        return row.error(&first.error);
    };
    let worst = &records.battery[at];
    let of = format!("{} {}", worst.test, worst.item);
    let (standing, note) = match (cell.must_flag(), cell.findings.is_empty()) {
        (false, true) | (true, false) => (Outcome::Pass, String::new()),
        (false, false) => (Outcome::Fail, format!("flagged by {of}")),
        (true, true) => (Outcome::Void, "it must be flagged and was not".into()),
    };
    let value = Figure::PValue {
        p: adjusted(&at),
        tests: cell.rows.len() as u64,
        of,
    };
    GateRow {
        standing,
        note,
        ..row.has(value)
    }
}
