//! `bouquet uniformity`: the battery T1 to T7.

use std::{fs, path::PathBuf, sync::Arc, time::Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Format, colour, outcome_code, print, tell};
use bouquet_ground::machine;
use bouquet_ground::parallel;
use bouquet_ground::record::{
    BatteryRecords, BatteryRow, DatasetRow, ExperimentRow, Recorded, Row, RowWriter, RunRow,
    SCHEMA_VERSION, Source, write_run,
};
use bouquet_ground::staging::{Staging, catch_interrupts};
use bouquet_lab::battery::{Cell, Expectations, Plan, Subject};
use bouquet_lab::plan::Catalogue;
use bouquet_lab::workload::{KeySet, Manifest};
use bouquet_render::battery::{self as report, Judgement};
use bouquet_theory as theory;

/// The name under which `--keys FILE` goes.
const OWN_KEYS: &str = "keys";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Only these filters, and the controls.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    filters: Vec<String>,
    /// Only these location schemes, and the controls.
    #[arg(long, alias = "scheme", value_delimiter = ',', value_name = "NAME,…")]
    schemes: Vec<String>,
    /// Only these key sets.
    #[arg(long, alias = "dataset", value_delimiter = ',', value_name = "NAME,…")]
    datasets: Vec<String>,
    /// Your own keys, one a line, beside the key sets; alone with `--datasets keys`.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// In the file of keys a NUL byte ends a key, not a line feed.
    #[arg(short = '0', requires = "keys")]
    nul: bool,
    /// Under 20 seconds, for a first look.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// All schemes on all key sets, 8 million keys above 2^30 slots.
    #[arg(long)]
    full: bool,
    /// What each scheme must do, in place of the table that comes along: CSV with
    /// the columns of harness/experiments/battery-expectations.csv.
    #[arg(long, value_name = "FILE.csv")]
    expect: Option<PathBuf>,
    /// Where all randomness comes from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>)]
    seed: u64,
    /// Threads that measure; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = theory::whole::<usize>)]
    jobs: Option<usize>,
    /// The folder of the report.
    #[arg(long, default_value = "reports/latest-uniformity", value_name = "DIR")]
    out: PathBuf,
    /// Nothing on standard error but errors.
    #[arg(long)]
    quiet: bool,
    /// How the table of results goes to standard output.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long)]
    strict: bool,
}

impl Args {
    fn profile(&self) -> &'static str {
        match (self.quick, self.full) {
            (true, _) => "quick",
            (_, true) => "full",
            _ => "default",
        }
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            tell(text);
        }
    }
}

pub fn run(args: &Args) -> Result<u8> {
    let started = Instant::now();
    catch_interrupts()?;
    let plan = Plan::shipped()?;
    let subjects = choose_subjects(args, &plan)?;
    let sets = choose_sets(args, &plan)?;
    let table = match &args.expect {
        Some(path) => {
            let table = Expectations::read(path)?;
            check_names(&table).with_context(|| format!("in {}", path.display()))?;
            table
        }
        None => Expectations::shipped()?,
    };
    let mut asked = args.datasets.clone();
    asked.push(OWN_KEYS.into());
    let cells = plan.cells(args.profile(), &table, &subjects, &sets, &asked, args.seed);
    if !cells.iter().any(Cell::draws) {
        bail!(
            "nothing to measure: of so few keys, or of these schemes on these key sets, \
             the table of expectations claims nothing"
        );
    }
    for name in args.filters.iter().chain(&args.schemes) {
        if !cells.iter().any(|cell| cell.subject.name == *name) {
            bail!(
                "{name} would not be measured: it does not tell its locations, or of this profile, \
                 these key sets and so many keys the table of expectations claims nothing for it"
            );
        }
    }

    let staging = Staging::begin(&args.out)?;
    let folder = staging.path().join("records");
    fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    args.say(&format!(
        "seed {}, {} cells to measure",
        args.seed,
        cells.len()
    ));
    write_rows(
        &folder,
        &sets
            .iter()
            .map(|set| set.row())
            .collect::<Vec<DatasetRow>>(),
    )?;
    write_rows(&folder, &[experiment_row(&plan)])?;
    let taking_part = |name: &str| cells.iter().any(|cell| cell.subject.name == name);
    write_rows(&folder, &Catalogue::new().subjects(taking_part))?;
    measure_into(args, &cells, &folder)?;
    write_run(&folder, run_rows(args, started))?;

    let Recorded::Battery(records) = Source::new(&[folder])?.read()? else {
        bail!("the rows of the battery did not come back");
    };
    let judgement = report::write_report(&records, staging.path())?;
    let summary = results(args.format, &records, &judgement)?;
    staging.commit()?;
    print(&summary)?;
    args.say(&format!(
        "seed {}; the report is in {}",
        args.seed,
        args.out.display()
    ));
    Ok(outcome_code(judgement.outcome, args.strict))
}

/// The results for standard output.
pub(super) fn results(
    format: Format,
    records: &BatteryRecords,
    judgement: &Judgement,
) -> Result<String> {
    match format {
        Format::Table => Ok(report::summary(&records.rows, judgement, colour())),
        Format::Json => report::in_json(judgement),
        Format::Csv => report::in_csv(judgement),
        Format::Md => Ok(report::in_markdown(judgement)),
    }
}

