//! The report of speed, from its records alone.

mod charts;
mod hashes;
mod race;
mod score;
mod table;
mod threads;

use std::path::Path;

use anyhow::Result;

pub use self::hashes::verdict as battery_verdict;
use self::score::{Column, columns};
use super::{
    document::{Block, Document, Text},
    markdown, number, sections, terminal,
};
use bouquet_ground::Outcome;
use bouquet_ground::record::SpeedRecords;

/// Writes README.md, index.html, machine.txt and charts/*.svg into the folder
/// of a report, beside its records, and says whether one of ours failed.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &SpeedRecords, folder: &Path) -> Result<Outcome> {
    let columns = columns(records);
    let document = document(records, &columns);
    super::write_document(&document, &records.about, folder)?;
    Ok(Outcome::fails_if(!failures(records).is_empty()))
}

fn heading(level: u8, words: impl Into<String>) -> Block {
    Block::Heading(level, words.into())
}

fn document(records: &SpeedRecords, columns: &[Column<'_>]) -> Document {
    let mut blocks = Vec::new();
    let failures = failures(records);
    if !failures.is_empty() {
        blocks.push(heading(2, "What failed"));
        blocks.push(Block::List(failures));
    }
    if let Some(words) = warning(records) {
        blocks.push(Block::Paragraph(Text::default().strong(words)));
    }
    let races = race::races(columns);
    if !races.is_empty() {
        blocks.push(heading(2, "Ours and other crates"));
        blocks.push(Block::Paragraph(race::RULE.into()));
        blocks.push(Block::Table(race::overview(&races)));
        blocks.push(Block::Folded {
            summary: "Every cell with its bits per key and the interval of its ratio".to_owned(),
            inside: vec![Block::Table(race::table(&races))],
        });
    }
    let figures = charts::all(records, columns);
    if !figures.is_empty() {
        blocks.push(heading(2, "Pictures"));
        blocks.extend(
            figures
                .into_iter()
                .map(|figure| Block::Figure(Box::new(figure))),
        );
    }
    for column in columns {
        blocks.push(heading(2, title(column)));
        blocks.push(Block::Paragraph(table::roofline_words(column).into()));
        blocks.push(Block::Table(table::times(column)));
        blocks.push(Block::Folded {
            summary: "With intervals, by the best peer and by the roofline".to_owned(),
            inside: vec![Block::Table(table::ratios(column))],
        });
    }
    if !columns.is_empty() {
        blocks.push(Block::Paragraph(format!("Bold {}", table::RULE).into()));
    }
    blocks.extend(threads::section(records));
    blocks.extend(hashes::section(records));
    blocks.extend(errors(records));
    if !records.about.subjects.is_empty() {
        blocks.push(heading(2, "The filters"));
    }
    let about = records.about.subjects.iter().map(|s| {
        let name = Text::default().strong(&s.subject);
        name.plain(format!(": {}", s.about))
    });
    blocks.push(Block::List(about.collect()));
    blocks.extend(sections::making(&records.about));
    Document {
        title: hashes::headline(records).unwrap_or_else(|| race::headline(&races)),
        blocks,
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
fn warning(records: &SpeedRecords) -> Option<String> {
    let debug = records.about.fact("build") == "debug";
    debug.then(|| "Measured by a debug build: the times say nothing.".to_owned())
}

/// What must not be, in release builds too: a false negative or an error of a
/// filter of ours.
fn failures(records: &SpeedRecords) -> Vec<Text> {
    let mut lines = Vec::new();
    for subject in &records.about.subjects {
        if !subject.promises_no_false_negatives {
            continue;
        }
        let own = || {
            records
                .rows
                .iter()
                .filter(|row| row.filter == subject.subject)
        };
        let shared = || {
            records
                .threads
                .iter()
                .filter(|row| row.filter == subject.subject)
        };
        let denied = own().map(|row| row.false_negatives).sum::<u64>()
            + shared().map(|row| row.false_negatives).sum::<u64>();
        let name = || Text::default().strong(&subject.subject);
        if denied > 0 {
            lines.push(name().plain(format!(" denied {} of its keys", number::count(denied))));
        }
        let errors = own()
            .map(|row| &row.error)
            .chain(shared().map(|row| &row.error));
        if let Some(error) = errors.into_iter().find(|error| !error.is_empty()) {
            lines.push(name().plain(format!(": {error}")));
        }
    }
    lines
}

/// Each error of a peer once.
fn errors(records: &SpeedRecords) -> Vec<Block> {
    let rows = records
        .rows
        .iter()
        .map(|row| (&row.role, &row.filter, &row.error));
    let shared = records
        .threads
        .iter()
        .map(|row| (&row.role, &row.filter, &row.error));
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for (role, filter, error) in rows.chain(shared) {
        if role == "peer" && !error.is_empty() && !seen.contains(&(filter, error)) {
            seen.push((filter, error));
        }
    }
    if seen.is_empty() {
        return Vec::new();
    }
    let line = |(filter, error): &(&str, &str)| {
        Text::default().strong(*filter).plain(format!(": {error}"))
    };
    vec![
        heading(2, "Errors"),
        Block::List(seen.iter().map(line).collect()),
    ]
}

/// The tables for a terminal, where a star stands for bold.
pub fn text(records: &SpeedRecords) -> String {
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
            terminal::table(&table::times(column).starred())
        );
    }
    if !columns.is_empty() {
        out += &format!("* {}\n\n", table::RULE);
    }
    let races = race::races(&columns);
    if !races.is_empty() {
        out += &format!(
            "{}\n\n{}\n",
            race::headline(&races),
            terminal::table(&race::table(&races))
        );
    }
    let others = threads::tables(records)
        .into_iter()
        .map(|(name, _, table)| (name, table));
    for (name, table) in others.chain(hashes::tables(records)) {
        out += &format!("{name}\n\n{}\n", terminal::table(&table));
    }
    out
}

/// The tables in Markdown, fit to be put into another page.
pub fn markdown_tables(records: &SpeedRecords) -> String {
    let columns = columns(records);
    let mut parts = Vec::new();
    let races = race::races(&columns);
    if !races.is_empty() {
        parts.push(format!(
            "{}\n\n{}",
            race::headline(&races),
            markdown::table(&race::table(&races))
        ));
    }
    for column in &columns {
        parts.push(format!(
            "{}\n\n{}",
            title(column),
            markdown::table(&table::times(column))
        ));
    }
    let others = threads::tables(records)
        .into_iter()
        .map(|(name, _, table)| (name, table));
    for (name, table) in others.chain(hashes::tables(records)) {
        parts.push(format!("{name}\n\n{}", markdown::table(&table)));
    }
    parts.join("\n")
}

/// What a reader of the README wants to know, in Markdown: who is ahead in which
/// cell, and all filters on integers that the nearest caches do not hold.
pub fn headline_tables(records: &SpeedRecords) -> String {
    let columns = columns(records);
    let races = race::races(&columns);
    let mut parts = vec![
        format!("{}.", race::headline(&races)),
        markdown::table(&race::overview(&races)),
    ];
    let middle = columns.iter().find(|column| {
        (column.keys, column.capacity, column.target_fpr) == ("u64", 1_000_000, 0.01)
    });
    if let Some(column) = middle {
        let words = format!("{}. {}", title(column), table::roofline_words(column));
        parts.extend([words, markdown::table(&table::times(column))]);
        parts.push(format!("Bold {}", table::RULE));
    }
    parts.join("\n\n").replace("\n\n\n", "\n\n")
}

/// A line a filter, way and operation, in JSON: plain numbers, rates as shares.
pub fn json(records: &SpeedRecords) -> Result<String> {
    table::lines(records).json()
}

/// A line a filter, way and operation, in CSV: plain numbers, rates as shares.
pub fn csv(records: &SpeedRecords) -> Result<String> {
    table::lines(records).csv()
}
