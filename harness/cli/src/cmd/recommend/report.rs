//! An answer on standard output and in a folder.

use std::time::Instant;

use anyhow::Result;

use crate::cmd::Format;
use crate::study::{self, Study};
use bouquet_ground::machine;
use bouquet_ground::record::{Recommendation, Records};
use bouquet_render::recommend;

pub fn text(answer: &Recommendation, format: Format) -> Result<String> {
    Ok(match format {
        Format::Table => recommend::text(answer),
        Format::Md => recommend::markdown(answer),
        Format::Json => serde_json::to_string_pretty(answer)? + "\n",
        Format::Csv => {
            let mut csv = csv::Writer::from_writer(Vec::new());
            answer
                .candidates
                .iter()
                .try_for_each(|row| csv.serialize(row))?;
            String::from_utf8(csv.into_inner()?)?
        }
    })
}

/// The report with its chart, and what it is made of.
pub fn write(answer: &Recommendation, study: Study, seed: u64, started: Instant) -> Result<()> {
    study.write(&answer.candidates)?;
    study.write(&answer.lines)?;
    study.write(&answer.envelope)?;
    study.write(&answer.bands)?;
    study.write(&answer.sensitivity)?;
    study.write(&answer.assumed)?;
    let mut run = study::facts(None, seed, started);
    run.extend(study::rows(machine::memory()));
    let about = Records {
        run,
        ..Records::default()
    };
    study.write(&about.run)?;
    recommend::write_report(answer, &about, study.path())?;
    study.commit()
}