/// Refuses a table that names what there is not: such a line would fit nothing.
fn check_names(table: &Expectations) -> Result<()> {
    let catalogue = Catalogue::new();
    let filters = catalogue.filters.iter().map(|f| (f.name, f.role));
    let schemes = catalogue.schemes.iter().map(|s| (s.name, s.role));
    let known: Vec<(&str, &str)> = filters.chain(schemes).collect();
    for subject in table.subjects() {
        match subject.strip_prefix("role:") {
            Some(role) if !known.iter().any(|(_, other)| *other == role) => {
                bail!("no scheme or filter has the role {role:?}")
            }
            None if !known.iter().any(|(name, _)| *name == subject) => {
                bail!("no scheme or filter is called {subject:?}; `bouquet list` has their names")
            }
            _ => {}
        }
    }
    let manifest = Manifest::find()?;
    let mut sets = table.datasets().filter(|name| *name != OWN_KEYS);
    sets.try_for_each(|name| manifest.check_name(name))
}

/// All schemes and filters, or those that are named and the controls.
fn choose_subjects(args: &Args, plan: &Plan) -> Result<Vec<Subject>> {
    let catalogue = Catalogue::new();
    catalogue.check(&bouquet_lab::plan::Narrow {
        filters: args.filters.clone(),
        schemes: args.schemes.clone(),
    })?;
    let all = args.filters.is_empty() && args.schemes.is_empty();
    let mut subjects = Vec::new();
    for filter in &catalogue.filters {
        // A filter that does not tell its locations has none to test.
        if (all || args.filters.iter().any(|name| name == filter.name)) && filter.locate.is_some() {
            subjects.push(Subject {
                name: filter.name,
                role: filter.role,
                make: filter.locate,
            });
        }
    }
    for scheme in &catalogue.schemes {
        let is_in = |names: &[String]| names.iter().any(|name| name == scheme.name);
        if all || is_in(&args.schemes) || is_in(&plan.controls) {
            subjects.push(Subject {
                name: scheme.name,
                role: scheme.role,
                make: Some(scheme.make),
            });
        }
    }
    Ok(subjects)
}

/// The key sets of the profile, narrowed, and the user's own.
fn choose_sets(args: &Args, plan: &Plan) -> Result<Vec<Arc<KeySet>>> {
    let mut sets = Vec::new();
    let own_wanted = args.datasets.iter().any(|name| name == OWN_KEYS);
    match &args.keys {
        Some(path) => {
            let end = if args.nul { 0 } else { b'\n' };
            let (set, warning) = KeySet::read_file(OWN_KEYS, path, end)?;
            if let Some(warning) = warning {
                args.say(&format!("warning: {warning}"));
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
    for name in &others {
        manifest.check_name(name)?;
    }
    let asked: Vec<&str> = others.iter().map(|name| name.as_str()).collect();
    let names = if asked.is_empty() {
        plan.datasets(args.profile())
    } else {
        asked
    };
    for name in names {
        sets.push(Arc::new(manifest.load(name)?));
    }
    Ok(sets)
}

/// Measures, and writes each row as it comes.
fn measure_into(args: &Args, cells: &[Cell], folder: &std::path::Path) -> Result<()> {
    let mut writer = RowWriter::<BatteryRow>::create(folder)?;
    let target = if args.quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} cells, {eta} to go")?;
    let bar = ProgressBar::with_draw_target(Some(cells.len() as u64), target).with_style(style);
    let jobs = args
        .jobs
        .or(std::thread::available_parallelism().ok().map(usize::from));
    parallel::in_order(cells, jobs.unwrap_or(1), Cell::measure, |rows| {
        bar.inc(1);
        rows.iter().try_for_each(|row| writer.write(row))
    })?;
    bar.finish_and_clear();
    writer.finish()
}

fn write_rows<R: Row>(folder: &std::path::Path, rows: &[R]) -> Result<()> {
    let mut writer = RowWriter::<R>::create(folder)?;
    rows.iter().try_for_each(|row| writer.write(row))?;
    writer.finish()
}

fn experiment_row(plan: &Plan) -> ExperimentRow {
    ExperimentRow {
        experiment: "battery".into(),
        kind: "battery".into(),
        title: "Are locations what each scheme claims?".into(),
        analysis: plan.analysis.trim().into(),
    }
}

fn run_rows(args: &Args, started: Instant) -> Vec<RunRow> {
    let command: Vec<String> = std::env::args().skip(1).collect();
    let mut facts = vec![
        ("schema_version", SCHEMA_VERSION.to_string()),
        ("version", env!("CARGO_PKG_VERSION").to_string()),
        ("revision", machine::revision()),
        ("command", format!("bouquet {}", command.join(" "))),
        ("profile", args.profile().to_string()),
        ("seed", args.seed.to_string()),
        (
            "duration_s",
            format!("{:.1}", started.elapsed().as_secs_f64()),
        ),
    ];
    facts.extend(machine::facts());
    let row = |(name, value): (&str, String)| RunRow {
        name: name.into(),
        value,
    };
    facts.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_names_what_there_is() {
        check_names(&Expectations::shipped().unwrap()).unwrap();
    }
}
