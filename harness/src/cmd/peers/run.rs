//! Measuring for the scoreboard.

use std::{fs, path::Path, sync::Arc, time::Instant};

use anyhow::{Context, Result, bail};

use super::{super::evaluate, Args};
use crate::{
    cmd::print,
    experiment::{Peers, Profile},
    measure::PeerCell,
    parallel,
    plan::{self, PeerPlan},
    record::{DatasetRow, ExperimentRow, PeerRow, RowWriter, SubjectRow},
    staging::{Staging, catch_interrupts},
    workload::{KeySet, Manifest},
};

pub fn run(args: &Args) -> Result<u8> {
    let started = Instant::now();
    catch_interrupts()?;
    let definition = Peers::shipped()?.narrowed(args.capacity, args.fpr)?;
    let contenders = plan::contenders(&args.filters)?;
    let sets = choose_sets(args, &definition)?;
    let plan = PeerPlan {
        definition: &definition,
        contenders: &contenders,
        sets: &sets,
        profile: profile(args),
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
        args,
        &format!("seed {}, {} cells to measure", args.seed, cells.len()),
    );
    measure_into(args, &cells, &folder)?;
    let experiment = ExperimentRow {
        experiment: definition.name.clone(),
        kind: "peers".into(),
        title: definition.title.clone(),
        analysis: definition.analysis.trim().into(),
    };
    evaluate::write_rows(&folder, &[experiment])?;
    let subjects = contenders.iter().map(|contender| contender.entry.row());
    evaluate::write_rows(&folder, &subjects.collect::<Vec<SubjectRow>>())?;
    let rows = sets.iter().map(|set| set.row());
    evaluate::write_rows(&folder, &rows.collect::<Vec<DatasetRow>>())?;
    let run = evaluate::run_rows(profile(args), args.seed, started);
    evaluate::write_rows(&folder, &run)?;
    let text = super::report(&folder, staging.path(), args.format)?;
    staging.commit()?;
    print(&text)?;
    let out = args.out.display();
    say(args, &format!("seed {}; the report is in {out}", args.seed));
    Ok(0)
}

fn profile(args: &Args) -> Profile {
    Profile::chosen(args.quick, args.full)
}

fn say(args: &Args, text: &str) {
    if !args.quiet {
        eprintln!("{text}");
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
fn measure_into(args: &Args, cells: &[PeerCell], folder: &Path) -> Result<()> {
    let mut writer = RowWriter::<PeerRow>::create(folder)?;
    let bar = evaluate::progress(args.quiet, cells.len() as u64)?;
    let jobs = args
        .jobs
        .or(std::thread::available_parallelism().ok().map(usize::from));
    parallel::in_order(cells, jobs.unwrap_or(1), PeerCell::measure, |row| {
        bar.inc(1);
        writer.write(&row)
    })?;
    bar.finish_and_clear();
    writer.finish()
}
