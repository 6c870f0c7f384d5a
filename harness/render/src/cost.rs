//! The measured costs of one filter, for the README of its crate.

use anyhow::{Result, bail};

use super::{
    document::Table,
    groups::grouped,
    judge::{Judgement, Point, judge, pool},
    markdown, number,
};
use bouquet_ground::record::{Observation, Records, Sweep};

/// A table with one row per target FPR, and its source, the report named `report`.
///
/// Fails if the records have no such filter, or no measurement of it.
pub fn markdown(records: &Records, filter: &str, report: &str) -> Result<String> {
    let known = records.subjects.iter().filter(|s| s.kind == "filter");
    let known: Vec<&str> = known.map(|s| s.subject.as_str()).collect();
    if !known.contains(&filter) {
        bail!(
            "no filter is called {filter:?} in {report}; there are {}",
            known.join(", ")
        );
    }
    let sizes = sizes(records, filter);
    if sizes.is_empty() {
        bail!("{report} has no measured memory of {filter}");
    }
    let judgement = judge(records);
    let full = at_capacity(&judgement, filter);
    let mut out = markdown::table(&table(&sizes, &full));
    out.push_str(&format!("\n{}\n", origin(records, report, &sizes, &full)));
    if let Some(words) = removals(&judgement, filter) {
        out.push_str(&format!("\n{words}\n"));
    }
    Ok(out)
}

/// The filter's rows at its largest capacity, from the largest target FPR down. If the filter
/// cannot be sized for a target, one row stands for all.
fn sizes<'a>(records: &'a Records, filter: &str) -> Vec<&'a Observation> {
    let own = || {
        let rows = records.memory.iter();
        rows.filter(|row| row.filter == filter && row.error.is_empty())
    };
    let most = own().map(|row| row.capacity).max();
    let mut rows: Vec<&Observation> = own().filter(|row| Some(row.capacity) == most).collect();
    rows.sort_by(|a, b| b.x.total_cmp(&a.x));
    if rows.iter().any(|row| !row.note.is_empty()) {
        rows.truncate(1);
    }
    rows
}

/// The target FPR; `None` if the filter leaves no choice.
fn asked(row: &Observation) -> Option<f64> {
    row.target_fpr.filter(|_| row.note.is_empty())
}

/// The filter's points at capacity, pooled over the data sets, one per target FPR. The experiment
/// that sweeps targets has all of them at one capacity.
fn at_capacity(judgement: &Judgement, filter: &str) -> Vec<Point> {
    let own = |p: &&Point| p.of.filter == filter && p.of.non_members > 0;
    let of_targets =
        |p: &&Point| own(p) && p.of.sweep == Sweep::TargetFpr && p.of.target_fpr.is_some();
    let at_load_1 = |p: &&Point| own(p) && p.is_full();
    let mut full: Vec<&Point> = judgement.points.iter().filter(of_targets).collect();
    if full.is_empty() {
        full = judgement.points.iter().filter(at_load_1).collect();
    }
    // Of several experiments and sizes, only the first is used: different rates must not be pooled.
    let pooled = grouped(full, |p| p.of.target_fpr)
        .into_iter()
        .filter_map(|(_, own)| {
            let of = |p: &Point| (p.of.experiment.clone(), p.of.capacity);
            let first = of(own.first()?);
            pool(own.into_iter().filter(|p| of(p) == first))
        });
    pooled.collect()
}

fn table(sizes: &[&Observation], full: &[Point]) -> Table {
    let point = |row| full.iter().find(|p| p.of.target_fpr == asked(row));
    let two = |x| number::decimal(x, 2);
    let bound = |row| asked(row).map(|fpr| two(row.bits_per_key() / -fpr.log2()));
    Table::of(sizes.iter().map(|row| (*row, point(row))))
        .column("#Target FPR", |(row, _)| {
            asked(row).map(|fpr| number::share(fpr, 3))
        })
        .column("#Bits per key", |(row, _)| two(row.bits_per_key()))
        .column("#Times the bound", |(row, _)| bound(row))
        .column("#k", |(row, _)| Some(row.hashes).filter(|k| *k > 0))
        .column("#FPR expected", |(row, point)| {
            number::share(point.map_or(row.expected_fpr, |p| p.of.expected_fpr), 4)
        })
        .column("#FPR measured (95 % interval)", |(_, point)| {
            point.map(|p| p.rate.in_words())
        })
        .column("#False negatives", |(_, point)| {
            let counts = point.map(|p| [p.of.false_negatives, p.of.members]);
            counts.map(|counts| counts.map(number::count).join(" of "))
        })
        .table()
}

/// The report, sample and command that the table comes from.
fn origin(records: &Records, report: &str, sizes: &[&Observation], full: &[Point]) -> String {
    let capacity = sizes.first().map_or(0, |row| row.capacity);
    let mut words = format!(
        "Bits per key are those really allocated for {} keys; the bound is log2(1/FPR).",
        number::count(capacity)
    );
    if let Some(point) = full.first() {
        words.push_str(&format!(
            " Rates are of {} filters for {} keys, full, over {} non-members.",
            number::count(point.replicates as u64),
            number::count(point.of.capacity),
            number::count(full.iter().map(|p| p.of.non_members).sum())
        ));
    }
    let fact = |name: &str, before: &str, words: fn(&str) -> String| match records.fact(name) {
        "" => String::new(),
        value => format!("{before}{}", words(value)),
    };
    format!(
        "{words} From the report {}{}{}.",
        markdown::code(report),
        fact("command", " by ", markdown::code),
        fact("seed", ", seed ", markdown::escape)
    )
}

/// The FPR and the errors of the filter while keys were removed; `None` if not measured.
fn removals(judgement: &Judgement, filter: &str) -> Option<String> {
    let rounds = judgement.lifecycles.iter().flat_map(|l| &l.rounds);
    let rounds: Vec<&Point> = rounds.filter(|r| r.of.filter == filter).collect();
    let at = |step| pool(rounds.iter().copied().filter(|r| r.of.step == step));
    let last = rounds.iter().map(|r| r.of.step).max()?;
    let (first, end) = (at(0)?, at(last)?);
    let all = pool(rounds.iter().copied())?.of;
    Some(format!(
        "Removing: after {} rounds, each of which replaces {} % of the keys, FPR {} where {} is \
         expected; over all rounds false negatives for {} of {} members, and {} of {} removals rejected.",
        number::count(last.into()),
        number::significant(100.0 * end.of.keys as f64 / first.of.keys.max(1) as f64, 2),
        end.rate.in_words(),
        number::share(end.of.expected_fpr, 4),
        number::count(all.false_negatives),
        number::count(all.members),
        number::count(all.removals_rejected),
        number::count(all.removed)
    ))
}
