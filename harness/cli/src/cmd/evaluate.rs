//! `bouquet evaluate`: measures, records and reports.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, bail, ensure};

use crate::flags::{KeySetArgs, OWN, VerdictArgs};
use crate::study::{self, Plan, bar, experiment};
use bouquet_ground::parallel;
use bouquet_ground::record::{ExperimentRow, Kind, Writer};
use bouquet_lab::battery::{BatteryCell, Definition, Expectations};
use bouquet_lab::experiment::Experiment;
use bouquet_lab::measure::Cell;
use bouquet_lab::plan::{Catalogue, Planner};
use bouquet_lab::workload::{KeySet, Manifest};
use bouquet_theory as theory;

pub const PEERS: &str = "peers";
const UNIFORMITY: &str = "uniformity";
/// The capacity that most experiments use.
const USUAL_CAPACITY: u64 = 10_000;

const EXAMPLES: &str = "\
Verdicts, at a family-wise level of 1e-3 over the whole run: the false positives
of each rate against the FPR that the measured bits give, and of each filter
over all its rates against the exact formula; the share of bits set; false
negatives and batches, of which none may be wrong; locations by chi-square
tests, which must flag a control. Crates of others are reported as they are, and
fail nothing.

Exit code: 0 good; 1 something failed; 2 wrong usage; 3 inconclusive, with
--strict.

Examples:
  bouquet evaluate --quick
  bouquet evaluate fpr --filter blocked --keys my-keys.txt --datasets keys
  bouquet evaluate fpr --filters standard,cuckoo --capacity 1e5 --fpr 1e-3
  bouquet evaluate uniformity --schemes guava-32,redisson
  bouquet evaluate fpr peers --filters standard,fastbloom
";

/// The help: examples, and the names of filters, schemes and key sets.
fn help() -> String {
    let catalogue = Catalogue::new();
    let filters = catalogue.filters.iter().map(|one| one.name);
    let schemes = catalogue.schemes.iter().map(|one| one.name);
    let manifest = Manifest::find();
    let sets = manifest.iter().flat_map(|all| all.about());
    let experiments = Experiment::shipped().unwrap_or_default();
    let lines = experiments.iter().map(|one| {
        let [quick, default, full] = one.seconds.each();
        let (name, title) = (&one.name, &one.title);
        format!("  {name}: {title} ({quick}, {default}, {full})\n")
    });
    format!(
        "{EXAMPLES}\nExperiments, with their seconds on two cores (--quick, default, --full):\n{}\n\
         Filters: {}.\n\nLocation schemes: {}.\n\nKey sets: {}.",
        lines.collect::<String>(),
        filters.collect::<Vec<_>>().join(", "),
        schemes.collect::<Vec<_>>().join(", "),
        sets.map(|(name, _)| name).collect::<Vec<_>>().join(", ")
    )
}

#[derive(clap::Args, Clone, Debug)]
#[command(mut_arg("out", |out| out.default_value("reports/latest")), after_help = help())]
pub struct Args {
    /// What to measure: fpr, uniformity, memory, churn, growth, or an experiment such as
    /// fpr-over-load; peers: with the crates that Rust users take today. All but these if
    /// nothing is named.
    #[arg(value_name = "WHAT")]
    what: Vec<String>,
    #[command(flatten)]
    chosen: KeySetArgs,
    /// Only these location schemes.
    #[arg(
        long,
        alias = "scheme",
        value_delimiter = ',',
        value_name = "NAME,…",
        display_order = 0
    )]
    schemes: Vec<String>,
    /// Keys that the filters are sized for, in place of what the experiments have.
    #[arg(long, value_name = "N", value_parser = theory::whole::<u64>, display_order = 1)]
    capacity: Option<u64>,
    /// Target false-positive rates, in place of what the experiments have.
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = theory::fpr, display_order = 1)]
    fpr: Vec<f64>,
    /// An experiment of your own, in place of those that come along.
    #[arg(
        long,
        value_name = "FILE.toml",
        conflicts_with = "what",
        display_order = 2
    )]
    define: Vec<PathBuf>,
    #[command(flatten)]
    pub flags: VerdictArgs,
}

/// An evaluation that is being planned.
struct Planned {
    cells: Vec<Cell>,
    experiments: Vec<ExperimentRow>,
    sets: Vec<Arc<KeySet>>,
}

pub fn run(args: &Args) -> Result<u8> {
    study::run(|| args.plan(), &args.flags.run, args.flags.strict)
}

