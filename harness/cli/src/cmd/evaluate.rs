//! `bouquet evaluate`: measures filters and writes a report.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, bail, ensure};

use crate::flags::{KeySetArgs, OWN, VerdictArgs};
use crate::study::{self, Plan, bar, experiment};
use bouquet_catalogue::theory;
use bouquet_measure::battery::{BatteryCell, Definition, Expectations};
use bouquet_measure::cells::Cell;
use bouquet_measure::experiment::Experiment;
use bouquet_measure::plan::{Catalogue, Planner};
use bouquet_measure::workload::{KeySet, Manifest};
use bouquet_record::Kind;
use bouquet_record::parallel;

pub const PEERS: &str = "peers";
const UNIFORMITY: &str = "uniformity";
/// The capacity that most experiments use.
const USUAL_CAPACITY: u64 = 10_000;

const EXAMPLES: &str = "\
Verdicts, at a family-wise level of 1e-3 over the whole run, are on the FPR of
each cell given its bits, the FPR of each filter over all cells against theory,
the share of bits set, false negatives, batches, and the uniformity of locations
(a control must be flagged). Other crates are only reported.

Examples:
  bouquet evaluate --quick
  bouquet evaluate fpr --filter blocked --keys my-keys.txt --datasets keys
  bouquet evaluate fpr peers --filters standard,fastbloom --capacity 1e5
  bouquet evaluate uniformity --schemes guava-32,redisson
";

/// The help: examples, and the names of filters, schemes and key sets.
fn help() -> String {
    let (catalogue, manifest) = (Catalogue::new(), Manifest::find());
    let filters: Vec<_> = catalogue.filters.iter().map(|one| one.name).collect();
    let schemes: Vec<_> = catalogue.schemes.iter().map(|one| one.name).collect();
    let sets = manifest.iter().flat_map(|all| all.about());
    let sets: Vec<_> = sets.map(|(name, _)| name).collect();
    let experiments = Experiment::shipped().unwrap_or_default();
    let experiments = experiments.iter().map(|one| {
        let [quick, default, full] = one.seconds.each();
        format!(
            "  {}: {} ({quick}, {default}, {full})\n",
            one.name, one.title
        )
    });
    format!(
        "{EXAMPLES}\nExperiments, with their seconds on two cores (--quick, default, --full):\n{}\n\
         Filters: {}.\n\nLocation schemes: {}.\n\nKey sets: {}.",
        experiments.collect::<String>(),
        filters.join(", "),
        schemes.join(", "),
        sets.join(", ")
    )
}

#[derive(clap::Args, Clone, Debug)]
#[command(mut_arg("out", |out| out.default_value("reports/latest")), after_help = help())]
pub struct Args {
    /// What to measure: fpr, uniformity, memory, churn, growth, an experiment such as
    /// fpr-over-load, or peers (with other crates); by default all but peers.
    #[arg(value_name = "WHAT")]
    what: Vec<String>,
    #[command(flatten)]
    chosen: KeySetArgs,
    /// Only these location schemes.
    #[arg(long, alias = "scheme", value_delimiter = ',', display_order = 0)]
    #[arg(value_name = "NAME,…")]
    schemes: Vec<String>,
    /// Keys that the filters are sized for, instead of those of the experiments.
    #[arg(long, value_name = "N", value_parser = theory::whole::<u64>, display_order = 1)]
    capacity: Option<u64>,
    /// Target false-positive rates, instead of those of the experiments.
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = theory::fpr, display_order = 1)]
    fpr: Vec<f64>,
    /// Your own experiment, instead of those of the program.
    #[arg(long, value_name = "FILE.toml", conflicts_with = "what")]
    #[arg(display_order = 2)]
    define: Vec<PathBuf>,
    #[command(flatten)]
    pub flags: VerdictArgs,
}

pub fn run(args: &Args) -> Result<u8> {
    study::run(|| args.plan(), &args.flags.run, args.flags.strict)
}

