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
    let (outcome, text) = match records.kind {
        Kind::Evaluation => {
            let outcome = render::write_report(records, folder)?.outcome;
            let text = format.results(
                outcome,
                || render::summary(records, screen()).1,
                || render::glance(records),
                || render::headline_table(records),
            );
            (outcome, text?)
        }
        Kind::Speed => {
            let outcome = speed::write_report(records, folder)?;
            let text = format.results(
                outcome,
                || speed::text(records, screen()),
                || speed::lines(records),
                || speed::markdown_tables(records),
            );
            (outcome, text?)
        }
    };
    // Nobody knows what it would have found.
    let outcome = match records.is_interrupted() {
        true => outcome.max(Outcome::Inconclusive),
        false => outcome,
    };
    Ok((outcome, text))
}
