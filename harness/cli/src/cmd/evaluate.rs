//! `bouquet evaluate`: measure, record, report.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Format, colour, exit_code, print, tell};
use bouquet_ground::machine;
use bouquet_ground::record::{
    ChurnRow, DatasetRow, ExperimentRow, FprRow, HistogramRow, LocationSetsRow, MemoryRow,
    PhaseRow, Records, Row, RowWriter, RunRow, SCHEMA_VERSION, UniformityRow, WaysRow, write_run,
};
use bouquet_ground::staging::{Staging, catch_interrupts};
use bouquet_lab::experiment::{Experiment, Profile};
use bouquet_lab::measure::{Cell, Rows};
use bouquet_lab::plan::{Catalogue, Narrow, Planner, measure};
use bouquet_lab::workload::{KeySet, Manifest};
use bouquet_render as render;
use bouquet_theory as theory;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Only these filters.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    pub(super) filters: Vec<String>,
    /// Only these location schemes.
    #[arg(long, alias = "scheme", value_delimiter = ',', value_name = "NAME,…")]
    pub(super) schemes: Vec<String>,
    /// Only these key sets.
    #[arg(long, alias = "dataset", value_delimiter = ',', value_name = "NAME,…")]
    pub(super) datasets: Vec<String>,
    /// Only these experiments.
    #[arg(
        long,
        alias = "experiment",
        value_delimiter = ',',
        value_name = "NAME,…"
    )]
    pub(super) experiments: Vec<String>,
    /// An experiment of your own, in place of those that come along.
    #[arg(long, value_name = "FILE.toml", conflicts_with = "experiments")]
    pub(super) define: Vec<PathBuf>,
    /// Your own keys, one a line, beside the key sets; alone with `--datasets keys`.
    #[arg(long, value_name = "FILE")]
    pub(super) keys: Option<PathBuf>,
    /// In the file of keys a NUL byte ends a key, not a line feed.
    #[arg(short = '0', requires = "keys")]
    pub(super) nul: bool,
    /// Under 20 seconds, for a first look.
    #[arg(long, conflicts_with = "full")]
    pub(super) quick: bool,
    /// More hits and points, for figures that are to be quoted.
    #[arg(long)]
    pub(super) full: bool,
    /// Where all randomness comes from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    pub(super) seed: u64,
    /// Threads that measure; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<usize>)]
    pub(super) jobs: Option<usize>,
    /// The folder of the report.
    #[arg(long, default_value = "reports/latest", value_name = "DIR")]
    pub(super) out: PathBuf,
    /// Nothing on standard error but errors.
    #[arg(long)]
    pub(super) quiet: bool,
    /// How the table of results goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    pub(super) format: Format,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long)]
    pub(super) strict: bool,
}

/// The name under which `--keys FILE` goes.
const OWN_KEYS: &str = "keys";

pub fn run(args: &Args) -> Result<u8> {
    let experiments = choose_experiments(args)?;
    let datasets: Vec<String> = experiments
        .iter()
        .flat_map(|e| e.datasets.clone())
        .collect();
    let sets = choose_sets(args, &datasets)?;
    carry_out(args, &experiments, &sets, table)
}

/// Measures what the experiments say on these key sets, narrowed by the flags, writes the report
/// and shows the results as `show` puts them.
pub(super) fn carry_out(
    args: &Args,
    experiments: &[Experiment],
    sets: &[Arc<KeySet>],
    show: fn(&Records, Format) -> Result<String>,
) -> Result<u8> {
    let started = Instant::now();
    catch_interrupts()?;
    let catalogue = Catalogue::new();
    let narrow = Narrow {
        filters: args.filters.clone(),
        schemes: args.schemes.clone(),
    };
    catalogue.check(&narrow)?;
    let planner = Planner {
        catalogue: &catalogue,
        narrow: &narrow,
        profile: profile(args),
        seed: args.seed,
    };
    let cells = plan(&planner, experiments, sets, &args.datasets)?;
    if cells.is_empty() {
        bail!("nothing to measure: no chosen experiment has the chosen filters and schemes");
    }

    let staging = Staging::begin(&args.out)?;
    let folder = staging.path().join("records");
    fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    say(
        args,
        &format!("seed {}, {} cells to measure", args.seed, cells.len()),
    );
    write_rows(&folder, &experiment_rows(experiments))?;
    write_rows(
        &folder,
        &sets
            .iter()
            .map(|set| set.row())
            .collect::<Vec<DatasetRow>>(),
    )?;
    let taking_part = |name: &str| cells.iter().any(|cell| cell.subject() == name);
    write_rows(&folder, &catalogue.subjects(taking_part))?;
    measure_into(args, &cells, &folder)?;
    #[cfg(feature = "peers")]
    if has_scoreboard(args) {
        let how = (args.jobs, args.quiet);
        super::peers::join(&folder, &args.filters, sets, args.seed, how)?;
    }
    write_run(&folder, run_rows(profile(args), args.seed, started))?;

    let records = Records::read(&folder)?;
    let verdict = render::write_report(&records, staging.path())?;
    let summary = show(&records, args.format)?;
    staging.commit()?;
    print(&summary)?;
    say(
        args,
        &format!(
            "seed {}; the report is in {}",
            args.seed,
            args.out.display()
        ),
    );
    Ok(exit_code(&verdict, args.strict))
}

