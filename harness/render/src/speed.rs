//! The report of speed, from its records alone.

mod cells;
mod charts;
mod choice;
mod comparison;
mod findings;
pub mod score;
mod table;
mod threads;

use std::path::Path;

use anyhow::Result;

pub use self::table::lines;
use self::{
    comparison::PeerComparison,
    score::{Column, columns},
};
use super::{
    document::{Block, Document, Table, Text},
    folder::write_document,
    groups::distinct,
    markdown, number, sections,
    terminal::{self, Screen},
};
use bouquet_ground::Outcome;
use bouquet_ground::record::Records;

const GLANCE: &str = "The first filter, the two fastest others of ours one key at a time and the \
    fastest of other crates, then ours in batches; all others are in the tables below. Bold is the \
    fastest of them all.";

/// Writes README.md, index.html and charts/*.svg into the folder
/// of a report, beside its records, and says whether one of ours failed.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, folder: &Path) -> Result<Outcome> {
    let columns = columns(records);
    let document = document(records, &columns);
    write_document(document, records, folder)?;
    Ok(Outcome::fails_if(!failures(records).is_empty()))
}

/// A table with its name, and what to know of it, if anything.
type Named = (String, String, Table);

fn document(records: &Records, columns: &[Column<'_>]) -> Document {
    let mut blocks = Block::listed(2, "What failed", failures(records));
    if let Some(words) = warning(records) {
        blocks.push(Block::Paragraph(Text::default().strong(words)));
    }
    let comparisons = comparison::comparisons(columns);
    let rest = findings::findings(&comparisons).into_iter().skip(1);
    blocks.extend(rest.map(|words| Block::Paragraph(format!("{words}.").into())));
    blocks.extend(glance(columns));
    blocks.extend(choice::choices(records, columns));
    blocks.extend(Block::charts(charts::all(records, columns)));
    if !comparisons.is_empty() {
        let every = "Every cell with its bits per key and the interval of its ratio";
        let ahead = findings::ahead(&comparisons).into_iter().map(Text::from);
        blocks.extend(Block::listed(2, "Where a peer is ahead", ahead.collect()));
        blocks.extend([
            Block::heading(2, "Ours and other crates"),
            Block::Paragraph(comparison::RULE.into()),
            Block::heading(3, "Throughput: insert, hit, miss, 50 % hits"),
            Block::Table(cells::throughput(&comparisons)),
        ]);
        if let Some(latency) = cells::latency(&comparisons) {
            blocks.extend([
                Block::heading(3, "Latency: hit, miss, 50 % hits"),
                Block::Table(latency),
            ]);
        }
        blocks.push(Block::folded(
            every,
            Block::Table(comparison::table(&comparisons)),
        ));
    }
    if !columns.is_empty() {
        blocks.push(Block::heading(2, "By number of keys, kind and target"));
    }
    for column in columns {
        let beside = "With intervals, by the best peer and by the roofline";
        blocks.extend([
            Block::heading(3, title(column)),
            Block::Paragraph(table::roofline_words(column).into()),
            Block::Table(table::times(column)),
            Block::folded(beside, Block::Table(table::ratios(column))),
        ]);
    }
    if !columns.is_empty() {
        blocks.push(Block::Paragraph(format!("Bold {}", table::RULE).into()));
    }
    let shared = threads::tables(records).into_iter();
    let shared = shared.flat_map(tabled);
    blocks.extend(Block::section(2, "Filters shared by threads", shared));
    blocks.extend(Block::listed(2, "Errors", errors(records)));
    blocks.extend(sections::filters(records));
    blocks.extend(sections::making(records));
    Document {
        title: headline(&comparisons),
        blocks,
    }
}

/// The fastest of the column that stands for all.
fn glance(columns: &[Column<'_>]) -> Vec<Block> {
    let Some(column) = choice::usual(columns) else {
        return Vec::new();
    };
    let of = format!("{}. {}", title(column), table::roofline_words(column));
    vec![
        Block::heading(2, "At a glance"),
        Block::Paragraph(of.into()),
        Block::Table(table::short(column)),
        Block::Paragraph(GLANCE.into()),
    ]
}

fn tabled((name, reading, table): Named) -> Vec<Block> {
    let reading = Some(reading).filter(|words| !words.is_empty());
    let reading = reading.map(|words| Block::Paragraph(words.into()));
    let heading = Block::Heading(3, name);
    let parts = [Some(heading), reading, Some(Block::Table(table))];
    parts.into_iter().flatten().collect()
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

/// Of each row, of filters alone and shared by threads: the role, the filter, its
/// false negatives, its error.
fn met(records: &Records) -> impl Iterator<Item = (&str, &str, u64, &str)> {
    let alone = records.speed.iter();
    let alone = alone.map(|r| (&*r.role, &*r.filter, r.false_negatives, &*r.error));
    let shared = records.threads.iter();
    alone.chain(shared.map(|r| (&*r.role, &*r.filter, r.false_negatives, &*r.error)))
}

/// What must not be, in release builds too: a false negative or an error of a
/// filter of ours.
fn failures(records: &Records) -> Vec<Text> {
    let subjects = records.subjects.iter();
    let promising = subjects.filter(|subject| subject.promises_no_false_negatives);
    let lines = promising.flat_map(|subject| {
        let own = || met(records).filter(|(_, filter, ..)| *filter == subject.subject);
        let missing: u64 = own().map(|(_, _, missing, _)| missing).sum();
        let missing = (missing > 0).then(|| {
            format!(
                ": false negatives for {} of its keys",
                number::count(missing)
            )
        });
        let error = own()
            .map(|(.., error)| error)
            .find(|error| !error.is_empty());
        let lines = [missing, error.map(|error| format!(": {error}"))];
        let name = Text::default().strong(&subject.subject);
        let lines = lines.into_iter().flatten();
        lines.map(move |words| name.clone().plain(words))
    });
    lines.collect()
}

/// Each error of a peer once.
fn errors(records: &Records) -> Vec<Text> {
    let failed = met(records).filter(|(role, .., error)| *role == "peer" && !error.is_empty());
    let seen = distinct(failed.map(|(_, filter, _, error)| (filter, error)));
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
    for (name, table) in compared(&columns).into_iter().chain(others(records)) {
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
    let all = compared(&columns)
        .into_iter()
        .chain(times)
        .chain(others(records));
    let parts = all.map(|(name, table)| markdown::titled(&name, &table));
    number::joined(parts, "\n")
}

/// Ours and the peers under the finding, if there are both.
fn compared(columns: &[Column<'_>]) -> Option<(String, Table)> {
    let comparisons = comparison::comparisons(columns);
    (!comparisons.is_empty()).then(|| (headline(&comparisons), comparison::table(&comparisons)))
}

/// What was measured besides filters on one thread.
fn others(records: &Records) -> impl Iterator<Item = (String, Table)> {
    let tables = threads::tables(records).into_iter();
    tables.map(|(name, _, table)| (name, table))
}

/// The first finding.
fn headline(comparisons: &[PeerComparison<'_>]) -> String {
    let mut findings = findings::findings(comparisons).into_iter();
    findings.next().unwrap_or_else(|| "Speed".to_owned())
}

/// What a reader of the README wants to know, in Markdown: who is ahead in how many cells and by
/// how much, then the fastest filters on integers that the nearest caches do not hold.
pub fn headline_tables(records: &Records) -> String {
    let columns = columns(records);
    let comparisons = comparison::comparisons(&columns);
    let findings = findings::with_factors(&comparisons).into_iter();
    let findings = findings.map(|words| format!("{}.", markdown::escape(&words)));
    let middle = columns.iter().find(|column| {
        (column.keys, column.capacity, column.target_fpr) == ("u64", 1_000_000, 0.01)
    });
    let table = middle.map(|column| {
        let roofline = table::roofline_words(column);
        let words = format!("{}. {roofline} Bold is the fastest.", title(column));
        markdown::titled(&words, &table::short(column))
    });
    number::joined(findings.chain(table), "\n\n")
}
