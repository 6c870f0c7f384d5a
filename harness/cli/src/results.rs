//! What records come to: the judgement and the report of every kind.

mod attack;

use std::path::Path;

use anyhow::Result;

use crate::output::{Format, colour};
use bouquet_ground::{
    Outcome,
    record::{Kind, Recommendation, Records, in_csv},
};
use bouquet_render::{self as render, battery, peers, recommend, speed};

/// What records come to, the results for standard output, and what is said of them
/// beside the seed.
pub type Results = (Outcome, String, String);

/// Judges records of any kind and writes their report into the folder.
pub fn results(records: &Records, folder: &Path, format: Format) -> Result<Results> {
    let (outcome, text) = match records.kind {
        Kind::Evaluation => (
            render::write_report(records, folder)?.outcome,
            format.results(
                || render::summary(records, colour()).1,
                || render::glance(records),
                || render::headline_table(records),
            )?,
        ),
        Kind::Battery => {
            let judgement = battery::write_report(records, folder)?;
            let text = format.results(
                || battery::summary(&records.battery, &judgement, colour()),
                || battery::plain(&judgement),
                || battery::in_markdown(&judgement),
            );
            (judgement.outcome, text?)
        }
        // Ours may have no false negative, whatever the others do.
        Kind::Scoreboard => (
            peers::write_report(records, folder)?,
            format.results(
                || peers::text(records),
                || peers::lines(records),
                || peers::markdown_tables(records),
            )?,
        ),
        Kind::Attack => return attack::report(records, folder, format),
        Kind::Answer => {
            recommend::write_report(records, folder)?;
            (Outcome::Pass, answer(&records.answer, format)?)
        }
        Kind::Speed => (
            speed::write_report(records, folder)?,
            format.results(
                || speed::text(records),
                || speed::lines(records),
                || speed::markdown_tables(records),
            )?,
        ),
    };
    Ok((outcome, text, String::new()))
}

/// An answer of `recommend` for standard output.
pub fn answer(answer: &Recommendation, format: Format) -> Result<String> {
    Ok(match format {
        Format::Table => recommend::text(answer),
        Format::Md => recommend::markdown(answer),
        Format::Json => recommend::json(answer)?,
        Format::Csv => in_csv(&answer.candidates)?,
    })
}
