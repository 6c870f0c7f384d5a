//! `bouquet gate`: compares filters with a baseline.

mod ci;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Component, Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::flags::VerdictArgs;
use crate::output::{Format, NEGATIVE, print, say, screen, tell_error};
use bouquet_catalogue::theory;
use bouquet_measure::gate::{self, Definition, Sampling, Timing};
use bouquet_record::{
    GATE_FILE, GateDocument, GateRecords, Tier, Writer,
    folder::{NewFolder, catch_interrupts, write},
    machine,
};
use bouquet_report::gate::{
    self as report,
    history::{self, Entry, History},
};

const HELP: &str = "\
Three tiers:
  exact        bytes, answers, locations and memory equal; no false negatives
  statistical  FPR against theory and the baseline, tests of locations
  time         each operation as a ratio to a reference filter, interleaved; what
               is slower fails if it is slower again in a second measurement.
               Inconclusive on a busy machine and in a debug build
The report is written even if the gate fails: gate.json, summary.md, comment.md,
junit.xml, benchmark.json; with --history, history.html. docs/CI.md shows how to
use them, and a definition. On GitHub Actions, the filters that failed are marked
in the definition.

Exit code: 0 good; 1 something failed, or a control was not found; 2 wrong usage
or input, or no baseline; 3 inconclusive, with --strict.

  bouquet gate --tiers exact,statistical --strict
  bouquet gate --accept --reason \"blocks of 512 bits\"";

#[derive(clap::Args, Clone, Debug)]
#[command(after_help = HELP, mut_arg("out", |out| out.default_value("reports/latest-gate")))]
pub struct Args {
    /// The filters to guard, in TOML; if not given, all of Bouquet's.
    #[arg(long, value_name = "FILE")]
    define: Option<PathBuf>,
    /// The folder of the baseline.
    #[arg(long, default_value = "reports/baseline", value_name = "DIR")]
    baseline: PathBuf,
    /// Only these tiers: exact, statistical, time.
    #[arg(long, value_delimiter = ',', value_name = "TIER,…")]
    #[arg(hide_possible_values = true)]
    tiers: Vec<Tier>,
    /// Only these filters of the definition.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Make this run the baseline; needs --reason.
    #[arg(long, requires = "reason", conflicts_with = "filters")]
    accept: bool,
    /// Why the figures are accepted.
    #[arg(long, requires = "accept", value_name = "TEXT")]
    reason: Option<String>,
    /// The factor of time above which an operation fails. [default: 1.3, or 2 on another machine
    /// than the baseline's]
    #[arg(long, value_name = "FACTOR", value_parser = theory::real)]
    tolerance: Option<f64>,
    /// Append this run's figures to a file, as a line of JSON, and draw the file in history.html.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    #[command(flatten)]
    pub flags: VerdictArgs,
    /// Measure almost no times, with any build, for tests.
    #[arg(long, hide = true)]
    tiny: bool,
}

impl Args {
    /// Why times cannot be measured; `None` if they can.
    fn no_times(&self) -> Option<&'static str> {
        (cfg!(debug_assertions) && !self.tiny).then_some(
            "Not measured: the times of a debug build are meaningless (use cargo run --release or \
             cargo install).",
        )
    }

    fn out(&self) -> &Path {
        self.flags.run.out.as_deref().unwrap_or(Path::new(""))
    }

    fn tiers(&self) -> Vec<Tier> {
        let asked = |tier: &Tier| self.tiers.is_empty() || self.tiers.contains(tier);
        Tier::ALL.into_iter().filter(asked).collect()
    }
}

