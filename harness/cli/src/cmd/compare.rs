//! `bouquet compare`: compares the records of two runs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::output::{Format, print};
use bouquet_record::line::clean;
use bouquet_record::{GATE_FILE, GateDocument, Source};
use bouquet_report::columns::Table;
use bouquet_report::compare::{self, Change, Comparison, Finding, Loaded};
use bouquet_report::{markdown::escape, number};

const HELP: &str = "\
A and B are folders with reports of evaluate or speed, or reports or baselines
of gate. A sampled figure counts as changed if the interval of each run excludes
the other run's value and the difference is significant at a level of 1e-3 over
all rows together; any other figure if it differs at all.

Examples:
  bouquet compare reports/main reports/latest
  bouquet compare reports/baseline reports/latest-gate --all --format csv";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// The old report.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The new report.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Also show what did not change.
    #[arg(long)]
    all: bool,
    /// The format of the output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

pub fn run(args: &Args) -> Result<u8> {
    let names = [&args.a, &args.b].map(|path| clean(&path.display().to_string()));
    let [a, b] = &names;
    let comparison = compare::compare(&loaded(&args.a)?, &loaded(&args.b)?);
    let comparison = comparison.with_context(|| format!("{a} and {b}"))?;
    let is_shown = |change: &&Change| {
        args.all || !matches!(change.finding, Finding::Same | Finding::WithinChance)
    };
    let shown = table(comparison.changes.iter().filter(is_shown));
    if matches!(args.format, Format::Json | Format::Csv) {
        print(&args.format.text(&shown, None)?)?;
        return Ok(0);
    }
    let mut sides = format!("A is {a}, B is {b}.");
    if args.format == Format::Md {
        sides = escape(&sides);
    }
    let mut page = format!("{}.\n{sides}\n\n", finding(&comparison));
    if comparison.differences.is_empty() {
        page += "Both runs have the same version, machine, seed and keys.\n";
    } else {
        let differences = Table::answer(&comparison.differences)
            .column("name", |(name, ..)| name)
            .column("a", |(_, a, _)| a)
            .column("b", |(.., b)| b)
            .table();
        page += "The runs differ in:\n\n";
        page += &args.format.text(&differences, None)?;
    }
    if !shown.rows.is_empty() {
        page += &format!("\n{}", args.format.text(&shown, None)?);
    }
    print(&page)?;
    Ok(0)
}

/// Loads the records of a report, or a document of `bouquet gate`.
fn loaded(path: &Path) -> Result<Loaded> {
    let is_json = path.extension().is_some_and(|end| end == "json");
    if is_json || path.join(GATE_FILE).exists() {
        return Ok(Loaded::Gate(Box::new(GateDocument::read_current(path)?)));
    }
    let recorded = Source::new(path)?.read();
    let recorded = recorded.with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(Loaded::Records(Box::new(recorded)))
}

fn table<'a>(changes: impl Iterator<Item = &'a Change>) -> Table {
    Table::answer(changes)
        .column("finding", |change| change.finding.name())
        .column("subject", |change| &change.subject)
        .column("what", |change| &change.what)
        .column("a", |change| change.a.clone())
        .column("b", |change| change.b.clone())
        .with_interval(["ratio", "ratio_low", "ratio_high"], |change| change.ratio)
        .table()
}

/// A sentence on how much changed.
fn finding(comparison: &Comparison) -> String {
    use Finding::{Changed, OnlyA, OnlyB, Same, WithinChance};
    let all = number::count(comparison.changes.len() as u64);
    let [changed, same, chance, a, b] =
        [Changed, Same, WithinChance, OnlyA, OnlyB].map(|finding| {
            let all = comparison.changes.iter();
            number::count(all.filter(|change| change.finding == finding).count() as u64)
        });
    format!(
        "{changed} of {all} figures changed; {same} the same, {chance} within chance, {a} only in \
         A, {b} only in B"
    )
}
