//! `bouquet gate`: is everything as it was?

mod baseline;
mod check;
mod help;
mod measure;

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Result, anyhow};

use self::help::HELP;
use crate::flags::{Judged, with};
use crate::output::{Format, NEGATIVE, print, say, screen, tell_error};
use bouquet_ground::record::{Tier, Writer};
use bouquet_ground::{
    folder::{NewFolder, catch_interrupts},
    interrupt::go_on,
};
use bouquet_lab::gate::Definition;
use bouquet_render::gate::{self as report, Tolerance};
use bouquet_theory as theory;

const WORDS: &str = "\
quick: Less of all that is sampled or timed: some seconds, for every change
full: More of all that is sampled or timed
seed: Of the tiers statistical and time; the exact one has its own
jobs: Threads that measure all but times; all cores if not given
out: reports/latest-gate
format: How the verdict goes to standard output";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP, mut_args(with(WORDS)))]
pub struct Args {
    /// What is guarded, in TOML; if not given, all filters of ours.
    #[arg(long, value_name = "FILE")]
    define: Option<PathBuf>,
    /// The folder of the baseline.
    #[arg(long, default_value = "reports/baseline", value_name = "DIR")]
    baseline: PathBuf,
    /// Only these tiers.
    #[arg(long, value_delimiter = ',', value_name = "TIER,…")]
    tiers: Vec<Tier>,
    /// Only these filters of the definition.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Makes this run the baseline; takes --reason.
    #[arg(long, requires = "reason", conflicts_with = "filters")]
    accept: bool,
    /// Why the figures may be what they are.
    #[arg(long, requires = "accept", value_name = "TEXT")]
    reason: Option<String>,
    /// Slower by this factor fails, on the machine of the baseline.
    #[arg(long, default_value_t = 1.3, value_name = "FACTOR", value_parser = theory::real)]
    tolerance: f64,
    /// The same on another machine.
    #[arg(long, default_value_t = 2.0, value_name = "FACTOR", value_parser = theory::real)]
    tolerance_elsewhere: f64,
    #[command(flatten)]
    pub flags: Judged,
    /// Next to no times, of whatever build: for tests of all but the speed.
    #[arg(long, hide = true)]
    tiny: bool,
}

impl Args {
    fn out(&self) -> &Path {
        self.flags.run.out.as_deref().unwrap_or(Path::new(""))
    }

    fn tolerance(&self) -> Tolerance {
        Tolerance {
            same_machine: self.tolerance,
            other_machine: self.tolerance_elsewhere,
        }
    }

    fn tiers(&self) -> Vec<Tier> {
        let asked = |tier: &Tier| self.tiers.is_empty() || self.tiers.contains(tier);
        Tier::ALL.into_iter().filter(asked).collect()
    }
}

pub fn run(args: &Args) -> Result<u8> {
    let started = Instant::now();
    check::check(args)?;
    catch_interrupts()?;
    let definition = match &args.define {
        Some(path) => Definition::read(path),
        None => Definition::shipped(),
    };
    go_on()?;
    let mut definition = definition?;
    definition.narrow(&args.filters)?;
    let baseline = baseline::read(args)?;
    if args.accept {
        // Whoever cannot write there hears of it before anything is measured, too.
        drop(baseline::begin(args)?);
    }
    // Begun first: whoever mistypes --out hears of it before anything is measured.
    let folder = NewFolder::begin(args.out())?;
    let mut rows = Writer::new(folder.path());
    say(&format!("seed {}", args.flags.run.seed));
    let records = measure::measure(args, &definition, baseline.as_ref())?;
    let tiers = args.tiers();
    let mut document = report::judge(report::Run {
        facts: measure::facts(args, started),
        configuration: definition.configurations(),
        keys: definition.key_sets(),
        records: &records,
        baseline: baseline.as_ref(),
        tiers: &tiers,
        is_narrowed: !args.filters.is_empty(),
        no_times: args.no_times(),
        tolerance: args.tolerance(),
    });
    let rejected = match args.accept {
        true => report::unacceptable(&document),
        false => Vec::new(),
    };
    if args.accept && rejected.is_empty() {
        // First, so that no report says so of a baseline that could not be written.
        document = baseline::accept(args, document, baseline.as_ref())?;
    }
    rows.write(&records.fpr)?;
    rows.write(&records.battery)?;
    rows.write(&records.times)?;
    rows.finish()?;
    report::write_report(&document, folder.path())?;
    folder.commit()?;
    let format = args.flags.run.format;
    print(&match format {
        Format::Table => report::table(&document, screen()),
        Format::Json => report::json(&document)?,
        Format::Csv => report::csv(&document)?,
        Format::Md => report::markdown(&document),
    })?;
    say(&format!("the report is in {}", args.out().display()));
    if let Some(first) = rejected.first() {
        let all = rejected.len();
        tell_error(&anyhow!("no baseline was written: {first} ({all} in all)"));
        return Ok(NEGATIVE);
    }
    Ok(document.verdict.standing.exit_code(args.flags.strict))
}
