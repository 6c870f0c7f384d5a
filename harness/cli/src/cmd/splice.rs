//! `bouquet splice`: the figures of a report, put into a Markdown file between
//! marks, so that no figure there is typed by hand.
//!
//! Between `<!-- figures: begin -->` and `<!-- figures: end -->` goes the table
//! at a glance, between `<!-- cost of NAME: begin -->` and its end what the
//! filter NAME costs, and between `<!-- speed: begin -->` and its end, of a report of
//! speed, ours beside other crates. A mark stands on a line of its own; what belongs
//! to another kind of report is left as it is.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, bail};

use crate::output::{NEGATIVE, tell};
use bouquet_files::save;
use bouquet_ground::record::{Kind, Source};
use bouquet_render::{
    self as render,
    splice::{Part, splice},
};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The report whose figures to put in.
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    /// The file with marks: `<!-- figures: begin -->` and `<!-- figures: end -->` around the
    /// table at a glance, `<!-- cost of NAME: begin -->` and its end around the cost of a filter,
    /// `<!-- speed: begin -->` and its end around the tables of a report of speed.
    #[arg(value_name = "FILE.md")]
    file: PathBuf,
    /// Change nothing; exit with 1 if the file is not up to date.
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    let records = &Source::new(&args.report)?.read()?;
    let file = args.file.display();
    // A pipe would be waited for, and what is read from it could not be put back.
    if fs::metadata(&args.file).is_ok_and(|there| !there.is_file()) {
        bail!("{file} is no file: name a Markdown file with marks");
    }
    let text = fs::read_to_string(&args.file).with_context(|| format!("cannot read {file}"))?;
    let report = args.report.display().to_string();
    let report = report.trim_end_matches('/');
    let spliced = splice(&text, |part| match (part, records.kind) {
        (Part::Figures, Kind::Evaluation) => Ok(Some(render::headline_table(records))),
        (Part::Cost(filter), Kind::Evaluation) => {
            render::cost_table(records, filter, report).map(Some)
        }
        (Part::Speed, Kind::Speed) => Ok(Some(render::speed::headline_tables(records))),
        _ => Ok(None),
    })
    .with_context(|| format!("cannot splice into {file}"))?;
    if spliced == text {
        return Ok(0);
    }
    if args.check {
        tell(&format!(
            "bouquet: {file} does not have the figures of {}",
            args.report.display()
        ));
        return Ok(NEGATIVE);
    }
    save(&args.file, |out| out.write_all(spliced.as_bytes()))?;
    Ok(0)
}
