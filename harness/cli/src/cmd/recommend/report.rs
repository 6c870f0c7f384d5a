//! An answer in a folder.

use std::time::Instant;

use anyhow::Result;

use crate::study::{self, Study};
use bouquet_ground::machine;
use bouquet_ground::record::Recommendation;
use bouquet_render::recommend;

/// The report with its chart, and what it is made of.
pub fn write(answer: Recommendation, mut study: Study, seed: u64, started: Instant) -> Result<()> {
    answer.write(&mut study.rows)?;
    let mut facts = study::facts(None, seed, started);
    facts.extend(machine::memory());
    study.rows.write_facts(facts)?;
    study.rows.finish()?;
    let recorded = study.written()?.read()?;
    recommend::write_report(&recorded, study.path())?;
    study.commit()
}
