//! From recorded rows to a finished report. Reads records alone and never
//! builds a filter; the same records give the same bytes.

// A part of the program, not a library to be published: its items are documented where
// their names do not say enough, and have what the program needs.
#![allow(missing_docs, missing_debug_implementations)]
#![allow(clippy::len_without_is_empty, clippy::new_without_default)]

mod battery;
mod charts;
pub mod columns;
pub mod compare;
mod compose;
mod cost;
mod details;
pub mod document;
mod estimate;
mod folder;
mod fpr;
pub mod gate;
mod glance;
mod headline;
pub mod html;
pub mod index;
mod judge;
mod levels;
pub mod markdown;
pub mod number;
mod palette;
mod plot;
pub mod recommend;
mod repeat;
pub mod sections;
pub mod speed;
pub mod splice;
mod summary;
mod svg;
pub mod terminal;
#[cfg(test)]
mod tests;
mod text;

use std::path::Path;

use anyhow::Result;

pub use self::{
    cost::markdown as cost_table,
    folder::{write_document, write_pages},
    judge::Verdict,
    terminal::Screen,
};
use bouquet_ground::{groups, record::Records};

/// Writes README.md, index.html and charts/*.svg into the folder
/// of a report, beside its records, and gives the verdict.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, folder: &Path) -> Result<Verdict> {
    let judgement = judge::judge(records);
    let document = compose::document(records, &judgement);
    write_document(document, records, folder)?;
    Ok(judgement.verdict)
}

/// The verdict, and what a terminal shows of it.
pub fn summary(records: &Records, screen: Screen) -> (Verdict, String) {
    let judgement = judge::judge(records);
    let text = summary::summary(records, &judgement, screen);
    (judgement.verdict, text)
}

/// The table at a glance in Markdown, fit to be put into another page.
pub fn headline_table(records: &Records) -> String {
    let judgement = judge::judge(records);
    markdown::table(&if judgement.is_of_locations() {
        battery::table(&judgement.locations)
    } else {
        glance::table(&glance::rows(records, &judgement))
    })
}

/// The table at a glance in plain numbers, rates as shares.
pub fn glance(records: &Records) -> columns::Table {
    let judgement = judge::judge(records);
    if judgement.is_of_locations() {
        return battery::plain(&judgement.locations);
    }
    glance::plain(&glance::rows(records, &judgement))
}