/// The results for standard output.
pub(super) fn table(records: &Records, format: Format) -> Result<String> {
    match format {
        Format::Table => Ok(render::summary(records, colour()).1),
        Format::Json => render::glance_json(records),
        Format::Csv => render::glance_csv(records),
        Format::Md => Ok(render::headline_table(records)),
    }
}

/// The scoreboard belongs to the full run, unless that was narrowed to what has
/// no part in it.
#[cfg(feature = "peers")]
fn has_scoreboard(args: &Args) -> bool {
    let of_schemes_alone = args.filters.is_empty() && !args.schemes.is_empty();
    args.full && args.define.is_empty() && args.experiments.is_empty() && !of_schemes_alone
}

fn profile(args: &Args) -> Profile {
    Profile::chosen(args.quick, args.full)
}

pub(super) fn say(args: &Args, text: &str) {
    if !args.quiet {
        tell(text);
    }
}

fn choose_experiments(args: &Args) -> Result<Vec<Experiment>> {
    if !args.define.is_empty() {
        let own = args.define.iter().map(|path| Experiment::read(path));
        let own: Vec<_> = own.collect::<Result<_>>()?;
        for (i, experiment) in own.iter().enumerate() {
            if own[..i].iter().any(|other| other.name == experiment.name) {
                bail!(
                    "two experiments are called {:?}: rename one",
                    experiment.name
                );
            }
        }
        return Ok(own);
    }
    let shipped = Experiment::shipped()?;
    if let Some(name) = args
        .experiments
        .iter()
        .find(|n| !shipped.iter().any(|e| &e.name == *n))
    {
        let known: Vec<_> = shipped.iter().map(|e| e.name.as_str()).collect();
        bail!(
            "no experiment is called {name:?}; there are {}",
            known.join(", ")
        );
    }
    let wanted = |e: &Experiment| args.experiments.is_empty() || args.experiments.contains(&e.name);
    Ok(shipped.into_iter().filter(wanted).collect())
}

/// Loads the key sets of these names, narrowed, and the user's own.
pub(super) fn choose_sets(args: &Args, datasets: &[String]) -> Result<Vec<Arc<KeySet>>> {
    let mut sets = Vec::new();
    let own_wanted = args.datasets.iter().any(|name| name == OWN_KEYS);
    match &args.keys {
        Some(path) => {
            let end = if args.nul { 0 } else { b'\n' };
            let (set, warning) = KeySet::read_file(OWN_KEYS, path, end)?;
            if let Some(warning) = warning {
                say(args, &format!("warning: {warning}"));
            }
            sets.push(Arc::new(set));
        }
        None if own_wanted => {
            bail!("--datasets {OWN_KEYS} means your own keys: give them with --keys FILE")
        }
        None => {}
    }
    let others: Vec<_> = args
        .datasets
        .iter()
        .filter(|name| *name != OWN_KEYS)
        .collect();
    if own_wanted && others.is_empty() {
        return Ok(sets);
    }
    let manifest = Manifest::find()?;
    for name in others {
        manifest.check_name(name)?;
    }
    let mut seen = Vec::new();
    // A set that is asked for by name is used, whether or not a definition has it.
    for name in datasets.iter().chain(&args.datasets) {
        let wanted = args.datasets.is_empty() || args.datasets.contains(name);
        if wanted && name != OWN_KEYS && !seen.contains(&name) {
            seen.push(name);
            sets.push(Arc::new(manifest.load(name)?));
        }
    }
    Ok(sets)
}

