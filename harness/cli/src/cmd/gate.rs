//! `bouquet gate`: is everything as it was?

mod baseline;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Result, bail};

use super::{Format, NEGATIVE, colour, print, tell};
use crate::study::{self, Study};
use bouquet_ground::machine;
use bouquet_ground::record::{GateDocument, GateRecords, Tier};
use bouquet_ground::staging::catch_interrupts;
use bouquet_lab::experiment::Profile;
use bouquet_lab::gate::{self, Definition, Sampling, Suspect, Timing};
use bouquet_render::gate::{self as report, Run, Tolerance};
use bouquet_theory as theory;

const HELP: &str = "\
Measures the filters of a definition and compares them with a baseline, in three tiers:
  exact        bytes, answers, locations, memory, no false negative: equal or not
  statistical  under a fixed seed: FPR against theory and the baseline, a battery on locations
  time         each operation on keys of the program's own, at most 100,000, as a ratio to a filter
               that is in the program alone, in turn; slower than tolerated fails if it is seen again
               when measured anew. If the reference beside itself does not come out equal, or in a
               debug build, the tier is inconclusive

A filter whose keys are more than its capacity fails, unless it grows; no baseline excuses it. Each
filter is filled and asked by single calls and in batches, and must be one filter with one answer.

The report in --out is written also when the gate fails: gate.json (schema: docs/gate.schema.json),
summary.md, comment.md, junit.xml, benchmark.json and the raw rows.

A definition says which filters, of what size, on which keys; files are named from where it is:
  fpr = 0.01
  keys = \"urls\"
  [key_sets]
  urls = \"urls.txt\"
  [[filter]]
  filter = \"blocked\"
  capacity = 1_000_000

Exit code: 0 good; 1 something failed, or a control was not found; 2 wrong usage or input, or no
baseline; 3 inconclusive, with --strict.

Examples:
  bouquet gate --quick
  bouquet gate --tiers exact,statistical --strict
  bouquet gate --define bouquet.toml --baseline bouquet-baseline
  bouquet gate --accept --reason \"blocks of 512 bits\"";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP)]
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
    /// Less of all that is sampled or timed: some seconds, for every change.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// More of all that is sampled or timed.
    #[arg(long)]
    full: bool,
    /// Next to no times, of whatever build: for tests of all but the speed.
    #[arg(long, hide = true)]
    tiny: bool,
    /// Of the tiers statistical and time; the exact one has its own.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    seed: u64,
    /// Threads that measure all but times; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<usize>)]
    jobs: Option<usize>,
    /// The folder of the report.
    #[arg(long, default_value = "reports/latest-gate", value_name = "DIR")]
    out: PathBuf,
    /// Nothing on standard error but errors.
    #[arg(long)]
    quiet: bool,
    /// How the verdict goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long)]
    strict: bool,
}

impl Args {
    fn say(&self, text: &str) {
        study::say(self.quiet, text);
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

    /// Why there can be no times.
    fn no_times(&self) -> Option<&'static str> {
        (cfg!(debug_assertions) && !self.tiny).then_some(
            "Not measured: this is a debug build, whose times say nothing (cargo run --release, \
             cargo install).",
        )
    }
}

pub fn run(args: &Args) -> Result<u8> {
    let started = Instant::now();
    check(args)?;
    catch_interrupts()?;
    let mut definition = match &args.define {
        Some(path) => Definition::read(path)?,
        None => Definition::shipped()?,
    };
    definition.narrow(&args.filters)?;
    let baseline = baseline::read(args)?;
    if args.accept {
        // Whoever cannot write there hears of it before anything is measured, too.
        drop(baseline::begin(args)?);
    }
    // Begun first: whoever mistypes --out hears of it before anything is measured.
    let study = Study::begin(&args.out)?;
    args.say(&format!("seed {}", args.seed));
    let records = measure(args, &definition, baseline.as_ref())?;
    let tiers = args.tiers();
    let mut document = report::judge(Run {
        facts: facts(args, started),
        configuration: definition.configurations(),
        keys: definition.key_sets(),
        records: &records,
        baseline: baseline.as_ref(),
        tiers: &tiers,
        is_narrowed: !args.filters.is_empty(),
        no_times: args.no_times(),
        tolerance: args.tolerance(),
    });
    let refused = if args.accept {
        // First, so that no report says so of a baseline that could not be written.
        baseline::accept(args, &mut document, baseline.as_ref())?
    } else {
        Vec::new()
    };
    study.write(&records.loads)?;
    study.write(&records.exact)?;
    study.write(&records.fpr)?;
    study.write(&records.battery)?;
    study.write(&records.times)?;
    report::write_report(&document, study.path())?;
    study.commit()?;
    print(&match args.format {
        Format::Table => report::table(&document, colour()),
        Format::Json => document.text()?,
        Format::Csv => report::csv(&document)?,
        Format::Md => report::markdown(&document),
    })?;
    args.say(&format!("the report is in {}", args.out.display()));
    if !refused.is_empty() {
        let refused = refused.join("; ");
        tell(&format!("bouquet: no baseline was written: {refused}"));
        return Ok(NEGATIVE);
    }
    if args.accept {
        return Ok(0);
    }
    let standing = document.verdict.standing;
    Ok(standing.map_or(0, |outcome| outcome.exit_code(args.strict)))
}

