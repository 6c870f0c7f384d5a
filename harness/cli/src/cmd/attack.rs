//! `bouquet attack`: keys chosen by an enemy.

mod page;
mod tables;

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

use super::{Format, INCONCLUSIVE, NEGATIVE, print, tell};
use bouquet_ground::machine;
use bouquet_ground::record::{
    AttackRecords, AttackRow, ExperimentRow, PollutionRow, Recorded, Row, RowWriter, RunRow,
    SCHEMA_VERSION, Source, write_run,
};
use bouquet_ground::staging::{Staging, catch_interrupts};
use bouquet_lab::attack::{self, Definition, Plans, Verdict, verdict};
use bouquet_lab::experiment::Profile;
use bouquet_theory as theory;

const HELP: &str = "\
Someone chooses keys who knows all of a filter but a secret key. Hash functions: xxh3 and xxh3-wide
with a public seed, murmur3 without a seed and with a secret one, the location schemes of other
systems and of textbooks that are not weak by themselves, and sip-keyed.

Attacks:
  pollution         keys whose probes all fall on empty slots, up to capacity
  forged-positives  strangers that pass for members
  collision         keys computed to have every location of a victim
  deletion          keys never inserted that pass are removed, until a victim is denied

Outcome of a row: broken (the chosen keys do better than any, at a confidence of 1 - 1e-6),
withstands, or budget-spent. Shares and costs have their 95 % interval.

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
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    trials: Option<u64>,
    /// Where all randomness comes from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    seed: u64,
    /// Threads; all cores if not given. The figures do not depend on it.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<usize>)]
    jobs: Option<usize>,
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
    let plans = plans(args, &definition);
    // Before the work: a folder that cannot be written should be known now.
    let staging = args.out.as_deref().map(Staging::begin).transpose()?;
    let records = staging
        .as_ref()
        .map(|staging| staging.path().join("records"));
    let rows = measure(args, &plans, records.as_deref())?;
    if let Some(staging) = staging {
        let folder = staging.path().join("records");
        write_rows(&folder, &[experiment_row(&definition)])?;
        write_run(&folder, run_rows(args))?;
        let Recorded::Attack(records) = Source::new(&[folder])?.read()? else {
            bail!("what was recorded are no attacks");
        };
        page::write_report(&records, staging.path())?;
        staging.commit()?;
    }
    print(&tables::text(&rows, args.format)?)?;
    let verdict = verdict(&rows);
    if !args.quiet {
        tell(&format!("{}; seed {}", conclusion(verdict), args.seed));
    }
    Ok(code(verdict, args.strict))
}

/// Writes the report from the records, and gives the exit code and the tables.
pub fn report(
    records: &AttackRecords,
    folder: &Path,
    format: Format,
    strict: bool,
) -> Result<(u8, String)> {
    let verdict = page::write_report(records, folder)?;
    Ok((code(verdict, strict), tables::text(&records.rows, format)?))
}

fn code(verdict: Verdict, strict: bool) -> u8 {
    match verdict {
        Verdict::Withstands => 0,
        Verdict::Broken | Verdict::Void => NEGATIVE,
        Verdict::Inconclusive if strict => INCONCLUSIVE,
        Verdict::Inconclusive => 0,
    }
}

fn profile(args: &Args) -> Profile {
    match (args.quick, args.full) {
        (true, _) => Profile::Quick,
        (_, true) => Profile::Full,
        _ => Profile::Default,
    }
}

fn plans(args: &Args, definition: &Definition) -> Plans {
    let plans = definition.plans(profile(args));
    match args.trials {
        Some(trials) => plans.with_trials(trials),
        None => plans,
    }
}

/// Makes the attacks, and writes each row as it comes.
fn measure(args: &Args, plans: &Plans, records: Option<&Path>) -> Result<Vec<AttackRow>> {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.unwrap_or_else(available);
    let mut writers = match records {
        Some(folder) => {
            fs::create_dir(folder)
                .with_context(|| format!("cannot create {}", folder.display()))?;
            let attacks = RowWriter::<AttackRow>::create(folder)?;
            Some((attacks, RowWriter::<PollutionRow>::create(folder)?))
        }
        None => None,
    };
    let mut rows = Vec::new();
    attack::run(plans, args.seed, jobs, |done| {
        if let Some((attacks, pollution)) = &mut writers {
            attacks.write(&done.row)?;
            done.course
                .iter()
                .try_for_each(|row| pollution.write(row))?;
        }
        rows.push(done.row);
        Ok(())
    })?;
    if let Some((attacks, pollution)) = writers {
        attacks.finish()?;
        pollution.finish()?;
    }
    Ok(rows)
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
