//! Makes a report from recorded rows. This crate reads only records and never builds a filter; the
//! same records give the same bytes.

// This crate is a part of the program and not a published library: its items are documented where
// their names do not say enough, and have only the methods that the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

mod battery;
mod charts;
pub mod columns;
pub mod compare;
mod compose;
mod cost;
pub mod document;
mod estimate;
mod evaluation;
pub mod gate;
mod glance;
pub mod html;
pub mod index;
mod judge;
mod levels;
pub mod markdown;
pub mod number;
mod page;
mod palette;
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

use self::document::Document;
pub use self::{cost::markdown as cost_table, judge::Verdict, terminal::Screen};
use bouquet_record::{
    Kind, Outcome, Records,
    folder::{shown, write},
    groups,
};

/// Writes README.md, index.html and charts/*.svg into the folder of a report, next to its records,
/// and returns the verdict.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, folder: &Path) -> Result<Outcome> {
    let (outcome, document) = match records.kind {
        Kind::Evaluation => {
            let judgement = judge::judge(records);
            let document = evaluation::document(records, &judgement);
            (judgement.verdict.outcome, document)
        }
        Kind::Speed => speed::document(records),
    };
    write_document(&compose::finish(document, records), folder)?;
    Ok(outcome)
}

/// Writes the document in all of its formats, and its charts.
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

/// The summary of a report for a terminal.
pub fn summary(records: &Records, screen: Screen) -> String {
    match records.kind {
        Kind::Evaluation => evaluation::summary(records, &judge::judge(records), screen),
        Kind::Speed => speed::summary(records, screen),
    }
}

/// The tables of a report in Markdown.
pub fn markdown_tables(records: &Records) -> String {
    match records.kind {
        Kind::Evaluation => markdown::table(&evaluation::table(records, &judge::judge(records))),
        Kind::Speed => speed::markdown_tables(records),
    }
}

/// The results as unformatted numbers; rates are shares.
pub fn plain(records: &Records) -> columns::Table {
    match records.kind {
        Kind::Evaluation => evaluation::plain(records, &judge::judge(records)),
        Kind::Speed => speed::plain(records),
    }
}
