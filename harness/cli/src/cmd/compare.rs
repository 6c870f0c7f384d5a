//! `bouquet compare`: compares the records of two runs.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::output::{Format, print};
use bouquet_ground::line::clean;
use bouquet_ground::record::{GATE_FILE, GateDocument, Source};
use bouquet_render::columns::{self, Table};
use bouquet_render::compare::{self, Change, Comparison, Finding, Loaded};
use bouquet_render::{markdown::escape, number};

const HELP: &str = "\
Takes folders of reports of evaluate or speed, or of reports or baselines of
gate. Says first in what the runs differ (version, machine, seed, keys), then
what changed.
A sample is called changed if the two differ by more than chance gives, at 1e-3
over all rows together; a figure that is not a sample if it differs at all.

Exit code: 0 compared, whatever came of it; 2 wrong usage or input.

Examples:
  bouquet compare reports/main reports/latest
  bouquet compare reports/baseline reports/latest-gate --format md
  bouquet compare old new --all --format csv";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// What is compared with.
    #[arg(value_name = "A")]
    a: PathBuf,
    /// What is compared.
    #[arg(value_name = "B")]
    b: PathBuf,
    /// What did not change, too.
    #[arg(long)]
    all: bool,
    /// How the comparison goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

pub fn run(args: &Args) -> Result<u8> {
    let both = || format!("{} and {}", args.a.display(), args.b.display());
    let comparison = compare::compare(&loaded(&args.a)?, &loaded(&args.b)?).with_context(both)?;
    let is_shown = |change: &&Change| {
        args.all || !matches!(change.finding, Finding::Same | Finding::WithinChance)
    };
    let shown = table(comparison.changes.iter().filter(is_shown));
    print(&match args.format {
        Format::Json => in_json(args, &comparison, shown)?,
        Format::Csv => shown.csv()?,
        Format::Table | Format::Md => in_words(args, &comparison, &shown)?,
    })?;
    Ok(0)
}

/// Loads a report, its records, or a document of the gate.
fn loaded(path: &Path) -> Result<Loaded> {
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    if is_json || path.join(GATE_FILE).exists() {
        return Ok(Loaded::Gate(Box::new(GateDocument::read_current(path)?)));
    }
    let recorded = Source::new(path)?.read();
    let recorded = recorded.with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(Loaded::Records(Box::new(recorded)))
}

/// One row per change.
fn table<'a>(changes: impl Iterator<Item = &'a Change>) -> Table {
    Table::answer(changes)
        .column("finding", |change| change.finding.name())
        .column("subject", |change| &change.subject)
        .column("what", |change| &change.what)
        .column("a", |change| change.a.clone())
        .column("b", |change| change.b.clone())
        .column("ratio", |change| change.ratio)
        .column("ratio_low", |change| change.interval.map(|i| i.low))
        .column("ratio_high", |change| change.interval.map(|i| i.high))
        .table()
}

/// The facts in which the runs differ.
fn differences(comparison: &Comparison) -> Table {
    Table::answer(&comparison.differences)
        .column("name", |(name, ..)| name)
        .column("a", |(_, a, _)| a)
        .column("b", |(.., b)| b)
        .table()
}

fn count(comparison: &Comparison, finding: Finding) -> usize {
    let all = comparison.changes.iter();
    all.filter(|change| change.finding == finding).count()
}

/// A sentence on how much changed.
fn finding(comparison: &Comparison) -> String {
    let number = |finding| number::count(count(comparison, finding) as u64);
    format!(
        "{} of {} figures changed; {} the same, {} within chance, {} only in A, {} only in B",
        number(Finding::Changed),
        number::count(comparison.changes.len() as u64),
        number(Finding::Same),
        number(Finding::WithinChance),
        number(Finding::OnlyA),
        number(Finding::OnlyB)
    )
}

fn sides(args: &Args) -> String {
    let [a, b] = [&args.a, &args.b].map(|path| clean(&path.display().to_string()));
    format!("A is {a}, B is {b}.")
}

fn in_words(args: &Args, comparison: &Comparison, shown: &Table) -> Result<String> {
    let mut page = format!("{}.\n", finding(comparison));
    page += &match args.format {
        Format::Md => escape(&sides(args)),
        _ => sides(args),
    };
    page += "\n\n";
    if comparison.differences.is_empty() {
        page += "The runs are of one version, machine and seed, on the same keys.\n";
    } else {
        page += "The runs differ in:\n\n";
        page += &args.format.text(&differences(comparison), None)?;
    }
    if !shown.rows.is_empty() {
        page.push('\n');
        page += &args.format.text(shown, None)?;
    }
    Ok(page)
}

fn in_json(args: &Args, comparison: &Comparison, shown: Table) -> Result<String> {
    let more = serde_json::json!({
        "a": args.a.display().to_string(),
        "b": args.b.display().to_string(),
        "figures": comparison.changes.len(),
        "changed": count(comparison, Finding::Changed),
        "differences": differences(comparison),
    });
    columns::answer(None, more, &shown)
}
