//! Judges records and writes their report, for every kind of records.

use std::path::Path;

use anyhow::Result;

use crate::output::{Format, screen};
use bouquet_ground::{Outcome, record::Records};
use bouquet_render as render;

/// The outcome of records, and the results as text for standard output.
pub type Results = (Outcome, String);

/// Judges records of any kind and writes their report into the folder.
pub fn results(records: &Records, folder: &Path, format: Format) -> Result<Results> {
    let outcome = render::write_report(records, folder)?;
    let text = match format {
        Format::Table => render::summary(records, screen()),
        Format::Md => render::markdown_tables(records),
        Format::Json | Format::Csv => format.text(&render::plain(records), Some(outcome))?,
    };
    // Nobody knows what the complete run would have found.
    let outcome = match records.is_interrupted() {
        true => outcome.max(Outcome::Inconclusive),
        false => outcome,
    };
    Ok((outcome, text))
}
