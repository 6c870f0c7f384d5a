//! What one filter costs, measured: for the page of its crate.

use anyhow::{Result, bail};

use super::{
    charts::bits_per_key,
    document::Table,
    groups::grouped,
    judge::{Judgement, Lifecycle, Point, Round, judge, pool},
    markdown, number,
};
use bouquet_ground::record::{ChurnRow, MemoryRow, Records};

/// A table with a row a target, and where it comes from: a report of this name.
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

/// The rows of its largest capacity, from the largest target on; where the
/// target is not what it is sized for, one stands for all.
fn sizes<'a>(records: &'a Records, filter: &str) -> Vec<&'a MemoryRow> {
    let own = || {
        let rows = records.memory.iter();
        rows.filter(|row| row.filter == filter && row.error.is_empty())
    };
    let most = own().map(|row| row.capacity).max();
    let mut rows: Vec<&MemoryRow> = own().filter(|row| Some(row.capacity) == most).collect();
    rows.sort_by(|a, b| b.target_fpr.total_cmp(&a.target_fpr));
    if rows.iter().any(|row| !row.note.is_empty()) {
        rows.truncate(1);
    }
    rows
}

/// What was asked for; `None` where the filter leaves no choice.
fn asked(row: &MemoryRow) -> Option<f64> {
    row.note.is_empty().then_some(row.target_fpr)
}

/// Its points full to capacity, pooled over the data sets, one a target. The
/// experiment on targets has all of them with one capacity.
fn at_capacity(judgement: &Judgement, filter: &str) -> Vec<Point> {
    let own = |p: &&Point| p.of.filter == filter && p.of.non_members_asked > 0;
    let of_targets = |p: &&Point| own(p) && p.of.sweep == "target-fpr" && p.of.target_fpr.is_some();
    let at_load_1 = |p: &&Point| own(p) && p.is_full();
    let mut full: Vec<&Point> = judgement.points.iter().filter(of_targets).collect();
    if full.is_empty() {
        full = judgement.points.iter().filter(at_load_1).collect();
    }
    // Of several experiments and sizes the first: different rates do not pool.
    let pooled = grouped(full, |p| p.of.target_fpr)
        .into_iter()
        .filter_map(|(_, own)| {
            let of = |p: &Point| (p.of.experiment.clone(), p.of.capacity);
            let first = of(own.first()?);
            pool(own.into_iter().filter(|p| of(p) == first))
        });
    pooled.collect()
}

fn table(sizes: &[&MemoryRow], full: &[Point]) -> Table {
    let point = |row| full.iter().find(|p| p.of.target_fpr == asked(row));
    let two = |x| number::decimal(x, 2);
    let bound = |row| asked(row).map(|fpr| two(bits_per_key(row) / -fpr.log2()));
    Table::of(sizes.iter().map(|row| (*row, point(row))))
        .column("#Target FPR", |(row, _)| {
            asked(row).map(|fpr| number::share(fpr, 3))
        })
        .column("#Bits per key", |(row, _)| two(bits_per_key(row)))
        .column("#Times the bound", |(row, _)| bound(row))
        .column("#k", |(row, _)| Some(row.hashes).filter(|k| *k > 0))
        .column("#FPR expected", |(row, point)| {
            number::share(point.map_or(row.expected_fpr, |p| p.of.expected_fpr), 4)
        })
        .column("#FPR measured (95 % interval)", |(_, point)| {
            point.map(|p| p.rate.in_words())
        })
        .column("#False negatives", |(_, point)| {
            let counts = point.map(|p| [p.of.false_negatives, p.of.members_asked]);
            counts.map(|counts| counts.map(number::count).join(" of "))
        })
        .table()
}

/// Which report, sample and command the table comes from.
fn origin(records: &Records, report: &str, sizes: &[&MemoryRow], full: &[Point]) -> String {
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
            number::count(full.iter().map(|p| p.of.non_members_asked).sum())
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

/// Its FPR and errors while keys were removed; `None` if that was not measured.
fn removals(judgement: &Judgement, filter: &str) -> Option<String> {
    let lifecycles = judgement.lifecycles.iter().filter(|l| l.filter == filter);
    let lifecycles: Vec<&Lifecycle> = lifecycles.collect();
    let last = lifecycles.iter().filter_map(|l| l.rounds.last());
    let number_of = last.clone().map(|r| r.of.round).max()?;
    let end = Round::pool(last.map(|r| &r.of).filter(|r| r.round == number_of))?;
    let first = lifecycles.iter().filter_map(|l| l.rounds.first());
    let filled: u64 = first.map(|r| r.of.inserted).sum();
    let sum = |of: fn(&ChurnRow) -> u64| number::count(lifecycles.iter().map(|l| l.sum(of)).sum());
    Some(format!(
        "Removing: after {} rounds, each of which replaces {} % of the keys, FPR {} where {} is \
         expected; over all rounds false negatives for {} of {} members, and {} of {} removals rejected.",
        number::count(number_of.into()),
        number::significant(100.0 * end.of.removed as f64 / filled.max(1) as f64, 2),
        end.rate.in_words(),
        number::share(end.of.expected_fpr, 4),
        sum(|r| r.false_negatives),
        sum(|r| r.members_asked),
        sum(|r| r.removals_rejected),
        sum(|r| r.removed)
    ))
}
