//! `bouquet evaluate`: measure, record, report.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, bail};

use crate::flags::{Chosen, Jobs, Judged, Located, OWN, with};
use crate::study::{self, Kind, Plan, Study};
use bouquet_ground::record::{
    BatteryRow, ChurnRow, FprRow, HistogramRow, LocationSetsRow, MemoryRow,
};
use bouquet_lab::experiment::Experiment;
use bouquet_lab::measure::Cell;
use bouquet_lab::plan::{Catalogue, Planner};
use bouquet_lab::workload::KeySet;

#[derive(clap::Args, Clone, Debug)]
#[command(mut_args(with("out: reports/latest")))]
pub struct Args {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    located: Located,
    /// Only these experiments.
    #[arg(
        long,
        alias = "experiment",
        value_delimiter = ',',
        value_name = "NAME,…",
        display_order = 1
    )]
    experiments: Vec<String>,
    /// An experiment of your own, in place of those that come along.
    #[arg(
        long,
        value_name = "FILE.toml",
        conflicts_with = "experiments",
        display_order = 2
    )]
    define: Vec<PathBuf>,
    #[command(flatten)]
    pub flags: Judged,
}

impl Kind for Args {
    type Work = Work;

    fn plan(&self) -> Result<Plan<Work>> {
        let experiments = Experiment::chosen(&self.define, &self.experiments)?;
        let datasets = experiments.iter().flat_map(|one| &one.datasets);
        let sets = self.chosen.load(datasets.map(String::as_str))?;
        let narrowed = (&self.chosen, &self.located.schemes[..]);
        plan(narrowed, &self.flags, &experiments, sets)
    }

    fn measure(&self, work: &Work, study: &mut Study) -> Result<()> {
        measure(work, self.flags.jobs, study)?;
        #[cfg(feature = "peers")]
        if has_scoreboard(self) {
            super::peers::join(study, &self.chosen.filters, &work.sets, &self.flags)?;
        }
        Ok(())
    }
}

/// What is measured, on which key sets.
pub struct Work {
    pub cells: Vec<Cell>,
    #[cfg(feature = "peers")]
    pub sets: Vec<Arc<KeySet>>,
}

/// What the experiments say on these key sets, for these filters and schemes.
pub fn plan(
    (chosen, schemes): (&Chosen, &[String]),
    flags: &Judged,
    experiments: &[Experiment],
    sets: Vec<Arc<KeySet>>,
) -> Result<Plan<Work>> {
    let catalogue = Catalogue::new();
    catalogue.check(&chosen.filters, schemes)?;
    let mut cells = Vec::new();
    for experiment in experiments {
        let own = |set: &&Arc<KeySet>| {
            let named = |names: &[String]| names.iter().any(|name| name == set.name());
            set.name() == OWN || named(&chosen.datasets) || named(&experiment.datasets)
        };
        let sets: Vec<_> = sets.iter().filter(own).cloned().collect();
        let planner = Planner {
            catalogue: &catalogue,
            experiment,
            sets: &sets,
            filters: &chosen.filters,
            schemes,
            profile: flags.effort.profile(),
            seed: flags.run.seed,
        };
        cells.extend(planner.cells()?);
    }
    if cells.is_empty() {
        bail!("nothing to measure: no chosen experiment has the chosen filters and schemes");
    }
    let taking_part = |name: &str| cells.iter().any(|cell| cell.subject == name);
    let row = |e: &Experiment| study::experiment(&e.name, e.kind().name(), &e.title, &e.analysis);
    Cell::check_room(&cells)?;
    Ok(Plan {
        profile: flags.effort.profile().name(),
        words: Some(format!(", {} cells to measure", cells.len())),
        experiments: experiments.iter().map(row).collect(),
        field: Some((
            catalogue.subjects(taking_part),
            sets.iter().map(|set| set.row()).collect(),
        )),
        facts: Vec::new(),
        work: Work {
            cells,
            #[cfg(feature = "peers")]
            sets,
        },
    })
}

/// Measures the cells. An evaluation has files for all of these, also where it has no
/// rows for one.
pub fn measure(work: &Work, jobs: Jobs, study: &mut Study) -> Result<()> {
    study.rows.write::<BatteryRow>(&[])?;
    study.rows.write::<FprRow>(&[])?;
    study.rows.write::<MemoryRow>(&[])?;
    study.rows.write::<ChurnRow>(&[])?;
    study.rows.write::<LocationSetsRow>(&[])?;
    study.rows.write::<HistogramRow>(&[])?;
    study.each(&work.cells, jobs, Cell::measure)
}

/// The scoreboard belongs to the full run, unless that was narrowed to what has
/// no part in it.
#[cfg(feature = "peers")]
fn has_scoreboard(args: &Args) -> bool {
    let of_schemes_alone = args.chosen.filters.is_empty() && !args.located.schemes.is_empty();
    let is_narrowed = !args.define.is_empty() || !args.experiments.is_empty() || of_schemes_alone;
    args.flags.effort.full && !is_narrowed
}