impl Args {
    fn plan(&self) -> Result<Plan<'_>> {
        let catalogue = Catalogue::new();
        catalogue.check(&self.chosen.filters, &self.schemes)?;
        let Planned {
            cells,
            experiments,
            sets,
        } = self.planned(&catalogue)?;
        ensure!(
            !cells.is_empty(),
            "nothing to measure: no chosen experiment has the chosen filters and schemes"
        );
        Cell::check_room(&cells)?;
        let taking_part = |name: &str| cells.iter().any(|cell| cell.subject == name);
        Ok(Plan {
            profile: self.flags.effort.profile().name(),
            words: format!(", {} cells to measure", cells.len()),
            experiments,
            kind: Kind::Evaluation,
            subjects: catalogue.subjects(taking_part),
            key_sets: sets.iter().map(|set| set.row()).collect(),
            facts: Vec::new(),
            measure: Box::new(move |rows| self.measure(&cells, rows)),
        })
    }

    /// Measures cells on several threads, and writes the rows of each when it is finished.
    fn measure(&self, cells: &[Cell], rows: &mut Writer) -> Result<()> {
        let bar = bar(cells.len())?;
        parallel::in_order(cells, self.flags.jobs(), Cell::measure, |measured| {
            bar.inc(1);
            measured(rows)
        })?;
        bar.finish_and_clear();
        Ok(())
    }

    fn names(&self, what: &str) -> bool {
        self.what.iter().any(|name| name == what)
    }

    /// Whether other crates take part: if they are named, and in a full run of everything.
    fn has_peers(&self) -> Result<bool> {
        let is_built = cfg!(feature = "peers");
        ensure!(
            is_built || !self.names(PEERS),
            "this program was built without the peers; build it with them: \
             cargo run --release --features peers -- evaluate peers"
        );
        let is_whole = self.what.is_empty() && self.define.is_empty();
        Ok(self.names(PEERS) || is_built && is_whole && self.flags.effort.full)
    }

    /// The experiments that are named, at the sizes that are given. If only locations are tested,
    /// that is done with every scheme, outside of the experiments.
    fn experiments(&self) -> Result<Vec<Experiment>> {
        let mut names = self.what.clone();
        names.retain(|name| name != PEERS);
        let mut chosen = Experiment::chosen(&self.define, &names)?;
        if names.is_empty() && self.names(PEERS) {
            chosen.retain(Experiment::has_peers);
        }
        chosen.retain(|one| !(self.names(UNIFORMITY) && one.name == UNIFORMITY));
        let resized = |one: Experiment| one.resized(self.capacity, &self.fpr);
        chosen.into_iter().map(resized).collect()
    }

    fn planned(&self, catalogue: &Catalogue) -> Result<Planned> {
        if let Some(keys) = self.capacity.filter(|keys| !(1..=1 << 32).contains(keys)) {
            bail!("--capacity {keys}: give 1 to 2^32 keys");
        }
        let (has_peers, experiments) = (self.has_peers()?, self.experiments()?);
        let profile = self.flags.effort.profile();
        let battery = self.names(UNIFORMITY).then(Definition::shipped);
        let battery = battery.transpose()?;
        let of_battery = battery.iter().flat_map(|one| one.datasets(profile.name()));
        let datasets = experiments.iter().flat_map(|one| &one.datasets);
        let sets = self
            .chosen
            .load(datasets.map(String::as_str).chain(of_battery))?;
        self.check_sizes(catalogue, &sets)?;
        let mut planned = Planned {
            cells: Vec::new(),
            experiments: Vec::new(),
            sets,
        };
        if let Some(battery) = &battery {
            self.locations(catalogue, battery, &mut planned)?;
        }
        for own in &experiments {
            let is_used = |set: &&Arc<KeySet>| {
                let named = |names: &[String]| names.iter().any(|name| name == set.name());
                set.name() == OWN || named(&self.chosen.datasets) || named(&own.datasets)
            };
            let sets: Vec<_> = planned.sets.iter().filter(is_used).cloned().collect();
            let planner = Planner {
                catalogue,
                experiment: own,
                sets: &sets,
                filters: &self.chosen.filters,
                schemes: &self.schemes,
                has_peers,
                profile,
                seed: self.flags.run.seed,
            };
            planned.cells.extend(planner.cells()?);
            let kind = own.kind().name();
            let row = experiment(&own.name, kind, &own.title, &own.analysis);
            planned.experiments.push(row);
        }
        Ok(planned)
    }

    /// Rejects a capacity larger than a key set, and a target FPR that a filter cannot be sized
    /// for.
    fn check_sizes(&self, catalogue: &Catalogue, sets: &[Arc<KeySet>]) -> Result<()> {
        let capacity = self.capacity.unwrap_or(USUAL_CAPACITY);
        let is_small = |set: &&Arc<KeySet>| self.capacity.is_some() && set.len() < capacity;
        if let Some(set) = sets.iter().find(is_small) {
            let (keys, name) = (set.len(), set.name());
            bail!(
                "--capacity {capacity}: the {keys} keys of {name} cannot fill it: give {keys} or \
                 less, or name larger key sets with --datasets"
            );
        }
        let mut targets = self.fpr.iter();
        targets.try_for_each(|fpr| catalogue.check_target(&self.chosen.filters, capacity, *fpr))
    }

    /// Plans the tests of locations: every scheme, every filter that exposes its locations, and the
    /// controls.
    fn locations(
        &self,
        catalogue: &Catalogue,
        battery: &Definition,
        planned: &mut Planned,
    ) -> Result<()> {
        let profile = self.flags.effort.profile().name();
        let (filters, schemes) = (&self.chosen.filters, &self.schemes);
        let subjects = catalogue.locating(filters, schemes, &battery.controls());
        let asked = [&self.chosen.datasets[..], &[OWN.into()]].concat();
        let (table, seed) = (Expectations::shipped()?, self.flags.run.seed);
        let cells = battery.cells(profile, &table, &subjects, &planned.sets, &asked, seed);
        ensure!(
            cells.iter().any(BatteryCell::draws),
            "nothing to measure: the table of expectations claims nothing for these schemes on so \
             few keys; give more keys, or other schemes"
        );
        let cells = cells.into_iter().map(|cell| {
            let bytes = cell.least_bytes();
            Cell::of(cell.subject.name, move || cell.measure()).taking(bytes)
        });
        planned.cells.extend(cells);
        let title = "Are locations what each scheme claims?";
        let row = experiment("battery", "battery", title, &battery.analysis);
        planned.experiments.push(row);
        Ok(())
    }
}
