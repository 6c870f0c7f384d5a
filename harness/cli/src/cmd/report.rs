//! `bouquet report`: writes a report again, from its records alone.

mod index;
mod splice;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::output::{Format, print, say};
use crate::study::results;
use bouquet_ground::record::Source;
use bouquet_ground::{
    folder::{NewFolder, catch_interrupts},
    interrupt::go_on,
};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The folder of the report.
    #[arg(value_name = "REPORT", required_unless_present = "index")]
    from: Option<PathBuf>,
    /// Write the page that links all reports of this folder, and nothing else.
    #[arg(
        long,
        value_name = "DIR",
        num_args = 0..=1,
        default_missing_value = "reports",
        conflicts_with_all = ["from", "out", "format", "strict", "splice"]
    )]
    index: Option<PathBuf>,
    /// Put figures into a Markdown file and write nothing else: the table at a glance between
    /// `<!-- figures: begin -->` and its end, what a filter costs after `<!-- cost of NAME: begin -->`,
    /// the fastest filters after `<!-- speed: begin -->`.
    #[arg(long, value_name = "FILE.md", conflicts_with_all = ["out", "format", "strict"])]
    splice: Option<PathBuf>,
    /// Change nothing; exit with 1 if the file is not up to date.
    #[arg(long, requires = "splice")]
    check: bool,
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
    if let Some(folder) = &args.index {
        index::write(folder)?;
        return Ok(0);
    }
    let from = args.from.as_deref().unwrap_or(Path::new(""));
    if let Some(file) = &args.splice {
        return splice::write(from, file, args.check);
    }
    catch_interrupts()?;
    let source = Source::new(from)?;
    let report = source.report().to_path_buf();
    let target = args.out.as_deref().unwrap_or(&report);
    let folder = NewFolder::begin_with(target, |new| source.copy_to(new))?;
    let recorded = source.read()?;
    let (outcome, summary) = results(&recorded, folder.path(), args.format)?;
    go_on()?;
    folder.commit()?;
    print(&summary)?;
    if recorded.is_interrupted() {
        say("the run was interrupted: these are its records so far");
    }
    Ok(outcome.exit_code(args.strict))
}
