//! From recorded rows to a finished report. Reads records alone and never
//! builds a filter; the same records give the same bytes.

// A part of the program, not a library to be published: its items are documented where
// their names do not say enough.
// A part of the program, not a library to be published: its items are documented where
// their names do not say enough, and have what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

pub mod battery;
mod charts;
pub mod columns;
pub mod compare;
mod compose;
mod cost;
pub mod document;
mod estimate;
pub mod fpr;
pub mod gate;
mod glance;
mod html;
mod judge;
pub mod markdown;
pub mod number;
mod palette;
pub mod peers;
mod plot;
mod promise;
pub mod recommend;
pub mod sections;
pub mod speed;
mod svg;
pub mod terminal;
#[cfg(test)]
mod tests;
mod ways;

use std::{fs, path::Path};

use anyhow::{Context, Result};

use self::document::Document;
pub use self::{
    cost::markdown as cost_table,
    judge::{Outcome, Verdict},
};
use bouquet_ground::groups;
use bouquet_ground::record::Records;

/// Writes README.md, index.html, machine.txt and charts/*.svg into the folder
/// of a report, beside its records, and gives the verdict.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, folder: &Path) -> Result<Verdict> {
    let judgement = judge::judge(records);
    let document = compose::document(records, &judgement);
    write_document(&document, records, folder)?;
    Ok(judgement.verdict)
}

/// The document in its formats, its pictures and the facts of the run.
pub fn write_document(document: &Document, records: &Records, folder: &Path) -> Result<()> {
    let charts = folder.join("charts");
    for figure in document.figures() {
        fs::create_dir_all(&charts)
            .with_context(|| format!("cannot create {}", charts.display()))?;
        write(&charts.join(format!("{}.svg", figure.name)), &figure.svg)?;
    }
    write(&folder.join("README.md"), &markdown::document(document))?;
    write(&folder.join("index.html"), &html::document(document))?;
    write(&folder.join("machine.txt"), &compose::machine(records))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The verdict, and what a terminal shows of it; `colour` permits ANSI colour.
pub fn summary(records: &Records, colour: bool) -> (Verdict, String) {
    let judgement = judge::judge(records);
    let text = terminal::summary(records, &judgement, colour);
    (judgement.verdict, text)
}

/// The table at a glance in Markdown, fit to be put into another page.
pub fn headline_table(records: &Records) -> String {
    markdown::table(&glance::table(&glance::rows(
        records,
        &judge::judge(records),
    )))
}

/// The table at a glance in plain numbers, rates as shares.
pub fn glance(records: &Records) -> columns::Table {
    glance::plain(&glance::rows(records, &judge::judge(records)))
}