fn plan(
    planner: &Planner<'_>,
    experiments: &[Experiment],
    sets: &[Arc<KeySet>],
    asked: &[String],
) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for experiment in experiments {
        let own = |set: &&Arc<KeySet>| {
            let named = |names: &[String]| names.iter().any(|name| name == set.name());
            set.name() == OWN_KEYS || named(asked) || named(&experiment.datasets)
        };
        let sets: Vec<_> = sets.iter().filter(own).cloned().collect();
        cells.extend(planner.cells(experiment, &sets)?);
    }
    Ok(cells)
}

/// Measures, and writes each row as it comes.
fn measure_into(args: &Args, cells: &[Cell], folder: &Path) -> Result<()> {
    let mut uniformity = RowWriter::<UniformityRow>::create(folder)?;
    let mut fpr = RowWriter::<FprRow>::create(folder)?;
    let mut memory = RowWriter::<MemoryRow>::create(folder)?;
    let mut churn = RowWriter::<ChurnRow>::create(folder)?;
    let mut phases = RowWriter::<PhaseRow>::create(folder)?;
    let mut location_sets = RowWriter::<LocationSetsRow>::create(folder)?;
    let mut histograms = RowWriter::<HistogramRow>::create(folder)?;
    let mut ways = RowWriter::<WaysRow>::create(folder)?;
    let bar = progress(args.quiet, cells.len() as u64)?;
    let jobs = args
        .jobs
        .or(std::thread::available_parallelism().ok().map(usize::from));
    measure(cells, jobs.unwrap_or(1), |rows| {
        bar.inc(1);
        match rows {
            Rows::Uniformity(rows, histogram) => {
                histogram.iter().try_for_each(|row| histograms.write(row))?;
                rows.iter().try_for_each(|row| uniformity.write(row))
            }
            Rows::Fpr(row) => fpr.write(&row),
            Rows::Memory(row) => memory.write(&row),
            Rows::Churn(rows) => rows.iter().try_for_each(|row| churn.write(row)),
            Rows::Phases(rows) => rows.iter().try_for_each(|row| phases.write(row)),
            Rows::LocationSets(row) => location_sets.write(&row),
            Rows::Ways(rows) => rows.iter().try_for_each(|row| ways.write(row)),
        }
    })?;
    bar.finish_and_clear();
    uniformity.finish()?;
    fpr.finish()?;
    memory.finish()?;
    churn.finish()?;
    phases.finish()?;
    location_sets.finish()?;
    histograms.finish()?;
    ways.finish()
}

/// A bar on a terminal, nothing elsewhere.
pub(super) fn progress(quiet: bool, cells: u64) -> Result<ProgressBar> {
    let target = if quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} cells, {eta} to go")?;
    Ok(ProgressBar::with_draw_target(Some(cells), target).with_style(style))
}

pub(super) fn write_rows<R: Row>(folder: &Path, rows: &[R]) -> Result<()> {
    let mut writer = RowWriter::<R>::create(folder)?;
    rows.iter().try_for_each(|row| writer.write(row))?;
    writer.finish()
}

fn experiment_rows(experiments: &[Experiment]) -> Vec<ExperimentRow> {
    let row = |e: &Experiment| ExperimentRow {
        experiment: e.name.clone(),
        kind: e.kind().name().into(),
        title: e.title.clone(),
        analysis: e.analysis.trim().into(),
    };
    experiments.iter().map(row).collect()
}

pub(super) fn run_rows(profile: Profile, seed: u64, started: Instant) -> Vec<RunRow> {
    let quoted = |word: String| {
        if word.contains(char::is_whitespace) {
            format!("'{word}'")
        } else {
            word
        }
    };
    let command: Vec<String> = std::env::args().skip(1).map(quoted).collect();
    let mut facts = vec![
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("version", env!("CARGO_PKG_VERSION").to_string()),
        ("revision", machine::revision()),
        (
            "command",
            format!("bouquet {}", command.join(" ")).trim().to_string(),
        ),
        ("profile", profile.name().to_string()),
        ("seed", seed.to_string()),
        (
            "duration_s",
            format!("{:.1}", started.elapsed().as_secs_f64()),
        ),
    ];
    facts.extend(machine::facts());
    facts
        .into_iter()
        .map(|(name, value)| RunRow {
            name: name.into(),
            value,
        })
        .collect()
}
