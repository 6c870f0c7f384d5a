//! Inserts results of a report between marks in a Markdown file, so that no number there is typed
//! by hand.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

use crate::files::save;
use crate::output::{NEGATIVE, tell};
use bouquet_ground::record::{Kind, Source};
use bouquet_render::{self as render, splice::splice};

/// Writes the results into the file; with `is_check`, only checks whether they are up to date.
pub fn write(report: &Path, path: &Path, is_check: bool) -> Result<u8> {
    let records = &Source::new(report)?.read()?;
    let file = path.display();
    // Opening a pipe would block, and what is read from it could not be written back.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        bail!("{file} is no file: name a Markdown file with marks");
    }
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {file}"))?;
    let report = report.display().to_string();
    let report = report.trim_end_matches('/');
    let spliced = splice(&text, |part| match (part, records.kind) {
        ("figures", Kind::Evaluation) => Ok(Some(render::markdown_tables(records))),
        ("speed", Kind::Speed) => Ok(Some(render::speed::headline_tables(records))),
        (part, Kind::Evaluation) => part
            .strip_prefix("cost of ")
            .map(|filter| render::cost_table(records, filter, report))
            .transpose(),
        _ => Ok(None),
    })
    .with_context(|| format!("cannot splice into {file}"))?;
    if spliced == text {
        return Ok(0);
    }
    if is_check {
        tell(&format!(
            "bouquet: {file} does not have the figures of {report}"
        ));
        return Ok(NEGATIVE);
    }
    save(path, |out| out.write_all(spliced.as_bytes()))?;
    Ok(0)
}
