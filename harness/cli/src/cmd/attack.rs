//! `bouquet attack`: keys chosen by an enemy.

mod page;
mod tables;

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Result, bail};

use super::{Format, print};
use crate::study::{self, Study};
use bouquet_ground::Outcome;
use bouquet_ground::record::{AttackRecords, AttackRow, PollutionRow, Recorded};
use bouquet_ground::staging::catch_interrupts;
use bouquet_lab::attack::{self, Definition, Plans, verdict};
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
    let started = Instant::now();
    catch_interrupts()?;
    let definition = Definition::shipped()?;
    let plans = plans(args, &definition);
    // Before the work: a folder that cannot be written should be known now.
    let study = args.out.as_deref().map(Study::begin).transpose()?;
    let rows = measure(args, &plans, study.as_ref())?;
    if let Some(study) = study {
        let Definition {
            name,
            title,
            analysis,
            ..
        } = &definition;
        study.write(&[study::experiment(name, "attack", title, analysis)])?;
        study.write_facts(study::facts(Some(profile(args).name()), args.seed, started))?;
        let Recorded::Attack(records) = study.written()?.read()? else {
            bail!("what was recorded are no attacks");
        };
        page::write_report(&records, study.path())?;
        study.commit()?;
    }
    print(&tables::text(&rows, args.format)?)?;
    let outcome = verdict(&rows);
    let (word, words) = (outcome.word(), conclusion(outcome));
    study::say(args.quiet, &format!("{word}: {words}; seed {}", args.seed));
    Ok(outcome.exit_code(args.strict))
}

/// Writes the report from the records, and gives what it comes to and the tables.
pub fn report(records: &AttackRecords, folder: &Path, format: Format) -> Result<(Outcome, String)> {
    let outcome = page::write_report(records, folder)?;
    Ok((outcome, tables::text(&records.rows, format)?))
}

fn profile(args: &Args) -> Profile {
    Profile::chosen(args.quick, args.full)
}

fn plans(args: &Args, definition: &Definition) -> Plans {
    let plans = definition.plans(profile(args));
    match args.trials {
        Some(trials) => plans.with_trials(trials),
        None => plans,
    }
}

/// Makes the attacks, and writes each row as it comes.
fn measure(args: &Args, plans: &Plans, study: Option<&Study>) -> Result<Vec<AttackRow>> {
    let mut attacks = study.map(Study::rows::<AttackRow>).transpose()?;
    let mut pollution = study.map(Study::rows::<PollutionRow>).transpose()?;
    let mut rows = Vec::new();
    attack::run(plans, args.seed, study::threads(args.jobs), |done| {
        attacks.iter_mut().try_for_each(|to| to.write(&done.row))?;
        if let Some(to) = &mut pollution {
            done.course.iter().try_for_each(|row| to.write(row))?;
        }
        rows.push(done.row);
        Ok(())
    })?;
    attacks.map_or(Ok(()), |to| to.finish())?;
    pollution.map_or(Ok(()), |to| to.finish())?;
    Ok(rows)
}

fn conclusion(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => {
            "the keyed hash keeps chosen keys to what chance gives; every public seed falls"
        }
        Outcome::Fail => "chosen keys do better than chance against the keyed hash",
        Outcome::Void => "an attack fails against a public seed too, so it shows nothing",
        Outcome::Inconclusive => {
            "the trials ended before something was shown; give more with --trials"
        }
    }
}