fn check(args: &Args) -> Result<()> {
    for (flag, tolerance) in [
        ("--tolerance", args.tolerance),
        ("--tolerance-elsewhere", args.tolerance_elsewhere),
    ] {
        if !(tolerance > 1.0 && tolerance.is_finite()) {
            bail!("{flag} {tolerance}: give a factor above 1, such as 1.3");
        }
    }
    if place(&args.out) == place(&args.baseline) {
        bail!(
            "--out and --baseline are both {}: the report would take the place of the baseline",
            args.out.display()
        );
    }
    if args
        .reason
        .as_ref()
        .is_some_and(|reason| reason.trim().is_empty())
    {
        bail!("--reason: say why the figures may be what they are");
    }
    Ok(())
}

/// Where a folder is or will be, however it is written.
fn place(path: &Path) -> PathBuf {
    let whole = fs::canonicalize(path);
    whole.unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if parent.as_os_str().is_empty() => {
            place(Path::new(".")).join(name)
        }
        (Some(parent), Some(name)) => place(parent).join(name),
        _ => path.to_path_buf(),
    })
}

fn measure(
    args: &Args,
    definition: &Definition,
    baseline: Option<&GateDocument>,
) -> Result<GateRecords> {
    let profile = Profile::chosen(args.quick, args.full);
    let tiers = args.tiers();
    let mut records = GateRecords::default();
    if tiers.contains(&Tier::Exact) || tiers.contains(&Tier::Statistical) {
        records.loads = gate::loads(definition);
    }
    if tiers.contains(&Tier::Exact) {
        records.exact = gate::exact(definition)?;
    }
    if tiers.contains(&Tier::Statistical) {
        let jobs = study::threads(args.jobs);
        let effort = Sampling::at(profile);
        gate::statistical(definition, effort, args.seed, jobs, &mut records)?;
    }
    if tiers.contains(&Tier::Time) && args.no_times().is_none() {
        let effort = if args.tiny {
            Timing::tiny()
        } else {
            Timing::at(profile)
        };
        records.times = gate::times(definition, effort, args.seed, None)?;
        confirm(args, definition, effort, baseline, &mut records)?;
    }
    Ok(records)
}

/// What is too slow at first sight is measured again before it fails.
fn confirm(
    args: &Args,
    definition: &Definition,
    effort: Timing,
    baseline: Option<&GateDocument>,
    records: &mut GateRecords,
) -> Result<()> {
    let Some(baseline) = baseline else {
        return Ok(());
    };
    let suspects: Vec<Suspect> =
        report::suspects(records, baseline, &times_cpu(), args.tolerance())
            .into_iter()
            .map(|(subject, operation)| Suspect { subject, operation })
            .collect();
    if suspects.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = suspects
        .iter()
        .map(|s| format!("{} {}", s.subject, s.operation))
        .collect();
    args.say(&format!("slower, measured again: {}", names.join(", ")));
    records
        .times
        .extend(gate::times(definition, effort, args.seed, Some(&suspects))?);
    Ok(())
}

/// What tells one machine's times from another's.
fn times_cpu() -> String {
    let facts = [machine::facts(), machine::memory()].concat();
    let of = |name: &str| {
        let fact = facts.iter().find(|(known, _)| *known == name);
        fact.map_or(String::new(), |(_, value)| value.clone())
    };
    let caches = ["cache_l1d", "cache_l2", "cache_l3"].map(of).join(" ");
    format!(
        "{} ({} cores, {}, caches of {caches} bytes)",
        of("cpu"),
        of("cores"),
        of("architecture")
    )
}

fn facts(args: &Args, started: Instant) -> BTreeMap<String, String> {
    let profile = Profile::chosen(args.quick, args.full);
    let rows = study::facts(Some(profile.name()), args.seed, started);
    let mut facts: BTreeMap<String, String> = rows
        .into_iter()
        .filter(|row| row.name != "schema_version")
        .map(|row| (row.name, row.value))
        .collect();
    for tier in args.tiers() {
        let of_tier = match tier {
            Tier::Exact => &["revision"][..],
            Tier::Time if args.no_times().is_some() => &[],
            Tier::Statistical | Tier::Time => &["revision", "seed", "profile"],
        };
        for name in of_tier {
            let value = facts.get(*name).cloned().unwrap_or_default();
            facts.insert(tier.fact(name), value);
        }
        if tier == Tier::Time && args.no_times().is_none() {
            facts.insert(tier.fact("cpu"), times_cpu());
        }
    }
    facts
}
