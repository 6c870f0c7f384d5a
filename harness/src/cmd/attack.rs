//! `bouquet attack`: keys chosen by an enemy.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{
    Format, INCONCLUSIVE, NEGATIVE, print,
    sheet::{Cell, Sheet},
};
use crate::{
    attack::{self, AttackRow, Definition, Plan, Verdict, verdict},
    experiment::Profile,
    machine,
    record::{ExperimentRow, Row, RowWriter, RunRow, SCHEMA_VERSION},
    staging::{Staging, catch_interrupts},
};

const HELP: &str = "\
Someone chooses keys who knows all of a filter but a secret key. Hash functions: xxh3 and xxh3-wide
with a public seed, murmur3 as Go's bits-and-blooms has it and with a secret seed, and sip-keyed.

Attacks:
  pollution         keys whose probes all fall on empty slots, up to capacity
  forged-positives  strangers that pass for members
  collision         keys computed to have every location of a victim
  deletion          keys never inserted that pass are removed, until a victim is denied

Outcome of a row: broken (the chosen keys do better than any, at a confidence of 1 - 1e-6),
withstands, or budget-spent.

Exit code: 0 the keyed hash withstands; 1 it is broken, or an attack fails against a public seed
too, so that the run is void; 2 wrong usage; 3 with --strict, if the trials ended before something
was shown.

Examples:
  bouquet attack
  bouquet attack --quick --format md
  bouquet attack --seed 7 --out reports/attack";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Smaller filters, for a first look.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Larger filters and more keys.
    #[arg(long)]
    full: bool,
    /// Keys that the attacker may hash for one row, in place of what the profile has.
    #[arg(long, value_name = "NUMBER")]
    trials: Option<u64>,
    /// Where all randomness comes from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    seed: u64,
    /// A folder for the table and the records; a report already there is replaced.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Nothing on standard error but errors.
    #[arg(long)]
    quiet: bool,
    /// How the table goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Exit with 3 if the trials ended before something was shown.
    #[arg(long)]
    strict: bool,
}

pub fn run(args: &Args) -> Result<u8> {
    catch_interrupts()?;
    let definition = Definition::shipped()?;
    let plan = plan(args, &definition);
    // Before the work: a folder that cannot be written should be known now.
    let staging = args.out.as_deref().map(Staging::begin).transpose()?;
    let rows = attack::run(&plan, args.seed)?;
    let sheet = sheet(&rows);
    if let Some(staging) = staging {
        write(args, staging.path(), &definition, &rows, &sheet)?;
        staging.commit()?;
    }
    print(&sheet.text(args.format)?)?;
    let verdict = verdict(&rows);
    if !args.quiet {
        eprintln!("{}; seed {}", conclusion(verdict), args.seed);
    }
    Ok(match verdict {
        Verdict::Withstands => 0,
        Verdict::Broken | Verdict::Void => NEGATIVE,
        Verdict::Inconclusive if args.strict => INCONCLUSIVE,
        Verdict::Inconclusive => 0,
    })
}

fn profile(args: &Args) -> Profile {
    match (args.quick, args.full) {
        (true, _) => Profile::Quick,
        (_, true) => Profile::Full,
        _ => Profile::Default,
    }
}

fn plan(args: &Args, definition: &Definition) -> Plan {
    let plan = definition.plan(profile(args));
    Plan {
        trials: args.trials.unwrap_or(plan.trials),
        ..plan
    }
}

fn conclusion(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Withstands => {
            "pass: the keyed hash keeps chosen keys to what chance gives; every public seed falls"
        }
        Verdict::Broken => "fail: chosen keys do better than chance against the keyed hash",
        Verdict::Void => "void: an attack fails against a public seed too, so it shows nothing",
        Verdict::Inconclusive => {
            "inconclusive: the trials ended before something was shown; give more with --trials"
        }
    }
}

fn write(
    args: &Args,
    folder: &Path,
    definition: &Definition,
    rows: &[AttackRow],
    sheet: &Sheet,
) -> Result<()> {
    let records = folder.join("records");
    fs::create_dir(&records).with_context(|| format!("cannot create {}", records.display()))?;
    write_rows(&records, rows)?;
    write_rows(&records, &run_rows(args))?;
    write_rows(&records, &[experiment_row(definition)])?;
    let page = format!(
        "# {}\n\n{}\n\n{}\nSeed {}. The whole rows are in records/{}.\n",
        definition.title,
        definition.analysis.trim(),
        sheet.text(Format::Md)?,
        args.seed,
        AttackRow::FILE,
    );
    let path = folder.join("README.md");
    fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))
}

fn experiment_row(definition: &Definition) -> ExperimentRow {
    ExperimentRow {
        experiment: definition.name.clone(),
        kind: "attack".into(),
        title: definition.title.clone(),
        analysis: definition.analysis.trim().into(),
    }
}

fn write_rows<R: Row>(folder: &Path, rows: &[R]) -> Result<()> {
    let mut writer = RowWriter::<R>::create(folder)?;
    rows.iter().try_for_each(|row| writer.write(row))?;
    writer.finish()
}

fn run_rows(args: &Args) -> Vec<RunRow> {
    let mut facts = vec![
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("version", env!("CARGO_PKG_VERSION").to_string()),
        ("revision", machine::revision()),
        ("profile", profile(args).name().to_string()),
        ("seed", args.seed.to_string()),
    ];
    facts.extend(machine::facts());
    let row = |(name, value): (&str, String)| RunRow {
        name: name.into(),
        value,
    };
    facts.into_iter().map(row).collect()
}

const COLUMNS: [&str; 15] = [
    "attack",
    "filter",
    "hashing",
    "knows",
    "method",
    "chosen",
    "succeeded",
    "rate",
    "honest_rate",
    "trials_per_key",
    "fill_ratio",
    "measured_fpr",
    "expected_fpr",
    "members_lost",
    "outcome",
];

fn sheet(rows: &[AttackRow]) -> Sheet {
    Sheet {
        columns: COLUMNS.to_vec(),
        rows: rows.iter().map(cells).collect(),
    }
}

fn cells(row: &AttackRow) -> Vec<Cell> {
    let words = |words: &String| Cell::Words(words.clone());
    let number = |number: Option<f64>| number.map_or(Cell::Nothing, Cell::Number);
    let lost = if row.removals_asked > 0 {
        Cell::Count(row.members_lost)
    } else {
        Cell::Nothing
    };
    vec![
        words(&row.attack),
        words(&row.filter),
        words(&row.hashing),
        words(&row.knows),
        words(&row.method),
        Cell::Count(row.chosen),
        Cell::Count(row.succeeded),
        number(row.rate()),
        Cell::Number(row.honest_rate),
        number(row.trials_per_key()),
        number(row.fill_ratio),
        number(row.measured_fpr()),
        Cell::Number(row.expected_fpr),
        lost,
        words(&row.outcome),
    ]
}
