//! Makes a report from the recorded results of a run. This crate reads only these records: it
//! builds no filter, and the same records always give the same report.

// Only the program `bouquet` uses this crate, which is not published: items whose names explain
// enough have no documentation, and methods that the program does not need are left out.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

mod battery;
mod charts;
pub mod columns;
pub mod compare;
mod cost;
pub mod document;
mod evaluation;
mod explore;
pub mod gate;
pub mod html;
pub mod index;
mod judge;
mod looks;
pub mod markdown;
pub mod number;
mod plot;
pub mod recommend;
mod repeat;
pub mod speed;
pub mod splice;
mod svg;
pub mod terminal;
#[cfg(test)]
mod tests;

use std::{fs, path::Path};

use anyhow::{Context, Result};

pub use self::{cost::markdown as cost_table, judge::Verdict, terminal::Screen};
use self::{
    document::{Block, Document, Table, Text},
    judge::judge,
};
use bouquet_record::{
    DatasetRow, Kind, Outcome, Records, SubjectRow,
    folder::{shown, write},
    groups,
    line::clean,
};

/// Another report, whose filters and times the Explore view of a report has too.
pub struct Beside {
    /// The path of its folder, as given.
    pub name: String,
    pub records: Records,
}

/// Writes README.md, index.html and charts/*.svg into the folder of a report, next to its records,
/// and returns the verdict.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, beside: &[Beside], folder: &Path) -> Result<Outcome> {
    let (outcome, document) = match records.kind {
        Kind::Evaluation => {
            let judgement = judge(records);
            let document = evaluation::document(records, &judgement);
            (judgement.verdict.outcome, document)
        }
        Kind::Speed => speed::document(records),
    };
    let mut document = finish(document, records);
    document.explore = explore::explore(records, beside);
    let mut others = beside.iter().map(|other| &other.records);
    document.figures.extend(others.find_map(speed::by_size));
    write_document(&document, folder)?;
    Ok(outcome)
}

fn write_document(document: &Document, folder: &Path) -> Result<()> {
    let charts = folder.join("charts");
    if !document.figures.is_empty() {
        let error = || format!("cannot create {}", shown(&charts).display());
        fs::create_dir_all(&charts).with_context(error)?;
    }
    for figure in &document.figures {
        let name = format!("{}.svg", figure.name);
        write(&charts.join(name), &svg::file(&figure.svg))?;
    }
    write(&folder.join("README.md"), &markdown::document(document))?;
    write(&folder.join("index.html"), &html::document(document))
}

pub fn summary(records: &Records, screen: Screen) -> String {
    match records.kind {
        Kind::Evaluation => evaluation::summary(records, &judge(records), screen),
        Kind::Speed => speed::summary(records, screen),
    }
}

pub fn markdown_tables(records: &Records) -> String {
    match records.kind {
        Kind::Evaluation => markdown::table(&evaluation::tables(records, &judge(records)).0),
        Kind::Speed => speed::markdown_tables(records),
    }
}

/// The results as a table of unformatted numbers; rates are fractions of 1, not percentages.
pub fn plain(records: &Records) -> Table {
    match records.kind {
        Kind::Evaluation => evaluation::tables(records, &judge(records)).1,
        Kind::Speed => speed::plain(records),
    }
}

/// Adds what every report has: where to find advice on filters, and how the report was made.
fn finish(mut document: Document, records: &Records) -> Document {
    if !records.subjects.is_empty() {
        let which = Text::from("Which filter to use: ")
            .code("bouquet recommend")
            .plain(" answers for a workload, in general the table in the README of the crate ")
            .code("bouquet");
        document.blocks.push(Block::Paragraph(which.plain(".")));
    }
    document.details.extend(making(records));
    if records.is_interrupted() {
        document.title = format!("Interrupted: {}", document.title);
    }
    document
}

/// The section on how the report was made: the filters, key sets and machine; the command; and the
/// analysis of each experiment.
fn making(records: &Records) -> Vec<Block> {
    let facts = Table::of(&records.facts)
        .column("Fact", |(name, _)| name.replace('_', " "))
        .column("Value", |(_, value)| value)
        .table();
    let mut blocks = vec![Block::heading(2, "How this was made")];
    blocks.extend(Block::titled(3, "Filters and schemes", subjects(records)));
    blocks.extend(Block::titled(3, "Data sets", datasets(records)));
    blocks.extend(Block::titled(3, "Machine and run", facts));
    let command = records.fact("command");
    if !command.is_empty() {
        blocks.push(Block::Code(clean(command)));
    }
    for row in &records.experiments {
        blocks.push(Block::heading(3, &row.title));
        let paragraphs = row.analysis.split("\n\n");
        let words = paragraphs.map(|paragraph| number::joined(paragraph.split_whitespace(), " "));
        let words = words.filter(|words| !words.is_empty());
        blocks.extend(words.map(|words| Block::Paragraph(words.into())));
    }
    let source = Text::from("Everything above is computed by bouquet report from ")
        .link("records", "records/")
        .plain(
            "; in the folder harness of the project METHODOLOGY.md describes how, and BIAS.md \
                what it cannot show.",
        );
    blocks.push(Block::Paragraph(source));
    blocks
}

fn subjects(records: &Records) -> Table {
    let promise = |of: &SubjectRow| match of.promises_no_false_negatives {
        _ if of.kind != "filter" => "",
        true => "none",
        false => "possible",
    };
    Table::of(&records.subjects)
        .column("Filter or scheme", |of| Text::default().strong(&of.subject))
        .column("About", |of| &of.about)
        .column("Role", |of| &of.role)
        .column("Theory", |of| &of.theory)
        .column("Reproducible by seed", |of| of.reproducible_by_seed)
        .column("False negatives", promise)
        .table()
}

fn datasets(records: &Records) -> Table {
    let source = |row: &DatasetRow| match row.sha256.as_str() {
        "" => Text::default().code(&row.generator),
        digest => Text::default().code(digest),
    };
    Table::of(&records.datasets)
        .column("Data set", |row| &row.dataset)
        .column("About", |row| &row.about)
        .column("#Keys", |row| row.keys)
        .column("#Duplicates left out", |row| row.duplicates_dropped)
        .column("#Bytes of keys", |row| row.key_bytes)
        .column("SHA-256 or generator", source)
        .table()
}
