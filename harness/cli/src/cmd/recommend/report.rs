//! An answer on standard output and in a folder.

use std::time::Instant;

use anyhow::Result;

use crate::output::{Format, screen};
use crate::study::{self, Study};
use bouquet_ground::machine;
use bouquet_ground::record::{Recommendation, Records, RunRow, in_csv};
use bouquet_render::recommend;

pub fn text(answer: &Recommendation, format: Format) -> Result<String> {
    Ok(match format {
        Format::Table => recommend::text(answer, screen()),
        Format::Md => recommend::markdown(answer),
        Format::Json => recommend::json(answer)?,
        Format::Csv => in_csv(&answer.candidates)?,
    })
}

/// The report with its chart, and what it is made of.
pub fn write(answer: &Recommendation, mut study: Study, seed: u64, started: Instant) -> Result<()> {
    study.rows.write(&answer.candidates)?;
    study.rows.write(&answer.lines)?;
    study.rows.write(&answer.envelope)?;
    study.rows.write(&answer.bands)?;
    study.rows.write(&answer.sensitivity)?;
    study.rows.write(&answer.assumed)?;
    let mut facts = study::facts(None, seed, started);
    facts.extend(machine::memory());
    let about = Records {
        run: facts.into_iter().map(RunRow::from).collect(),
        ..Records::default()
    };
    study.rows.write(&about.run)?;
    recommend::write_report(answer, &about, study.path())?;
    study.commit()
}
