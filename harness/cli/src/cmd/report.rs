//! `bouquet report`: the report anew, from its records alone.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Format, attack, evaluate, peers, print, speed, uniformity};
use bouquet_ground::Outcome;
use bouquet_ground::record::{Recorded, Source};
use bouquet_ground::staging::{Staging, recover};
use bouquet_render::{self as render, battery};

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
    let (outcome, summary) = results(&recorded, staging.path(), args.format)?;
    staging.commit()?;
    print(&summary)?;
    Ok(outcome.exit_code(args.strict))
}

/// Writes the report of records of any kind, and gives what it comes to and the results
/// for standard output.
pub fn results(recorded: &Recorded, folder: &Path, format: Format) -> Result<(Outcome, String)> {
    match recorded {
        Recorded::Evaluation(records) => {
            let verdict = render::write_report(records, folder)?;
            Ok((verdict.outcome, evaluate::table(records, format)?))
        }
        Recorded::Battery(records) => {
            let judgement = battery::write_report(records, folder)?;
            let text = uniformity::results(format, records, &judgement)?;
            Ok((judgement.outcome, text))
        }
        Recorded::Scoreboard(records) => peers::report(records, folder, format),
        Recorded::Attack(records) => attack::report(records, folder, format),
        Recorded::Speed(records) => speed::report(records, folder, format),
    }
}
