//! Measuring for the scoreboard.

use std::sync::Arc;

use anyhow::{Result, bail};

use super::Args;
use crate::flags::Judged;
use crate::output::say;
use crate::study::{self, Kind, Plan, Study};
use bouquet_ground::record::{ExperimentRow, PeerFaultRow, SubjectRow};
use bouquet_lab::experiment::{Peers, Profile};
use bouquet_lab::measure::{Measured, PeerCell, rows};
use bouquet_lab::plan::{PeerPlan, contenders};
use bouquet_lab::workload::{KeySet, Manifest};

pub fn run(args: &Args) -> Result<u8> {
    study::run(args, &args.run, false)
}

impl Kind for Args {
    type Work = Work;

    fn plan(&self) -> Result<Plan<Work>> {
        let definition = Peers::shipped()?.narrowed(self.capacity, self.fpr)?;
        let contenders = contenders(&self.filters)?;
        let sets = choose_sets(self, &definition)?;
        let profile = self.effort.profile();
        let plan = PeerPlan {
            definition: &definition,
            contenders: &contenders,
            sets: &sets,
            profile,
            seed: self.run.seed,
        };
        let cells = plan.cells();
        if cells.is_empty() {
            bail!("nothing to measure: no chosen key set has two keys");
        }
        let faults = plan.faults(&cells)?;
        let (name, rows) = (profile.name(), vec![experiment_row(&definition)]);
        let plan = Plan::of_cells(name, rows, plan.subjects(), &sets, cells);
        Ok(plan.with(|cells| Work { cells, faults }))
    }

    fn measure(&self, work: &Work, study: &mut Study) -> Result<()> {
        study.rows.write(&work.faults)?;
        study.each(&work.cells, self.jobs, measured)
    }
}

/// What is measured, and what that must show.
pub struct Work {
    cells: Vec<PeerCell>,
    faults: Vec<PeerFaultRow>,
}

fn measured(cell: &PeerCell) -> Measured {
    rows(vec![cell.measure()])
}

/// Measures the scoreboard of a full evaluation and joins its rows to the
/// records that are in the folder: of these filters, or all, on those of the
/// key sets that its definition names.
pub fn join(
    study: &mut Study,
    filters: &[String],
    sets: &[Arc<KeySet>],
    flags: &Judged,
) -> Result<()> {
    let definition = Peers::shipped()?;
    let contenders = contenders(filters)?;
    let named = |set: &&Arc<KeySet>| definition.datasets.iter().any(|name| name == set.name());
    let plan = PeerPlan {
        definition: &definition,
        contenders: &contenders,
        sets: &sets.iter().filter(named).cloned().collect::<Vec<_>>(),
        profile: Profile::Full,
        seed: flags.run.seed,
    };
    let cells = plan.cells();
    if cells.is_empty() {
        return Ok(());
    }
    let words = format!("the peers: {} cells more", cells.len());
    say(&words);
    study.rows.write(&plan.faults(&cells)?)?;
    study.each(&cells, flags.jobs, measured)?;
    study.rows.write(&[experiment_row(&definition)])?;
    let known: Vec<SubjectRow> = study.written()?.rows()?;
    let mut new = plan.subjects();
    new.retain(|row| known.iter().all(|other| other.subject != row.subject));
    study.rows.write(&new)
}

fn experiment_row(definition: &Peers) -> ExperimentRow {
    let (name, title) = (&definition.name, &definition.title);
    study::experiment(name, "peers", title, &definition.analysis)
}

/// The key sets of the definition, or those that were asked for.
fn choose_sets(args: &Args, definition: &Peers) -> Result<Vec<Arc<KeySet>>> {
    let manifest = Manifest::find()?;
    let names = if args.datasets.is_empty() {
        &definition.datasets
    } else {
        &args.datasets
    };
    let load = |name: &String| Ok(Arc::new(manifest.load(name)?));
    names.iter().map(load).collect()
}
