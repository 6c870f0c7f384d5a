//! Measuring for the scoreboard.

use std::{fs, path::Path, sync::Arc, time::Instant};

use anyhow::{Context, Result, bail};

use super::{super::evaluate, Args};
use crate::cmd::{print, tell};
use crate::study;
use bouquet_ground::parallel;
use bouquet_ground::record::{
    DatasetRow, ExperimentRow, PeerRow, Recorded, Row, RowWriter, Source, SubjectRow, write_run,
};
use bouquet_ground::staging::{Staging, catch_interrupts};
use bouquet_lab::experiment::{Peers, Profile};
use bouquet_lab::measure::PeerCell;
use bouquet_lab::plan::{self, PeerPlan};
use bouquet_lab::workload::{KeySet, Manifest};

pub fn run(args: &Args) -> Result<u8> {
    let started = Instant::now();
    catch_interrupts()?;
    let definition = Peers::shipped()?.narrowed(args.capacity, args.fpr)?;
    let contenders = plan::contenders(&args.filters)?;
    let sets = choose_sets(args, &definition)?;
    let profile = Profile::chosen(args.quick, args.full);
    let plan = PeerPlan {
        definition: &definition,
        contenders: &contenders,
        sets: &sets,
        profile,
        seed: args.seed,
    };
    let cells = plan.cells();
    if cells.is_empty() {
        bail!("nothing to measure: no chosen key set has two keys");
    }
    let staging = Staging::begin(&args.out)?;
    let folder = staging.path().join("records");
    fs::create_dir(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    say(
        args.quiet,
        &format!("seed {}, {} cells to measure", args.seed, cells.len()),
    );
    measure_into(&cells, args.jobs, args.quiet, &folder)?;
    evaluate::write_rows(&folder, &[experiment_row(&definition)])?;
    evaluate::write_rows(&folder, &plan.subjects())?;
    let rows = sets.iter().map(|set| set.row());
    evaluate::write_rows(&folder, &rows.collect::<Vec<DatasetRow>>())?;
    let run = study::facts(Some(profile), args.seed, started);
    write_run(&folder, run)?;
    let Recorded::Scoreboard(records) = Source::new(&[folder])?.read()? else {
        bail!("the rows of the scoreboard did not come back");
    };
    let (text, code) = super::report(&records, staging.path(), args.format)?;
    staging.commit()?;
    print(&text)?;
    let out = args.out.display();
    say(
        args.quiet,
        &format!("seed {}; the report is in {out}", args.seed),
    );
    Ok(code)
}

/// Measures the scoreboard of a full evaluation and joins its rows to the
/// records that are in the folder: of these filters, or all, on those of the
/// key sets that its definition names.
pub fn join(
    folder: &Path,
    filters: &[String],
    sets: &[Arc<KeySet>],
    seed: u64,
    (jobs, quiet): (Option<usize>, bool),
) -> Result<()> {
    let definition = Peers::shipped()?;
    let contenders = plan::contenders(filters)?;
    let named = |set: &&Arc<KeySet>| definition.datasets.iter().any(|name| name == set.name());
    let plan = PeerPlan {
        definition: &definition,
        contenders: &contenders,
        sets: &sets.iter().filter(named).cloned().collect::<Vec<_>>(),
        profile: Profile::Full,
        seed,
    };
    let cells = plan.cells();
    if cells.is_empty() {
        return Ok(());
    }
    say(quiet, &format!("the peers: {} cells more", cells.len()));
    measure_into(&cells, jobs, quiet, folder)?;
    append(folder, vec![experiment_row(&definition)])?;
    let known: Vec<SubjectRow> = Source::new(&[folder.to_path_buf()])?.rows()?;
    let mut new = plan.subjects();
    new.retain(|row| known.iter().all(|other| other.subject != row.subject));
    append(folder, new)
}

fn append<R: Row>(folder: &Path, more: Vec<R>) -> Result<()> {
    let mut rows: Vec<R> = Source::new(&[folder.to_path_buf()])?.rows()?;
    rows.extend(more);
    evaluate::write_rows(folder, &rows)
}

fn experiment_row(definition: &Peers) -> ExperimentRow {
    ExperimentRow {
        experiment: definition.name.clone(),
        kind: "peers".into(),
        title: definition.title.clone(),
        analysis: definition.analysis.trim().into(),
    }
}

fn say(quiet: bool, text: &str) {
    if !quiet {
        tell(text);
    }
}

/// The key sets of the definition, or those that were asked for.
fn choose_sets(args: &Args, definition: &Peers) -> Result<Vec<Arc<KeySet>>> {
    let manifest = Manifest::find()?;
    let names = if args.datasets.is_empty() {
        &definition.datasets
    } else {
        &args.datasets
    };
    names
        .iter()
        .map(|name| Ok(Arc::new(manifest.load(name)?)))
        .collect()
}

/// Measures, and writes each row as it comes.
fn measure_into(cells: &[PeerCell], jobs: Option<usize>, quiet: bool, folder: &Path) -> Result<()> {
    let mut writer = RowWriter::<PeerRow>::create(folder)?;
    let bar = evaluate::progress(quiet, cells.len() as u64)?;
    let jobs = jobs.or(std::thread::available_parallelism().ok().map(usize::from));
    parallel::in_order(cells, jobs.unwrap_or(1), PeerCell::measure, |row| {
        bar.inc(1);
        writer.write(&row)
    })?;
    bar.finish_and_clear();
    writer.finish()
}
