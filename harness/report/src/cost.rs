//! The measured costs of one filter, for the README of its crate.

use anyhow::{Result, ensure};

use super::{
    document::Table,
    groups::grouped,
    judge::{Judgement, Point, judge, pool},
    markdown, number,
};
use bouquet_record::{Observation, Records, Sweep};

/// A table with one row per target FPR, and a sentence that names the report it is made from.
///
/// Fails if the records have no filter of this name, or no measurement of it.
pub fn markdown(records: &Records, filter: &str, report: &str) -> Result<String> {
    let known = records.subjects.iter().filter(|s| s.kind == "filter");
    let known: Vec<&str> = known.map(|s| s.subject.as_str()).collect();
    ensure!(
        known.contains(&filter),
        "no filter is called {filter:?} in {report}; there are {}",
        known.join(", ")
    );
    let sizes = sizes(records, filter);
    ensure!(
        !sizes.is_empty(),
        "{report} has no measured memory of {filter}"
    );
    let judgement = judge(records);
    let full = at_capacity(&judgement, filter);
    let mut words = format!(
        "Bits per key are those really allocated for {} keys; the bound is log2(1/FPR).",
        number::count(sizes[0].capacity)
    );
    if let Some(point) = full.first() {
        words += &format!(
            " Rates are of {} filters for {} keys, full, over {} non-members.",
            number::count(point.replicates as u64),
            number::count(point.of.capacity),
            number::count(full.iter().map(|p| p.of.non_members).sum())
        );
    }
    words += &format!(" From the report {}", markdown::code(report));
    if !records.fact("command").is_empty() {
        words += &format!(" by {}", markdown::code(records.fact("command")));
    }
    let removals = removals(&judgement, filter).unwrap_or_default();
    let table = markdown::table(&table(&sizes, &full));
    Ok(format!("{table}\n{words}.\n{removals}"))
}

/// The memory of the filter at the largest measured capacity: one row per target FPR, the largest
/// first. A filter that cannot be sized for a target has only one row.
fn sizes<'a>(records: &'a Records, filter: &str) -> Vec<&'a Observation> {
    let rows = records.memory.iter();
    let own = rows.filter(|row| row.filter == filter && row.error.is_empty());
    let mut rows: Vec<&Observation> = own.collect();
    let most = rows.iter().map(|row| row.capacity).max();
    rows.retain(|row| Some(row.capacity) == most);
    rows.sort_by(|a, b| b.x.total_cmp(&a.x));
    if rows.iter().any(|row| !row.note.is_empty()) {
        rows.truncate(1);
    }
    rows
}

/// The measured FPRs of the filter at capacity: one per target FPR, pooled over the data sets.
fn at_capacity(judgement: &Judgement, filter: &str) -> Vec<Point> {
    let own = judgement.points.iter();
    let own = own.filter(|p| p.of.filter == filter && p.of.sweep == Sweep::TargetFpr);
    let targets = grouped(own, |p| p.of.target_fpr).into_iter();
    targets.filter_map(|(_, own)| pool(own)).collect()
}

fn table(sizes: &[&Observation], full: &[Point]) -> Table {
    // `None` if the filter cannot be sized for a target FPR.
    let target = |row: &Observation| row.target_fpr.filter(|_| row.note.is_empty());
    let point = |row| full.iter().find(|p| p.of.target_fpr == target(row));
    let two = |x| number::decimal(x, 2);
    let bound = |row| target(row).map(|fpr| two(row.bits_per_key() / -fpr.log2()));
    Table::of(sizes.iter().map(|row| (*row, point(row))))
        .column("#Target FPR", |(row, _)| {
            target(row).map(|fpr| number::share(fpr, 3))
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

/// Sentences on the FPR and the errors while keys were removed; `None` if this was not measured.
fn removals(judgement: &Judgement, filter: &str) -> Option<String> {
    let points = judgement.points.iter();
    let rounds = points.filter(|p| p.of.filter == filter && p.of.sweep == Sweep::Churn);
    let last = rounds.clone().map(|round| round.of.step).max()?;
    let end = pool(rounds.clone().filter(|round| round.of.step == last))?;
    let all = pool(rounds)?.of;
    let [missing, members] = [all.false_negatives, all.members].map(number::count);
    let [rejected, removed] = [all.removals_rejected, all.removed].map(number::count);
    Some(format!(
        "\nAfter {last} rounds of removals and insertions: FPR {}, {} expected; over all rounds \
         false negatives for {missing} of {members} members, and {rejected} of {removed} removals \
         rejected.\n",
        end.rate.in_words(),
        number::share(end.of.expected_fpr, 4),
    ))
}
