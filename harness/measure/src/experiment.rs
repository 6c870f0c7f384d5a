//! Experiment definitions: what is measured, the expected result, and a paragraph on how to read
//! it.

mod check;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bouquet_record::{Sweep, definition, unknown::unknown};
use clap::ValueEnum;
use serde::Deserialize;

pub use check::MAX_BITS_PER_KEY;
pub(crate) use check::{MAX_KEYS, one_line};

bouquet_record::named! {
    /// How much work a run does.
    #[derive(ValueEnum)]
    pub enum Profile {
        Quick = "quick",
        Default = "default",
        Full = "full",
    }
}

impl Profile {
    /// The profile for the two flags `--quick` and `--full` of the command line.
    pub fn chosen(quick: bool, full: bool) -> Self {
        match (quick, full) {
            (true, _) => Self::Quick,
            (_, true) => Self::Full,
            _ => Self::Default,
        }
    }
}

/// One value for all profiles, or a value for each of them.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a value, of a count a whole number that is not negative, or a table of quick, \
                 default and full"
)]
pub enum Profiled<T> {
    One(T),
    Each { quick: T, default: T, full: T },
}

impl<T: Default> Default for Profiled<T> {
    fn default() -> Self {
        Self::One(T::default())
    }
}

impl<T: Clone> Profiled<T> {
    pub fn at(&self, profile: Profile) -> T {
        self.each()[profile as usize].clone()
    }

    /// The values for quick, default and full, in this order.
    pub fn each(&self) -> [T; 3] {
        match self {
            Self::One(value) => [value; 3].map(T::clone),
            Self::Each {
                quick,
                default,
                full,
            } => [quick, default, full].map(T::clone),
        }
    }
}

/// The definition of one experiment, read from TOML. It has exactly one of the tables
/// `uniformity`, `fpr`, `memory` and `churn`.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    pub name: String,
    pub title: String,
    pub analysis: String,
    #[serde(default)]
    pub datasets: Vec<String>,
    /// Approximate duration in seconds on two cores.
    pub seconds: Profiled<f64>,
    pub uniformity: Option<Uniformity>,
    pub fpr: Option<Fpr>,
    pub memory: Option<Memory>,
    pub churn: Option<Churn>,
}

/// Tests whether the slots that keys map to (their locations) are uniformly distributed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uniformity {
    pub slots: Vec<u64>,
    pub probes: u32,
    /// The number of keys to test if the key set is generated.
    pub keys: Profiled<u64>,
    /// Names of location schemes and filters. `battery-expectations.csv` has the expected outcomes.
    pub subjects: Vec<String>,
}

/// Measures the FPR at each point of a sweep.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fpr {
    pub sweep: Sweep,
    pub points: Profiled<Vec<f64>>,
    pub capacity: u64,
    /// The target FPR of all points in a sweep over load; not given in other sweeps.
    pub target_fpr: Option<f64>,
    pub filters: Vec<String>,
    pub replicates: Profiled<u32>,
    /// The expected number of false positives per point of the sweep, summed over its replicates.
    pub hits: Profiled<u64>,
    /// Maximum number of non-members looked up in one replicate.
    pub max_non_members: Profiled<u64>,
}

/// The memory that filters allocate for a target FPR.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    pub capacities: Vec<u64>,
    pub target_fprs: Vec<f64>,
    pub filters: Vec<String>,
}

/// Churn: in every round, some keys are removed and others inserted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Churn {
    pub capacity: u64,
    pub target_fpr: f64,
    pub filters: Vec<String>,
    pub rounds: Profiled<u32>,
    /// The fraction of the keys that each round replaces.
    pub share: f64,
    pub replicates: Profiled<u32>,
    /// The expected number of false positives in one round of one replicate.
    pub hits: Profiled<u64>,
    /// Maximum number of non-members looked up in one round of one replicate.
    pub max_non_members: Profiled<u64>,
}

/// The table of an experiment definition; it says what to measure.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    Uniformity(&'a Uniformity),
    Fpr(&'a Fpr),
    Memory(&'a Memory),
    Churn(&'a Churn),
}

impl Kind<'_> {
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniformity(_) => "uniformity",
            Self::Fpr(_) => "fpr",
            Self::Memory(_) => "memory",
            Self::Churn(_) => "churn",
        }
    }
}

