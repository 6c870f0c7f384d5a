//! Measuring for the scoreboard.

use std::{sync::Arc, time::Instant};

use anyhow::{Result, bail};

use super::Args;
use crate::cmd::report::results;
use crate::study::{self, Flags, Study};
use bouquet_ground::record::{ExperimentRow, SubjectRow};
use bouquet_ground::staging::catch_interrupts;
use bouquet_lab::experiment::{Peers, Profile};
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
    let study = Study::begin(&args.out)?;
    let words = format!("seed {}, {} cells to measure", args.seed, cells.len());
    study::say(args.quiet, &words);
    study.measure(&cells, args.jobs, args.quiet, |cell| vec![cell.measure()])?;
    study.write(&[experiment_row(&definition)])?;
    study.write(&plan.subjects())?;
    let rows = sets.iter().map(|set| set.row());
    study.write(&rows.collect::<Vec<_>>())?;
    study.write_facts(study::facts(Some(profile.name()), args.seed, started))?;
    let flags = Flags {
        out: &args.out,
        seed: args.seed,
        quiet: args.quiet,
        format: args.format,
        strict: false,
    };
    study.finish(&flags, results)
}

/// Measures the scoreboard of a full evaluation and joins its rows to the
/// records that are in the folder: of these filters, or all, on those of the
/// key sets that its definition names.
pub fn join(
    study: &Study,
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
    study::say(quiet, &format!("the peers: {} cells more", cells.len()));
    study.measure(&cells, jobs, quiet, |cell| vec![cell.measure()])?;
    study.append(vec![experiment_row(&definition)])?;
    let known: Vec<SubjectRow> = study.written()?.rows()?;
    let mut new = plan.subjects();
    new.retain(|row| known.iter().all(|other| other.subject != row.subject));
    study.append(new)
}

fn experiment_row(definition: &Peers) -> ExperimentRow {
    study::experiment(
        &definition.name,
        "peers",
        &definition.title,
        &definition.analysis,
    )
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
