//! What records come to: the judgement and the report of every kind.

use std::path::Path;

use anyhow::Result;

use crate::output::{Format, screen};
use bouquet_ground::{
    Outcome,
    record::{Kind, Records},
};
use bouquet_render::{self as render, speed};

/// What records come to, and the results for standard output.
pub type Results = (Outcome, String);

/// Judges records of any kind and writes their report into the folder.
pub fn results(records: &Records, folder: &Path, format: Format) -> Result<Results> {
    let outcome = match records.kind {
        Kind::Evaluation => render::write_report(records, folder)?.outcome,
        Kind::Speed => speed::write_report(records, folder)?,
    };
    let text = match (records.kind, format) {
        (Kind::Evaluation, Format::Table) => render::summary(records, screen()).1,
        (Kind::Evaluation, Format::Md) => render::headline_table(records),
        (Kind::Evaluation, _) => format.text(&render::glance(records), Some(outcome))?,
        (Kind::Speed, Format::Table) => speed::text(records, screen()),
        (Kind::Speed, Format::Md) => speed::markdown_tables(records),
        (Kind::Speed, _) => format.text(&speed::lines(records), Some(outcome))?,
    };
    // Nobody knows what it would have found.
    let outcome = match records.is_interrupted() {
        true => outcome.max(Outcome::Inconclusive),
        false => outcome,
    };
    Ok((outcome, text))
}