impl Experiment {
    /// The experiments that are built into the program, in the order in which a report shows them.
    pub fn shipped() -> Result<Vec<Self>> {
        let texts = [
            include_str!("../../experiments/uniformity.toml"),
            include_str!("../../experiments/fpr-over-bits.toml"),
            include_str!("../../experiments/fpr-over-load.toml"),
            include_str!("../../experiments/fpr-at-target.toml"),
            include_str!("../../experiments/growth.toml"),
            include_str!("../../experiments/growth-far.toml"),
            include_str!("../../experiments/churn.toml"),
            include_str!("../../experiments/memory.toml"),
        ];
        texts.into_iter().map(Self::parse).collect()
    }

    /// Reads the experiments in `files`. If there are no files, returns the built-in experiments
    /// with these names, or all built-in experiments if there are no names either.
    pub fn chosen(files: &[PathBuf], names: &[String]) -> Result<Vec<Self>> {
        if !files.is_empty() {
            let own = files.iter().map(|path| Self::read(path));
            let own: Vec<Self> = own.collect::<Result<_>>()?;
            for (i, one) in own.iter().enumerate() {
                if own[..i].iter().any(|other| other.name == one.name) {
                    bail!("two experiments are called {:?}: rename one", one.name);
                }
            }
            return Ok(own);
        }
        let mut shipped = Self::shipped()?;
        let is_known = |name: &&String| shipped.iter().any(|one| one.is_called(name));
        if let Some(name) = names.iter().find(|name| !is_known(name)) {
            let known = shipped.iter().map(|one| one.name.as_str());
            let known: Vec<&str> = known.chain(["fpr", "peers"]).collect();
            let hint = "`bouquet evaluate --help` shows all";
            bail!(unknown("experiment", name, &known, hint));
        }
        shipped.retain(|one| names.is_empty() || names.iter().any(|name| one.is_called(name)));
        Ok(shipped)
    }

    /// Reads a definition from a user's file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the experiment {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("wrong experiment in {}", path.display()))
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        definition::read::<Self>(text)?.checked()
    }

    /// Fails if the experiment would measure nothing or would never end.
    fn checked(self) -> Result<Self> {
        self.check()?;
        Ok(self)
    }

    /// Whether `name` is the experiment's name or its part before a hyphen, such as `fpr`.
    fn is_called(&self, name: &str) -> bool {
        let rest = self.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// Whether filters of other crates take part.
    pub fn has_peers(&self) -> bool {
        let filters: &[String] = match self.kind() {
            Kind::Uniformity(_) => &[],
            Kind::Fpr(table) => &table.filters,
            Kind::Memory(table) => &table.filters,
            Kind::Churn(table) => &table.filters,
        };
        filters.iter().any(|name| name.ends_with("peers"))
    }

    /// This experiment with another capacity and other target FPRs, if they are given. Growth
    /// experiments keep their capacity, because it determines how far a filter grows.
    pub fn resized(mut self, capacity: Option<u64>, target_fprs: &[f64]) -> Result<Self> {
        let is_of_growth = self.is_called("growth");
        let first = target_fprs.first().copied();
        if let Some(fpr) = &mut self.fpr {
            let capacity = capacity.filter(|_| !is_of_growth);
            fpr.capacity = capacity.unwrap_or(fpr.capacity);
            fpr.target_fpr = fpr.target_fpr.map(|own| first.unwrap_or(own));
            if fpr.sweep == Sweep::TargetFpr && first.is_some() {
                fpr.points = Profiled::One(target_fprs.to_vec());
            }
        }
        if let Some(churn) = &mut self.churn {
            churn.capacity = capacity.unwrap_or(churn.capacity);
            churn.target_fpr = first.unwrap_or(churn.target_fpr);
        }
        if let Some(memory) = &mut self.memory {
            memory.capacities = capacity.map_or(memory.capacities.clone(), |own| vec![own]);
            if first.is_some() {
                memory.target_fprs = target_fprs.to_vec();
            }
        }
        self.checked()
    }

    pub fn kind(&self) -> Kind<'_> {
        let kind = self.kinds().next();
        kind.unwrap_or_else(|| unreachable!("checked when it was made"))
    }

    fn kinds(&self) -> impl Iterator<Item = Kind<'_>> {
        let kinds = [
            self.uniformity.as_ref().map(Kind::Uniformity),
            self.fpr.as_ref().map(Kind::Fpr),
            self.memory.as_ref().map(Kind::Memory),
            self.churn.as_ref().map(Kind::Churn),
        ];
        kinds.into_iter().flatten()
    }
}
