//! `bouquet compare`: two records side by side.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{
    Format, print,
    sheet::{Cell, Sheet},
};
use bouquet_ground::record::{GATE_FILE, GateDocument, Source};
use bouquet_ground::staging::recover;
use bouquet_render::compare::{self, Change, Comparison, Finding, Held, Measure};
use bouquet_render::terminal::clean;

const HELP: &str = "\
Takes reports of evaluate, fpr, uniformity, peers, attack or speed (their folders, or a file of their
records), or reports or baselines of gate. Says first in what the runs differ (version, machine, seed,
keys), then what changed. A sample is called changed if the two differ by more than chance gives,
at 1e-3 over all rows together; a figure that is not a sample if it differs at all.

Exit code: 0 compared, whatever came of it; 2 wrong usage or input.

Examples:
  bouquet compare reports/main reports/latest
  bouquet compare reports/baseline reports/latest-gate --format md
  bouquet compare old/records new/records --all --format csv";

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
    let comparison = compare::compare(&held(&args.a)?, &held(&args.b)?)?;
    let is_shown = |change: &&Change| {
        args.all || !matches!(change.finding, Finding::Same | Finding::WithinChance)
    };
    let shown: Vec<&Change> = comparison.changes.iter().filter(is_shown).collect();
    print(&match args.format {
        Format::Json => in_json(args, &comparison, &shown)?,
        Format::Csv => sheet(&shown).text(Format::Csv)?,
        Format::Table | Format::Md => page(args, &comparison, &shown)?,
    })?;
    Ok(0)
}

fn held(path: &Path) -> Result<Held> {
    recover(path);
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    if is_json || path.join(GATE_FILE).exists() {
        return Ok(Held::Gate(GateDocument::read(path)?));
    }
    // One file of records says too little: what run it is of stands beside it.
    let folder = match path.parent() {
        Some(folder) if path.is_file() && folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) if path.is_file() => folder,
        _ => path,
    };
    let recorded = Source::new(&[folder.to_path_buf()]).and_then(|source| source.read());
    let recorded = recorded.with_context(|| format!("{} is no report", path.display()))?;
    Ok(Held::Records(recorded))
}

fn sheet(changes: &[&Change]) -> Sheet {
    let text = |measure: &Option<Measure>| match measure {
        Some(measure) => Cell::Words(measure.text()),
        None => Cell::Nothing,
    };
    let row = |change: &&Change| {
        let interval = change.ratio.and_then(|(_, interval)| interval);
        let number = |of: Option<f64>| of.map_or(Cell::Nothing, Cell::Number);
        vec![
            Cell::Words(change.finding.word().into()),
            Cell::Words(change.subject.clone()),
            Cell::Words(change.what.clone()),
            text(&change.a),
            text(&change.b),
            number(change.ratio.map(|(ratio, _)| ratio)),
            number(interval.map(|interval| interval.low)),
            number(interval.map(|interval| interval.high)),
        ]
    };
    Sheet {
        columns: vec!["finding", "subject", "what", "A", "B", "B/A", "from", "to"],
        rows: changes.iter().map(row).collect(),
    }
}

fn count(comparison: &Comparison, finding: Finding) -> usize {
    let all = comparison.changes.iter();
    all.filter(|change| change.finding == finding).count()
}

fn page(args: &Args, comparison: &Comparison, shown: &[&Change]) -> Result<String> {
    let number = |finding| count(comparison, finding);
    let mut page = format!(
        "{} of {} figures changed; {} the same, {} within chance, {} only in A, {} only in B.\n\
         A is {}, B is {}.\n\n",
        number(Finding::Changed),
        comparison.changes.len(),
        number(Finding::Same),
        number(Finding::WithinChance),
        number(Finding::OnlyA),
        number(Finding::OnlyB),
        clean(&args.a.display().to_string()),
        clean(&args.b.display().to_string())
    );
    if comparison.differences.is_empty() {
        page += "The runs are of one version, machine and seed, on the same keys.\n";
    } else {
        let row = |(name, a, b): &(String, String, String)| {
            [name, a, b].map(|text| Cell::Words(text.clone())).to_vec()
        };
        let differences = Sheet {
            columns: vec!["the runs differ in", "A", "B"],
            rows: comparison.differences.iter().map(row).collect(),
        };
        page += &differences.text(args.format)?;
    }
    if !shown.is_empty() {
        page.push('\n');
        page += &sheet(shown).text(args.format)?;
    }
    Ok(page)
}

fn in_json(args: &Args, comparison: &Comparison, shown: &[&Change]) -> Result<String> {
    let measure = |measure: &Option<Measure>| match measure {
        None => Value::Null,
        Some(Measure::Word(word)) => json!({"word": word}),
        Some(Measure::Number { value, interval }) => json!({
            "value": value,
            "low": interval.map(|i| i.low),
            "high": interval.map(|i| i.high),
        }),
    };
    let change = |change: &&Change| {
        let interval = change.ratio.and_then(|(_, interval)| interval);
        json!({
            "finding": change.finding.word(),
            "subject": change.subject,
            "what": change.what,
            "a": measure(&change.a),
            "b": measure(&change.b),
            "ratio": change.ratio.map(|(ratio, _)| ratio),
            "ratio_low": interval.map(|i| i.low),
            "ratio_high": interval.map(|i| i.high),
        })
    };
    let difference =
        |(name, a, b): &(String, String, String)| json!({"name": name, "a": a, "b": b});
    let whole = json!({
        "a": args.a.display().to_string(),
        "b": args.b.display().to_string(),
        "figures": comparison.changes.len(),
        "changed": count(comparison, Finding::Changed),
        "differences": comparison.differences.iter().map(difference).collect::<Vec<_>>(),
        "rows": shown.iter().map(change).collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&whole)? + "\n")
}