impl Args {
    fn plan(&self) -> Result<Plan<'_>> {
        let catalogue = Catalogue::new();
        let (filters, schemes) = (&self.chosen.filters, &self.schemes);
        catalogue.check(filters, schemes)?;
        if let Some(keys) = self.capacity.filter(|keys| !(1..=1 << 32).contains(keys)) {
            bail!("--capacity {keys}: give 1 to 2^32 keys");
        }
        let (has_peers, chosen) = (self.has_peers()?, self.experiments()?);
        let (profile, seed) = (self.flags.effort.profile(), self.flags.run.seed);
        let battery = self.names(UNIFORMITY).then(Definition::shipped);
        let battery = battery.transpose()?;
        let of_battery = battery.iter().flat_map(|one| one.datasets(profile.name()));
        let datasets = chosen.iter().flat_map(|one| &one.datasets);
        let datasets = datasets.map(String::as_str).chain(of_battery);
        let sets = self.chosen.load(datasets)?;
        self.check_sizes(&catalogue, &sets)?;
        let (mut cells, mut experiments) = (Vec::new(), Vec::new());
        if let Some(battery) = &battery {
            cells.extend(self.locations(&catalogue, battery, &sets)?);
            let title = "Are locations what each scheme claims?";
            experiments.push(experiment("battery", "battery", title, &battery.analysis));
        }
        for own in &chosen {
            let is_used = |set: &&Arc<KeySet>| {
                let named = |names: &[String]| names.iter().any(|name| name == set.name());
                set.name() == OWN || named(&self.chosen.datasets) || named(&own.datasets)
            };
            let sets: Vec<_> = sets.iter().filter(is_used).cloned().collect();
            let planner = Planner {
                catalogue: &catalogue,
                experiment: own,
                sets: &sets,
                filters,
                schemes,
                has_peers,
                profile,
                seed,
            };
            cells.extend(planner.cells()?);
            let kind = own.kind().name();
            experiments.push(experiment(&own.name, kind, &own.title, &own.analysis));
        }
        if cells.is_empty() {
            bail!("nothing to measure: no chosen experiment has the chosen filters and schemes");
        }
        let taking_part = |name: &str| cells.iter().any(|cell| cell.subject == name);
        Ok(Plan {
            profile: profile.name(),
            words: format!(", {} cells to measure", cells.len()),
            experiments,
            kind: Kind::Evaluation,
            subjects: catalogue.subjects(taking_part),
            key_sets: sets.iter().map(|set| set.row()).collect(),
            facts: Vec::new(),
            // Several threads measure the cells; the rows are written in the order of the cells.
            measure: Box::new(move |rows| {
                let bar = bar(cells.len())?;
                parallel::in_order(&cells, self.flags.jobs(), Cell::measure, |measured| {
                    bar.inc(1);
                    measured(rows)
                })?;
                bar.finish_and_clear();
                Ok(())
            }),
        })
    }

    fn names(&self, what: &str) -> bool {
        self.what.iter().any(|name| name == what)
    }

    /// Whether filters of other crates are measured: if the user names `peers`, or gives `--full`
    /// and names no experiment.
    fn has_peers(&self) -> Result<bool> {
        let is_built = cfg!(feature = "peers");
        if self.names(PEERS) && !is_built {
            bail!("built without the peers: build the program with --features peers");
        }
        let is_whole = self.what.is_empty() && self.define.is_empty();
        Ok(self.names(PEERS) || is_built && is_whole && self.flags.effort.full)
    }

    /// The experiments to run, with the capacity and the FPRs that the user gives. If the user
    /// names `uniformity`, it is left out, because `locations` tests the schemes instead.
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

    /// Rejects a capacity larger than a key set, and a target FPR that a filter cannot be sized
    /// for.
    fn check_sizes(&self, catalogue: &Catalogue, sets: &[Arc<KeySet>]) -> Result<()> {
        let capacity = self.capacity.unwrap_or(USUAL_CAPACITY);
        let is_small = |set: &&Arc<KeySet>| self.capacity.is_some() && set.len() < capacity;
        if let Some(set) = sets.iter().find(is_small) {
            let (keys, name) = (set.len(), set.name());
            bail!(
                "--capacity {capacity} is more than the {keys} keys of the key set {name:?}: give {keys} \
                 or less, or name larger key sets with --datasets"
            );
        }
        let filters = &self.chosen.filters;
        let mut targets = self.fpr.iter();
        targets.try_for_each(|fpr| catalogue.check_target(filters, capacity, *fpr))
    }

    /// The tests of locations (the bit positions of keys) for the chosen location schemes, chosen
    /// filters that expose their locations, and the controls, which are schemes known to be bad.
    fn locations(
        &self,
        catalogue: &Catalogue,
        battery: &Definition,
        sets: &[Arc<KeySet>],
    ) -> Result<Vec<Cell>> {
        let (profile, seed) = (self.flags.effort.profile().name(), self.flags.run.seed);
        let (filters, schemes) = (&self.chosen.filters, &self.schemes);
        let subjects = catalogue.locating(filters, schemes, &battery.controls());
        let asked = [&self.chosen.datasets[..], &[OWN.into()]].concat();
        let expected = Expectations::shipped()?;
        let cells = battery.cells(profile, &expected, &subjects, sets, &asked, seed);
        ensure!(
            cells.iter().any(BatteryCell::draws),
            "nothing to measure: the key set is too small for tests of these schemes: give more keys, \
             or other schemes"
        );
        cells.iter().try_for_each(BatteryCell::check_room)?;
        let cells = cells.into_iter();
        let cells = cells.map(|cell| Cell::of(cell.subject.name, move || cell.measure()));
        Ok(cells.collect())
    }
}
