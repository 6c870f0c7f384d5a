//! The report of speed, from its records alone.

mod charts;
pub mod score;
mod table;
mod threads;

use std::path::Path;

use anyhow::Result;

use self::score::{Column, columns};
pub use self::table::lines;
use super::{
    document::{Block, Document, Table, Text},
    folder::write_document,
    groups::distinct,
    judge::is_reported,
    markdown, number, sections,
    terminal::{self, Screen},
};
use bouquet_ground::Outcome;
use bouquet_ground::record::{Records, TimingRow};

const GLANCE: &str = "The first filter, the two fastest others of ours one key at a time, the fastest \
    of other crates and of those without blocks, then ours in batches. Bold is the fastest of all.";

/// Writes README.md, index.html and charts/*.svg into the folder
/// of a report, beside its records, and says whether one of ours failed.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, folder: &Path) -> Result<Outcome> {
    let failures = failures(records);
    let outcome = Outcome::fails_if(!failures.is_empty());
    write_document(document(records, outcome, failures), records, folder)?;
    Ok(outcome)
}

fn document(records: &Records, outcome: Outcome, failures: Vec<Text>) -> Document {
    let columns = columns(records);
    let title = outcome.headline(match outcome {
        Outcome::Fail => "filters of ours had false negatives or errors",
        _ => "no filter of ours had a false negative or an error",
    });
    let mut blocks = Block::listed(2, "What failed", failures);
    if let Some(words) = warning(records) {
        blocks.push(Block::Paragraph(Text::default().strong(words)));
    }
    if let Some(column) = usual(&columns) {
        blocks.extend([
            Block::heading(2, "At a glance"),
            Block::Paragraph(headline(column).into()),
            Block::Table(table::short(column)),
            Block::Paragraph(GLANCE.into()),
            sections::which(),
        ]);
    }
    blocks.extend(Block::charts(charts::all(records, &columns)));
    if !columns.is_empty() {
        let all = Block::Table(table::all(&columns));
        blocks.push(Block::folded("Times of every filter, key and target", all));
        blocks.push(Block::Paragraph(format!("Bold {}", table::RULE).into()));
    }
    blocks.extend(Block::listed(2, "Errors", errors(records)));
    blocks.extend(sections::filters(records));
    blocks.extend(sections::making(records));
    Document { title, blocks }
}

/// The column that stands for all: integers where there are any, and of them the most usual
/// number. What is in no cache is where filters differ most, and 10^6 keys is usual.
fn usual<'c, 'a>(columns: &'c [Column<'a>]) -> Option<&'c Column<'a>> {
    let far = |column: &Column<'_>| column.capacity.abs_diff(1_000_000);
    let columns = columns.iter();
    columns.min_by_key(|column| (column.keys != "u64", far(column)))
}

/// The fastest of a column, and what memory allows.
fn headline(column: &Column<'_>) -> String {
    let half = score::OPERATIONS.len() - 1;
    let fastest = [
        ("ours, one key at a time", "ours", false),
        ("ours, in batches", "ours", true),
        ("another crate", "peer", false),
    ];
    let fastest = fastest.iter().filter_map(|(whose, role, is_batch)| {
        let is_one = |of: &score::Score<'_>| of.role == *role && of.name.is_batch == *is_batch;
        let best = column.best(half, is_one)?;
        let ns = number::decimal(best.middle(half)?.value, 1);
        Some(format!("{} {ns} ns ({whose})", best.name.filter))
    });
    let fastest = number::joined(fastest, ", ");
    let roofline = table::roofline_words(column);
    match fastest.as_str() {
        "" => format!("{}. {roofline}", title(column)),
        fastest => format!(
            "{}. Fastest lookup with 50 % hits: {fastest}. {roofline}",
            title(column)
        ),
    }
}

fn title(column: &Column<'_>) -> String {
    format!(
        "{} keys of kind {}, target {}",
        number::count(column.capacity),
        column.keys,
        number::share(column.target_fpr, 3)
    )
}

/// A debug build measures only in tests.
fn warning(records: &Records) -> Option<String> {
    let debug = records.fact("build") == "debug";
    debug.then(|| "Measured by a debug build: the times say nothing.".to_owned())
}

/// What must not be, in release builds too: a false negative or an error of a
/// filter of ours.
fn failures(records: &Records) -> Vec<Text> {
    let subjects = records.subjects.iter();
    let promising = subjects.filter(|subject| subject.promises_no_false_negatives);
    let lines = promising.flat_map(|subject| {
        let own = || {
            let rows = records.times.iter();
            rows.filter(|row| row.subject == subject.subject)
        };
        let missing: u64 = own().map(|row| row.false_negatives).sum();
        let missing = (missing > 0).then(|| {
            format!(
                ": false negatives for {} of its keys",
                number::count(missing)
            )
        });
        let error = own().map(|row| &row.error).find(|error| !error.is_empty());
        let lines = [missing, error.map(|error| format!(": {error}"))];
        let name = Text::default().strong(&subject.subject);
        let lines = lines.into_iter().flatten();
        lines.map(move |words| name.clone().plain(words))
    });
    lines.collect()
}

/// Each error of a peer once.
fn errors(records: &Records) -> Vec<Text> {
    let is_of_peer = |row: &&TimingRow| is_reported(records, &row.subject);
    let failed = records.times.iter().filter(|row| !row.error.is_empty());
    let seen = distinct(
        failed
            .filter(is_of_peer)
            .map(|row| (&row.subject, &row.error)),
    );
    let line = |(filter, error)| Text::default().strong(filter).plain(format!(": {error}"));
    seen.into_iter().map(line).collect()
}

/// The tables for a terminal, where a star stands for bold.
pub fn text(records: &Records, screen: Screen) -> String {
    let columns = columns(records);
    let mut out = String::new();
    for words in failures(records) {
        out += &format!("fail: {}\n\n", words.words());
    }
    if let Some(words) = warning(records) {
        out += &format!("{words}\n\n");
    }
    for column in &columns {
        out += &format!(
            "{}\n{}\n\n{}\n",
            title(column),
            table::roofline_words(column),
            terminal::table(&table::times(column).starred(), screen)
        );
    }
    if !columns.is_empty() {
        out += &format!("* {}\n\n", table::RULE);
    }
    for (name, table) in threads::tables(records) {
        out += &format!("{name}\n\n{}\n", terminal::table(&table, screen));
    }
    out
}

/// The tables in Markdown, fit to be put into another page.
pub fn markdown_tables(records: &Records) -> String {
    let columns = columns(records);
    let times = columns
        .iter()
        .map(|column| (title(column), table::times(column)));
    let all: Vec<(String, Table)> = times.chain(threads::tables(records)).collect();
    let parts = all
        .iter()
        .map(|(name, table)| markdown::titled(name, table));
    number::joined(parts, "\n")
}

/// What a reader of the README wants to know, in Markdown: the fastest filters on integers that
/// the nearest caches do not hold.
pub fn headline_tables(records: &Records) -> String {
    let columns = columns(records);
    usual(&columns).map_or_else(String::new, |column| {
        let words = format!("{} Bold is the fastest.", headline(column));
        markdown::titled(&words, &table::short(column))
    })
}
