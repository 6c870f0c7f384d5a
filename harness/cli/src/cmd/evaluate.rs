//! `bouquet evaluate`: measure, record, report.

use std::{path::PathBuf, sync::Arc, time::Instant};

use anyhow::{Result, bail};

use super::{Format, colour, report::results};
use crate::study::{self, Flags, Report, Study, keys};
use bouquet_ground::parallel;
use bouquet_ground::record::{
    BatteryRow, ChurnRow, ExperimentRow, FprRow, HistogramRow, LocationSetsRow, MemoryRow,
    PhaseRow, Records, WaysRow,
};
use bouquet_ground::staging::catch_interrupts;
use bouquet_lab::experiment::{Experiment, Profile};
use bouquet_lab::measure::{Cell, Rows};
use bouquet_lab::plan::{Catalogue, Narrow, Planner};
use bouquet_lab::workload::KeySet;
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

pub fn run(args: &Args) -> Result<u8> {
    let experiments = choose_experiments(args)?;
    let datasets: Vec<String> = experiments
        .iter()
        .flat_map(|e| e.datasets.clone())
        .collect();
    let sets = choose_sets(args, &datasets)?;
    carry_out(args, &experiments, &sets, results)
}

/// Measures what the experiments say on these key sets, narrowed by the flags, writes the report
/// and shows the results as `show` puts them.
pub(super) fn carry_out(
    args: &Args,
    experiments: &[Experiment],
    sets: &[Arc<KeySet>],
    report: Report,
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

    let study = Study::begin(&args.out)?;
    let words = format!("seed {}, {} cells to measure", args.seed, cells.len());
    study::say(args.quiet, &words);
    study.write(&experiment_rows(experiments))?;
    study.write(&sets.iter().map(|set| set.row()).collect::<Vec<_>>())?;
    let taking_part = |name: &str| cells.iter().any(|cell| cell.subject() == name);
    study.write(&catalogue.subjects(taking_part))?;
    measure_into(args, &cells, &study)?;
    #[cfg(feature = "peers")]
    if has_scoreboard(args) {
        let how = (args.jobs, args.quiet);
        super::peers::join(&study, &args.filters, sets, args.seed, how)?;
    }
    study.write_facts(study::facts(Some(profile(args).name()), args.seed, started))?;
    let flags = Flags {
        out: &args.out,
        seed: args.seed,
        quiet: args.quiet,
        format: args.format,
        strict: args.strict,
    };
    study.finish(&flags, report)
}

/// The results for standard output.
pub(super) fn table(records: &Records, format: Format) -> Result<String> {
    match format {
        Format::Table => Ok(render::summary(records, colour()).1),
        Format::Json => render::glance(records).json(),
        Format::Csv => render::glance(records).csv(),
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
    keys::Asked {
        datasets: &args.datasets,
        keys: args.keys.as_deref(),
        nul: args.nul,
        quiet: args.quiet,
    }
    .load(datasets.iter().map(String::as_str))
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
            set.name() == keys::OWN || named(asked) || named(&experiment.datasets)
        };
        let sets: Vec<_> = sets.iter().filter(own).cloned().collect();
        cells.extend(planner.cells(experiment, &sets)?);
    }
    Ok(cells)
}

/// Measures, and writes each row as it comes.
fn measure_into(args: &Args, cells: &[Cell], study: &Study) -> Result<()> {
    let mut battery = study.rows::<BatteryRow>()?;
    let mut fpr = study.rows::<FprRow>()?;
    let mut memory = study.rows::<MemoryRow>()?;
    let mut churn = study.rows::<ChurnRow>()?;
    let mut phases = study.rows::<PhaseRow>()?;
    let mut location_sets = study.rows::<LocationSetsRow>()?;
    let mut histograms = study.rows::<HistogramRow>()?;
    let mut ways = study.rows::<WaysRow>()?;
    let bar = study::progress(args.quiet, cells.len() as u64)?;
    parallel::in_order(cells, study::threads(args.jobs), Cell::measure, |rows| {
        bar.inc(1);
        match rows {
            Rows::Locations(rows, histogram) => {
                histogram.iter().try_for_each(|row| histograms.write(row))?;
                rows.iter().try_for_each(|row| battery.write(row))
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
    battery.finish()?;
    fpr.finish()?;
    memory.finish()?;
    churn.finish()?;
    phases.finish()?;
    location_sets.finish()?;
    histograms.finish()?;
    ways.finish()
}

fn experiment_rows(experiments: &[Experiment]) -> Vec<ExperimentRow> {
    let row = |e: &Experiment| study::experiment(&e.name, e.kind().name(), &e.title, &e.analysis);
    experiments.iter().map(row).collect()
}
