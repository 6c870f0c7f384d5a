//! `bouquet report`: the report anew, from its records alone.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};

use super::{Format, evaluate::table, exit_code, peers, print};
use crate::{record::Records, render, staging::Staging};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The report, or its folder of records.
    #[arg(value_name = "DIR")]
    from: PathBuf,
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
    let from = fs::canonicalize(&args.from)
        .with_context(|| format!("cannot read {}", args.from.display()))?;
    let inside = from.file_name().is_some_and(|name| name == "records");
    let folder = if inside { from } else { from.join("records") };
    let report = folder.parent().map(PathBuf::from).unwrap_or_default();
    let staging = Staging::begin(args.out.as_ref().unwrap_or(&report))?;
    copy_records(&folder, &staging.path().join("records"))?;
    if Records::are_scoreboard(&folder) {
        let (text, code) = peers::report(&folder, staging.path(), args.format)?;
        staging.commit()?;
        print(&text)?;
        return Ok(code);
    }
    let records = Records::read(&folder)?;
    let verdict = render::write_report(&records, staging.path())?;
    staging.commit()?;
    print(&table(&records, args.format)?)?;
    Ok(exit_code(&verdict, args.strict))
}

fn copy_records(from: &PathBuf, to: &PathBuf) -> Result<()> {
    fs::create_dir(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        fs::copy(&path, to.join(name))
            .with_context(|| format!("cannot copy {} to {}", path.display(), to.display()))?;
    }
    Ok(())
}
