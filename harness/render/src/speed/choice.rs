//! "If you … take …" of times: every line is chosen from the records, by one figure, and
//! gives that figure.

use super::{
    score::{Column, OPERATIONS, Score},
    threads::{Shared, capacities, shared},
};
use crate::{
    advice::{DELETES, FIXED, GROWS, HEADING, MEMORY, SHARES, SPEED, take},
    document::{Block, Text},
    number,
};
use bouquet_ground::record::{Records, SubjectRow};

/// The place of lookups with 50 % hits among what is measured.
const HALF: usize = OPERATIONS.len() - 1;

/// The column that stands for all: integers, and of them the most usual number. What is in
/// no cache is where filters differ most, and 10^6 keys is usual.
pub fn usual<'c, 'a>(columns: &'c [Column<'a>]) -> Option<&'c Column<'a>> {
    let integers = columns.iter().filter(|column| column.keys == "u64");
    integers.min_by_key(|column| column.capacity.abs_diff(1_000_000))
}

/// Of the usual column, and of threads at as many keys.
pub fn choices(records: &Records, columns: &[Column<'_>]) -> Vec<Block> {
    let Some(column) = usual(columns) else {
        return Vec::new();
    };
    let ours = |need, has: fn(&SubjectRow) -> bool| {
        let own = |score: &Score<'_>| is_ours(records, score, has);
        fastest(column, need, "", own)
    };
    let lines = [
        fastest(column, FIXED, "", |_| true),
        ours(DELETES, |s| s.removes),
        ours(GROWS, |s| s.grows),
        by_threads(records, column.capacity).or_else(|| {
            let own = |score: &Score<'_>| is_ours(records, score, |s| s.concurrent);
            fastest(column, SHARES, " on one thread", own)
        }),
        fastest(column, SPEED, "", |_| true),
        smallest(column, MEMORY, |_| true),
        smallest(
            column,
            "insert keys as they come and want the least memory",
            |score| !score.is_static(),
        ),
    ];
    let mut blocks = Block::listed(2, HEADING, lines.into_iter().flatten().collect());
    if !blocks.is_empty() {
        blocks.push(Block::Paragraph(reading(column).into()));
    }
    blocks
}

fn reading(column: &Column<'_>) -> String {
    format!(
        "By the time per lookup with 50 % hits, {} keys (u64), target {}, of filters that keep the \
         target; of threads by the time of a hit and a miss together. The lines for deletes and \
         growth are of ours alone. With other sizes and keys the order differs, as the tables \
         show.",
        number::count(column.capacity),
        number::share(column.target_fpr, 3)
    )
}

/// Among those that keep the target.
fn fastest(
    column: &Column<'_>,
    need: &str,
    end: &str,
    is_fit: impl Fn(&Score<'_>) -> bool,
) -> Option<Text> {
    let (ns, score) = least(column, is_fit, |score| Some(score.middle(HALF)?.value))?;
    let by = format!("{} ns per lookup{end}", number::significant(ns, 2));
    let whose = whose(score);
    Some(take(need, &score.name.label(), &format!("{by}{whose}")))
}

fn smallest(column: &Column<'_>, need: &str, is_fit: impl Fn(&Score<'_>) -> bool) -> Option<Text> {
    let (bits, score) = least(column, is_fit, |score| score.bits_per_key)?;
    let by = format!("{} bits per key allocated", number::decimal(bits, 2));
    let whose = whose(score);
    Some(take(need, score.name.filter, &format!("{by}{whose}")))
}

fn least<'c, 'a>(
    column: &'c Column<'a>,
    is_fit: impl Fn(&Score<'_>) -> bool,
    by: impl Fn(&Score<'_>) -> Option<f64>,
) -> Option<(f64, &'c Score<'a>)> {
    let kept = column.scores.iter();
    let kept = kept.filter(|score| score.keeps_its_promise(column.target_fpr) && is_fit(score));
    let figures = kept.filter_map(|score| Some((by(score)?, score)));
    figures.min_by(|a, b| a.0.total_cmp(&b.0))
}

fn whose(score: &Score<'_>) -> String {
    let crates = if score.role == "peer" {
        ", another crate"
    } else {
        ""
    };
    let form = if score.is_static() {
        ", built once of all its keys"
    } else {
        ""
    };
    format!("{crates}{form}")
}

/// The fastest filter that threads shared, with hits and misses on as many threads as were
/// measured; nothing without records of threads.
fn by_threads(records: &Records, capacity: u64) -> Option<Text> {
    let nearest = capacities(records).into_iter();
    let nearest = nearest.min_by_key(|own| own.abs_diff(capacity))?;
    let all = shared(records, nearest);
    let threads = all.iter().map(Shared::most_threads).max()?;
    let rated = all.iter().filter(|one| one.is_shared()).filter_map(|one| {
        let rate = |operation| Some(one.rate(operation, threads)?.value);
        Some((rate("hit")?, rate("miss")?, one))
    });
    let time = |(hit, miss, _): &(f64, f64, &Shared<'_>)| hit.recip() + miss.recip();
    let (hit, miss, one) = rated.min_by(|a, b| time(a).total_cmp(&time(b)))?;
    let [hit, miss] = [hit, miss].map(|rate| number::decimal(rate, 1));
    let whose = if one.is_peer() { ", another crate" } else { "" };
    let by = format!(
        "{hit} million hits or {miss} million misses per second on {threads} threads, {} \
         keys{whose}",
        number::count(nearest)
    );
    Some(take(SHARES, &one.name.label(), &by))
}

fn is_ours(records: &Records, score: &Score<'_>, has: fn(&SubjectRow) -> bool) -> bool {
    let subject = records.subject(score.name.filter);
    score.role != "peer" && subject.is_some_and(|s| !s.is_only_reported() && has(s))
}
