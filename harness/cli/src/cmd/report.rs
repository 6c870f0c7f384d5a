//! `bouquet report`: the report anew, from its records alone.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Format, attack, colour, print};
use crate::study::Results;
use bouquet_ground::record::{Kind, Records, Source};
use bouquet_ground::staging::{Staging, recover};
use bouquet_render::{self as render, battery, peers, speed};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The report, its folder of records, or its files of records.
    #[arg(value_name = "RECORDS", required = true)]
    from: Vec<PathBuf>,
    /// Where to write; in place if not given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How the table of results goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long)]
    strict: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    args.from.iter().for_each(|path| recover(path));
    let source = Source::new(&args.from)?;
    let recorded = source.read()?;
    let target = args.out.as_deref().or(source.report());
    let target = target.context(
        "these files are not all that is in the folder of records of one report: say where to \
         write with --out",
    )?;
    let staging = Staging::begin_with(target, |folder| source.copy_to(&folder.join("records")))?;
    let (outcome, summary, _) = results(&recorded, staging.path(), args.format)?;
    staging.commit()?;
    print(&summary)?;
    Ok(outcome.exit_code(args.strict))
}

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
        // Ours may not deny a key, whatever the others do.
        Kind::Scoreboard => (
            peers::write_report(records, folder)?,
            format.results(
                || peers::text(records),
                || peers::lines(records),
                || peers::markdown_tables(records),
            )?,
        ),
        Kind::Attack => return attack::report(records, folder, format),
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
