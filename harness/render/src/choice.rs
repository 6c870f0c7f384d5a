//! "If you … take …": which of the measured filters each kind of need points to. Every
//! line is chosen from the records, by one figure, and gives that figure.

use super::{
    advice::{HEADING, take},
    document::{Block, Text},
    glance::Glance,
    number,
    speed::score::{Column, Score},
};
use bouquet_ground::record::{Records, SubjectRow, is_only_reported};

/// What someone needs, and whether a filter has it.
type Need = (&'static str, fn(&SubjectRow) -> bool);

const NEEDS: [Need; 4] = [
    ("have a fixed set of keys", |_| true),
    ("must delete keys", |s| s.removes),
    ("do not know how many keys will come", |s| s.grows),
    ("share it between many threads", |s| s.concurrent),
];

/// By memory: the fewest bits per key at the first target, of filters that were judged
/// and passed.
pub fn by_memory(rows: &[Glance<'_>]) -> Vec<Block> {
    let sound = || rows.iter().filter(|row| row.is_sound());
    let least = |has: fn(&SubjectRow) -> bool| {
        let own = sound().filter(|row| has(row.subject()));
        let sized = own.filter_map(|row| Some((row.bits_per_key()?, row)));
        sized.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let line = |(need, has): Need| {
        let (bits, row) = least(has)?;
        Some(take(
            need,
            &row.subject().subject,
            &format!("{} bits per key", number::decimal(bits, 2)),
        ))
    };
    let smallest = sound().filter_map(|row| Some((row.bits_over_bound()?, row)));
    let smallest = smallest.min_by(|a, b| a.0.total_cmp(&b.0));
    let memory = smallest.map(|(times, row)| {
        let by = format!(
            "{} times the bits that its FPR needs at least",
            number::decimal(times, 2)
        );
        take(
            "want the least memory above all",
            &row.subject().subject,
            &by,
        )
    });
    let speed = Text::from("If you want speed above all, see what was timed: ")
        .link("reports/speed", "../speed/index.html")
        .plain(".");
    let mut lines: Vec<Text> = NEEDS.into_iter().filter_map(line).chain(memory).collect();
    if !lines.is_empty() {
        lines.push(speed);
    }
    Block::listed(2, HEADING, lines)
}

/// By time: the least for a lookup, half of them hits, in the first column of so many keys.
pub fn by_time(records: &Records, columns: &[Column<'_>]) -> Vec<Block> {
    // What is in no cache is where filters differ most, and 10^6 keys is usual.
    let largest = columns.iter().filter(|column| column.keys == "u64");
    let Some(column) = largest.min_by_key(|column| column.capacity.abs_diff(1_000_000)) else {
        return Vec::new();
    };
    let lines = NEEDS.into_iter().filter_map(|(need, has)| {
        let own = |score: &Score<'_>| is_ours(records, score, has);
        let score = fastest(column, own)?;
        Some(take(need, &score.name.label(), &timed(score)?))
    });
    let above_all = fastest(column, |_| true);
    let above_all = above_all.and_then(|score| {
        let whose = if score.role == "peer" {
            ", another crate"
        } else {
            ""
        };
        let by = format!("{}{whose}", timed(score)?);
        Some(take("want speed above all", &score.name.label(), &by))
    });
    let small = column.scores.iter();
    let small = small
        .filter(|score| score.competes(column.target_fpr) && is_ours(records, score, |_| true));
    let small = small.filter_map(|score| Some((score.bits_per_key?, score)));
    let small = small
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(bits, score)| {
            let by = format!("{} bits per key allocated", number::decimal(bits, 2));
            take("want the least memory above all", score.name.filter, &by)
        });
    let lines: Vec<Text> = lines.chain(above_all).chain(small).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let mut blocks = Block::listed(2, HEADING, lines);
    blocks.push(Block::Paragraph(
        format!(
            "By the time per lookup with 50 % hits, {} keys (u64), target {}; with other sizes \
             and keys the order differs, as the tables show.",
            number::count(column.capacity),
            number::share(column.target_fpr, 3)
        )
        .into(),
    ));
    blocks
}

/// The place of lookups with 50 % hits among what is measured.
const HALF: usize = 3;

fn fastest<'c, 'a>(
    column: &'c Column<'a>,
    among: impl Fn(&Score<'_>) -> bool,
) -> Option<&'c Score<'a>> {
    column.best(HALF, among)
}

fn timed(score: &Score<'_>) -> Option<String> {
    let ns = score.middle(HALF)?.value;
    Some(format!("{} ns per lookup", number::significant(ns, 2)))
}

fn is_ours(records: &Records, score: &Score<'_>, has: fn(&SubjectRow) -> bool) -> bool {
    let subject = records.subject(score.name.filter);
    score.role != "peer" && subject.is_some_and(|s| !is_only_reported(&s.role) && has(s))
}