pub fn run(args: &Args) -> Result<u8> {
    let started = Instant::now();
    check(args)?;
    catch_interrupts()?;
    let definition = args.define.as_deref().map(Definition::read);
    let mut definition = definition.unwrap_or_else(Definition::shipped)?;
    definition.narrow(&args.filters)?;
    let baseline = read_baseline(args)?;
    let history = args.history.as_deref().map(History::open).transpose()?;
    // The output folders are created before anything is measured, to report mistakes early.
    if args.accept {
        drop(begin_baseline(args)?);
    }
    let folder = NewFolder::begin(args.out())?;
    let mut rows = Writer::new(folder.path());
    say(&format!("seed {}", args.flags.run.seed));
    let records = measure(args, &definition, baseline.as_ref())?;
    let tiers = args.tiers();
    let file = args.define.as_deref().and_then(Path::file_name);
    let file = file.map_or("the definition".into(), |name| name.to_string_lossy());
    let mut document = report::judge(report::Run {
        facts: facts(args, started),
        definition: &file,
        configuration: definition.configurations(),
        keys: definition.key_sets(),
        records: &records,
        baseline: baseline.as_ref(),
        tiers: &tiers,
        is_narrowed: !args.filters.is_empty(),
        no_times: args.no_times(),
        tolerance: args.tolerance,
    });
    // Made now, because `accept` adds the figures of other runs.
    let entry = history
        .as_ref()
        .map(|_| Entry::of(&document, ci::project_revision(&document), times_cpu()));
    let mut rejected = report::unacceptable(&document);
    rejected.retain(|_| args.accept);
    if args.accept && rejected.is_empty() {
        // The baseline is written before the report, so that no report wrongly claims acceptance.
        document = accept(args, document, baseline.as_ref())?;
    }
    rows.write(&records.fpr)?;
    rows.write(&records.battery)?;
    rows.write(&records.times)?;
    rows.finish()?;
    report::write_report(&document, folder.path())?;
    if let Some((history, mut entry)) = history.zip(entry) {
        entry.verdict = document.verdict.standing;
        let entries = history.append(entry)?;
        let page = history::page(&document.verdict, &entries);
        write(&folder.path().join("history.html"), &page)?;
    }
    folder.commit()?;
    print(&match args.flags.run.format {
        Format::Table => report::table(&document, screen()),
        Format::Json => report::json(&document)?,
        Format::Csv => report::csv(&document)?,
        Format::Md => report::markdown(&document),
    })?;
    say(&format!("the report is in {}", args.out().display()));
    ci::annotate(args.define.as_deref(), &definition, &document);
    if let Some(first) = rejected.first() {
        let all = rejected.len();
        tell_error(&anyhow!("no baseline was written: {first} ({all} in all)"));
        return Ok(NEGATIVE);
    }
    Ok(document.verdict.standing.exit_code(args.flags.strict))
}

/// Rejects wrong or contradictory flags before anything is measured.
fn check(args: &Args) -> Result<()> {
    if let Some(factor @ (..=1.0 | f64::INFINITY)) = args.tolerance {
        bail!("--tolerance {factor}: give a factor above 1, such as 1.3");
    }
    // Each of the two folders is replaced as a whole, so neither may contain the other.
    let (out, baseline) = (args.out(), &*args.baseline);
    let [out_at, baseline_at] = [out, baseline].map(place);
    ensure!(
        !out_at.starts_with(&baseline_at) && !baseline_at.starts_with(&out_at),
        "--out {} and --baseline {} overlap, but each replaces its whole folder: name another folder \
         for one of them",
        out.display(),
        baseline.display()
    );
    if let Some(history) = args.history.as_deref() {
        let at = place(history);
        ensure!(
            !at.starts_with(&out_at) && !at.starts_with(&baseline_at),
            "--history {} is in a folder that this run replaces: put it elsewhere",
            history.display()
        );
    }
    let reason = args.reason.as_deref().unwrap_or("none");
    if reason.trim().is_empty() {
        bail!("--reason is empty: say why the figures are accepted");
    }
    Ok(())
}

/// The absolute path of a folder, whether or not it exists.
fn place(path: &Path) -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    path.components().fold(here, |mut at, part| {
        match part {
            Component::ParentDir => _ = at.pop(),
            part => at.push(part),
        }
        fs::canonicalize(&at).unwrap_or(at)
    })
}

/// Reads the baseline. It may be missing or have an older format version only with `--accept`.
fn read_baseline(args: &Args) -> Result<Option<GateDocument>> {
    let folder = args.baseline.display();
    if !args.baseline.join(GATE_FILE).exists() {
        ensure!(
            args.accept,
            "no baseline in {folder}; the first is made by: bouquet gate --accept --reason \"…\""
        );
        return Ok(None);
    }
    let read = GateDocument::read(&args.baseline);
    let mut read =
        read.with_context(|| format!("the baseline cannot be used; {}", way_out(args)))?;
    if !args.accept {
        read = Some(GateDocument::current(read, &args.baseline)?);
    }
    if read.as_ref().is_some_and(|read| read.acceptance.is_none()) {
        bail!("{folder} has the report of a run that was not accepted: move it away");
    }
    Ok(read)
}

