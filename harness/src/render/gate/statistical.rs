//! The statistical tier: rates against theory and against the baseline, and the
//! battery.

use super::{Run, before};
use crate::{
    record::{BatteryRow, Figure, FprRow, GateRow, Standing, Tier},
    render::{
        battery::p_value,
        judge::{
            CONFIDENCE, Check, DELTA, FAMILY_ALPHA, Outcome,
            check::{self, Sample},
            gate_outcome,
        },
        number,
    },
    stats::{Equivalence, Interval, equivalence, holm, proportion, z_two_sided},
};

/// Checks of a filter that share the family's alpha.
const CHECKS: usize = 3;

pub fn rows(run: &Run<'_>) -> Vec<GateRow> {
    let mut rows = rates(run);
    rows.extend(battery(&run.records.battery));
    rows
}

fn row(subject: &str, what: &str, setting: String) -> GateRow {
    GateRow {
        tier: Tier::Statistical,
        subject: subject.into(),
        what: what.into(),
        setting,
        value: None,
        baseline: None,
        standing: Standing::Pass,
        changed: false,
        note: String::new(),
    }
}

fn rates(run: &Run<'_>) -> Vec<GateRow> {
    let all = &run.records.fpr;
    let groups: Vec<&[FprRow]> = all.chunk_by(|a, b| a.filter == b.filter).collect();
    let strict = 1.0 - FAMILY_ALPHA / (CHECKS * groups.len().max(1)) as f64;
    groups
        .iter()
        .flat_map(|group| of_filter(run, group, strict))
        .collect()
}

fn of_filter(run: &Run<'_>, group: &[FprRow], strict: f64) -> Vec<GateRow> {
    let first = &group[0];
    let setting = format!(
        "{} filters for {} keys of {}",
        group.len(),
        number::count(first.capacity),
        first.dataset
    );
    let new = |what: &str| row(&first.filter, what, setting.clone());
    if let Some(bad) = group.iter().find(|row| !row.error.is_empty()) {
        return vec![GateRow {
            value: Some(Figure::Error {
                error: bad.error.clone(),
            }),
            standing: Standing::Fail,
            note: bad.error.clone(),
            ..new("FPR")
        }];
    }
    let samples: Vec<Sample> = group.iter().map(Sample::from).collect();
    let sum = |of: fn(&FprRow) -> u64| group.iter().map(of).sum::<u64>();
    let (hits, asked) = (sum(|r| r.false_positives), sum(|r| r.strangers_asked));
    let expected = check::weighted(&samples, |s| s.expected_fpr);
    let rate = |measured: f64, interval: Interval, expected: f64| Figure::Rate {
        rate: measured,
        low: interval.low,
        high: interval.high,
        hits,
        asked,
        expected,
    };
    let measured = hits as f64 / asked.max(1) as f64;
    let pooled = rate(measured, proportion(hits, asked, CONFIDENCE), expected);
    let mut rows = vec![against_baseline(
        run,
        group,
        new("FPR"),
        pooled.clone(),
        strict,
    )];
    if let Some(gate) = check::gate(&samples, strict) {
        let words = format!(
            "{hits} hits, {} by theory; {} fail",
            number::significant(gate.expected, 3),
            number::count(gate.fails_from)
        );
        let standing = standing(gate_outcome(&gate));
        rows.push(GateRow {
            value: Some(pooled),
            note: if standing == Standing::Pass {
                String::new()
            } else {
                words
            },
            standing,
            ..new("FPR below a ceiling")
        });
        return rows;
    }
    for (what, check) in [
        ("FPR given the bits", check::given_bits(&samples, strict)),
        ("mean FPR over seeds", check::over_seeds(&samples, strict)),
    ] {
        rows.extend(check.map(|check| GateRow {
            value: Some(rate(check.measured, check.interval, check.theory)),
            standing: standing(check.outcome),
            note: note(&check),
            ..new(what)
        }));
    }
    rows
}

fn note(check: &Check) -> String {
    match check.outcome {
        Outcome::Pass => String::new(),
        _ => check.by_how_much(),
    }
}

fn standing(outcome: Outcome) -> Standing {
    match outcome {
        Outcome::Pass => Standing::Pass,
        Outcome::Inconclusive => Standing::Inconclusive,
        Outcome::Fail => Standing::Fail,
        Outcome::Void => Standing::Void,
    }
}

