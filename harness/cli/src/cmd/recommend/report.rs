//! An answer on standard output and in a folder.

use std::{fs, time::Instant};

use anyhow::{Context, Result};

use crate::cmd::{Format, evaluate};
use crate::study;
use bouquet_ground::machine;
use bouquet_ground::record::{Recommendation, Records};
use bouquet_ground::staging::Staging;
use bouquet_render::recommend;

pub fn text(answer: &Recommendation, format: Format) -> Result<String> {
    Ok(match format {
        Format::Table => recommend::text(answer),
        Format::Md => recommend::markdown(answer)?,
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
pub fn write(answer: &Recommendation, staging: Staging, seed: u64, started: Instant) -> Result<()> {
    let folder = staging.path().join("records");
    fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    evaluate::write_rows(&folder, &answer.candidates)?;
    evaluate::write_rows(&folder, &answer.lines)?;
    evaluate::write_rows(&folder, &answer.envelope)?;
    evaluate::write_rows(&folder, &answer.bands)?;
    evaluate::write_rows(&folder, &answer.sensitivity)?;
    evaluate::write_rows(&folder, &answer.assumed)?;
    let mut run = study::facts(None, seed, started);
    run.extend(study::rows(machine::memory()));
    let about = Records {
        run,
        ..Records::default()
    };
    evaluate::write_rows(&folder, &about.run)?;
    recommend::write_report(answer, &about, staging.path())?;
    staging.commit()
}