/// Creates the folder that is to become the baseline.
fn begin_baseline(args: &Args) -> Result<NewFolder> {
    NewFolder::begin(&args.baseline).with_context(|| format!("--baseline; {}", way_out(args)))
}

/// Advice for a baseline that was changed after it was written, for example by a merge.
fn way_out(args: &Args) -> String {
    let folder = args.baseline.display();
    format!("restore {folder} whole (git checkout), or move it away and accept again")
}

fn accept(args: &Args, run: GateDocument, old: Option<&GateDocument>) -> Result<GateDocument> {
    let reason = args.reason.as_deref().unwrap_or_default();
    if args.tiers().contains(&Tier::Time) && !report::has_figures(&run, Tier::Time) {
        say("this build or this machine cannot measure times: the old baseline's are kept");
    }
    let accepted = report::accept(run, old, reason);
    let folder = begin_baseline(args)?;
    write(&folder.path().join(GATE_FILE), &accepted.text()?)?;
    folder.commit()?;
    say(&format!("the baseline is in {}", args.baseline.display()));
    Ok(accepted)
}

fn measure(
    args: &Args,
    definition: &Definition,
    baseline: Option<&GateDocument>,
) -> Result<GateRecords> {
    let (profile, seed) = (args.flags.effort.profile(), args.flags.run.seed);
    let tiers = args.tiers();
    let mut records = GateRecords::default();
    if tiers.contains(&Tier::Exact) {
        gate::check_room(definition)?;
    }
    if tiers.iter().any(|tier| *tier != Tier::Time) {
        records.rows = gate::loads(definition);
    }
    if tiers.contains(&Tier::Exact) {
        records.rows.extend(gate::exact(definition));
    }
    if tiers.contains(&Tier::Statistical) {
        let jobs = args.flags.jobs();
        gate::statistical(definition, Sampling::at(profile), seed, jobs, &mut records)?;
    }
    if tiers.contains(&Tier::Time) && args.no_times().is_none() {
        let effort = if args.tiny {
            Timing::tiny()
        } else {
            Timing::at(profile)
        };
        records.times = gate::times(definition, effort, seed, None);
        // An operation that seems too slow is measured again before it fails.
        let suspects = baseline.map_or(Vec::new(), |baseline| {
            report::suspects(&records, baseline, &times_cpu(), args.tolerance)
        });
        if !suspects.is_empty() {
            let names = suspects.iter().map(|(of, what)| format!("{of} {what}"));
            let names: Vec<_> = names.collect();
            say(&format!("slower, measured again: {}", names.join(", ")));
            let again = gate::times(definition, effort, seed, Some(&suspects));
            records.times.extend(again);
        }
    }
    Ok(records)
}

/// The properties of this machine that times depend on: processor, cores, architecture and caches.
fn times_cpu() -> String {
    let facts = [machine::facts(), machine::memory()].concat();
    let of = |name: &str| {
        let fact = facts.iter().find(|(known, _)| *known == name);
        fact.map_or("", |(_, value)| value)
    };
    let caches = ["cache_l1d", "cache_l2", "cache_l3"].map(of).join(" ");
    let [cpu, cores, architecture] = ["cpu", "cores", "architecture"].map(of);
    format!("{cpu} ({cores} cores, {architecture}, caches of {caches} bytes)")
}

fn facts(args: &Args, started: Instant) -> BTreeMap<String, String> {
    let profile = args.flags.effort.profile();
    let mut rows = machine::of_run(Some(profile.name()), args.flags.run.seed, started);
    rows.retain(|(name, _)| *name != "schema_version");
    let rows = rows.into_iter().map(|(name, value)| (name.into(), value));
    let mut facts: BTreeMap<String, String> = rows.collect();
    let mut tiers = args.tiers();
    tiers.retain(|tier| *tier != Tier::Time || args.no_times().is_none());
    for tier in tiers {
        let names = ["revision", "seed", "profile"];
        for name in &names[..if tier == Tier::Exact { 1 } else { 3 }] {
            let value = facts.get(*name).cloned().unwrap_or_default();
            facts.insert(tier.fact(name), value);
        }
        if tier == Tier::Time {
            facts.insert(tier.fact("cpu"), times_cpu());
        }
    }
    facts
}