/// The measured rate over that of the baseline, near enough to 1? The same hits
/// of as many strangers are the same.
fn against_baseline(
    run: &Run<'_>,
    group: &[FprRow],
    row: GateRow,
    value: Figure,
    strict: f64,
) -> GateRow {
    let old = before(run, &row).and_then(|old| old.value.clone());
    // As numbers that were written and read again, rates may differ in the last digit.
    let counts = |figure: &Figure| match figure {
        Figure::Rate { hits, asked, .. } => Some((*hits, *asked)),
        _ => None,
    };
    let is_same = old.as_ref().and_then(counts) == counts(&value);
    let (standing, note) = match (&old, &value) {
        _ if is_same => (Standing::Pass, String::new()),
        (
            Some(Figure::Rate {
                hits: h1,
                asked: n1,
                ..
            }),
            Figure::Rate {
                hits: h2,
                asked: n2,
                ..
            },
        ) => {
            let at = |confidence| ratio((*h1, *n1), (*h2, *n2), spread(group), confidence);
            let (ratio, inside) = at(CONFIDENCE);
            let (_, outside) = at(strict);
            let standing = match equivalence(inside, outside, 1.0, DELTA) {
                Equivalence::Pass => Standing::Pass,
                Equivalence::Fail => Standing::Fail,
                Equivalence::Inconclusive => Standing::Inconclusive,
            };
            let note = format!(
                "{} times the baseline's ({} to {}), {} to {} allowed",
                number::significant(ratio, 3),
                number::significant(inside.low, 3),
                number::significant(inside.high, 3),
                1.0 - DELTA,
                1.0 + DELTA
            );
            (standing, note)
        }
        _ => (Standing::Inconclusive, "not in the baseline".into()),
    };
    GateRow {
        changed: !is_same,
        value: Some(value),
        baseline: old,
        standing,
        note,
        ..row
    }
}

/// The variance of the mean of these filters' rates from one lot to the next,
/// relative, where theory tells it.
fn spread(group: &[FprRow]) -> f64 {
    let relative = |row: &FprRow| Some(row.expected_fpr_sd? / row.expected_fpr);
    let sum: f64 = group.iter().filter_map(relative).map(|r| r * r).sum();
    sum / (group.len() * group.len()) as f64
}

/// Of two rates with its interval, by the logarithm (Katz et al. 1978); half a hit
/// is added where there is none.
fn ratio(old: (u64, u64), new: (u64, u64), spread: f64, confidence: f64) -> (f64, Interval) {
    let hits = |hits: u64| (hits as f64).max(0.5);
    let rate = |(h, n): (u64, u64)| hits(h) / n.max(1) as f64;
    let ratio = rate(new) / rate(old);
    let variance = 1.0 / hits(old.0) + 1.0 / hits(new.0) + 2.0 * spread;
    let half = z_two_sided(confidence) * variance.sqrt();
    let interval = Interval {
        low: ratio * (-half).exp(),
        high: ratio * half.exp(),
    };
    (ratio, interval)
}

/// A row a subject: the smallest of its p-values after Holm over all of them.
fn battery(rows: &[BatteryRow]) -> Vec<GateRow> {
    let sound: Vec<&BatteryRow> = rows.iter().filter(|row| row.error.is_empty()).collect();
    let p: Vec<f64> = sound.iter().map(|row| p_value(row)).collect();
    let adjusted = holm(&p);
    rows.chunk_by(|a, b| a.subject == b.subject)
        .map(|group| {
            let first = &group[0];
            let tests = sound
                .iter()
                .zip(&adjusted)
                .filter(|(row, _)| row.subject == first.subject);
            of_subject(first, &tests.collect::<Vec<_>>())
        })
        .collect()
}

fn of_subject(first: &BatteryRow, tests: &[(&&BatteryRow, &f64)]) -> GateRow {
    let setting = format!(
        "{} keys of {} in {} slots, k = {}",
        number::count(first.keys),
        first.dataset,
        number::count(first.slots),
        first.probes
    );
    let row = row(&first.subject, "locations are even", setting);
    let must_flag = first.expected_outcome == "flagged";
    let least = tests.iter().min_by(|a, b| a.1.total_cmp(b.1));
    let Some((worst, p)) = least.filter(|_| first.error.is_empty()) else {
        let error = if first.error.is_empty() {
            "so few keys have no test".to_owned()
        } else {
            first.error.clone()
        };
        return GateRow {
            value: Some(Figure::Error {
                error: error.clone(),
            }),
            standing: Standing::Fail,
            note: error,
            ..row
        };
    };
    let of = format!("{} {}", worst.test, worst.item);
    let is_flagged = **p < FAMILY_ALPHA;
    let (standing, note) = match (must_flag, is_flagged) {
        (false, false) => (Standing::Pass, String::new()),
        (false, true) => (Standing::Fail, format!("flagged by {of}")),
        (true, true) => (Standing::Pass, String::new()),
        (true, false) => (Standing::Void, "it must be flagged and was not".into()),
    };
    GateRow {
        value: Some(Figure::PValue {
            p: **p,
            tests: tests.len() as u64,
            of,
        }),
        standing,
        note,
        ..row
    }
}
