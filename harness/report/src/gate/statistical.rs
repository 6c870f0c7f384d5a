//! The statistical tier compares the FPR of each filter with theory and with the baseline's FPR. It
//! also tests, without a baseline, whether keys are hashed evenly over the slots.

use super::{Run, Standing, against};
use crate::{
    battery,
    judge::{FAMILY_ALPHA, Outcome, overall, point},
    number::{self, Estimate},
};
use bouquet_record::{Figure, GateRow, Observation, Records, Tier};
use bouquet_stats::z_two_sided;

/// The number of checks per filter. All checks together have significance level [`FAMILY_ALPHA`].
const CHECKS: usize = 3;

pub fn rows(run: &Run<'_>) -> Vec<GateRow> {
    let all = &run.records.fpr;
    let groups = all.chunk_by(|a, b| (&a.filter, &a.key_set) == (&b.filter, &b.key_set));
    let groups: Vec<&[Observation]> = groups.collect();
    let alpha = FAMILY_ALPHA / (CHECKS * groups.len().max(1)) as f64;
    let mut rows: Vec<GateRow> = Vec::new();
    for group in groups {
        // A filter whose own key set is too small is measured a second time with generated keys.
        let is_second = rows.last().map(|row| &row.subject) == Some(&group[0].filter);
        let size = if is_second { " at capacity" } else { "" };
        rows.extend(of_filter(run, group, size, alpha));
    }
    rows.extend(locations(run));
    rows
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
    let rate = |rate: Estimate, expected: f64| Figure::Rate {
        rate: rate.value,
        low: rate.low,
        high: rate.high,
        hits: point.of.false_positives,
        asked: point.of.non_members,
        expected,
    };
    let pooled = new("FPR").has(rate(point.rate, point.of.expected_fpr));
    let old = run
        .baseline
        .and_then(|baseline| baseline.configured(&first.filter));
    let made = run
        .configuration
        .iter()
        .find(|own| own.name == first.filter);
    // Theory excuses another number of keys, and no other definition.
    let is_same = old.map(|(old, _)| old) == made;
    let mut rows = vec![against(run, pooled, |old, new| {
        near(old, new, is_same, spread(group), z_two_sided(1.0 - alpha))
    })];
    // The next two checks compare with theory and need no baseline.
    let over_seeds = overall(&samples, alpha);
    for (what, check) in [
        ("FPR given the bits", point.given_bits),
        ("mean FPR over seeds", over_seeds),
    ] {
        rows.extend(check.map(|check| {
            let row = new(what).has(rate(check.rate, check.theory));
            match check.outcome {
                Outcome::Pass => row,
                _ => row.failed(&check.by_how_much()),
            }
        }));
    }
    rows
}

/// The relative variance of the mean FPR of `group` that comes from the filters' random seeds. A
/// filter for which theory gives no standard deviation is left out of the sum.
fn spread(group: &[Observation]) -> f64 {
    let relative = |row: &Observation| Some(row.expected_fpr_sd? / row.expected_fpr);
    let sum: f64 = group.iter().filter_map(relative).map(|r| r * r).sum();
    sum / (group.len() * group.len()) as f64
}

/// Compares two FPRs by the logarithm of their ratio (Katz et al. 1978), where 0 hits count as 0.5.
/// The FPRs agree if chance explains how far their ratio is from that expected by theory, which is
/// 1 unless the number of keys has changed. If the filter is defined otherwise, it must be near 1, and
/// the intervals must overlap.
pub(super) fn near(old: &Figure, new: &Figure, is_same: bool, spread: f64, z: f64) -> Standing {
    // Hit counts are compared, because writing and reading a rate may change its last digit.
    let counts = |figure: &Figure| match figure {
        Figure::Rate {
            hits,
            asked,
            expected,
            low,
            high,
            ..
        } => Some(((*hits, *asked), *expected, *low..=*high)),
        _ => None,
    };
    let (Some((was, expected_then, was_in)), Some((now, expected_now, now_in))) =
        (counts(old), counts(new))
    else {
        return (true, Outcome::Fail, super::OTHER.into());
    };
    let hits = |(hits, _): (u64, u64)| (hits as f64).max(0.5);
    let rate = |(h, asked): (u64, u64)| hits((h, asked)) / asked.max(1) as f64;
    let expected = if is_same {
        expected_now / expected_then
    } else {
        1.0
    };
    let times = rate(now) / rate(was);
    let variance = 1.0 / hits(was) + 1.0 / hits(now) + 2.0 * spread;
    let is_chance = now == was || (times / expected).ln().abs() <= z * variance.sqrt();
    let is_apart = now_in.start() > was_in.end() || now_in.end() < was_in.start();
    if is_chance && (is_same || !is_apart) {
        return (false, Outcome::Pass, String::new());
    }
    let [times, expected] = [times, expected].map(|times| number::significant(times, 3));
    let note = format!("{times} times the baseline's, {expected} expected, more than chance");
    (true, Outcome::Fail, note)
}

/// One row per scheme, key set and number of slots: the smallest p-value after Holm's correction.
fn locations(run: &Run<'_>) -> Vec<GateRow> {
    let records = Records {
        battery: run.records.battery.clone(),
        ..Records::default()
    };
    let cells = battery::judge(&records).cells.into_iter();
    let rows = cells.map(|cell| {
        let first = &cell.first;
        let setting = format!(
            "{} keys of {} in {} slots, k = {}",
            number::count(first.keys),
            first.key_set,
            number::count(first.slots),
            first.probes
        );
        let what = "locations are even";
        let row = GateRow::new(Tier::Statistical, &first.subject, what, setting);
        if !first.error.is_empty() {
            return row.error(&first.error);
        }
        let (p, of) = cell.least.clone();
        let tests = cell.tests;
        let row = row.has(Figure::PValue { p, tests, of });
        match (cell.must_flag(), cell.findings.is_empty()) {
            (false, true) | (true, false) => row,
            (false, false) => row.failed(&format!("flagged by {}", cell.least.1)),
            (true, true) => GateRow {
                standing: Outcome::Void,
                ..row.failed("it must be flagged and was not")
            },
        }
    });
    rows.collect()
}
