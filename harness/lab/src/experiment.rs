//! Experiment definitions: what is measured, with the answer that is expected
//! and a paragraph on how to read it.

mod check;
#[cfg(feature = "peers")]
mod peers;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bouquet_ground::{definition, unknown::unknown};
use clap::ValueEnum;
use serde::Deserialize;

pub use check::MAX_BITS_PER_KEY;
pub(crate) use check::{MAX_KEYS, one_line};
#[cfg(feature = "peers")]
pub use peers::Peers;

bouquet_ground::named! {
    /// How much work a run does.
    #[derive(ValueEnum)]
    pub enum Profile {
        Quick = "quick",
        Default = "default",
        Full = "full",
    }
}

impl Profile {
    /// By the two flags of the command line.
    pub fn chosen(quick: bool, full: bool) -> Self {
        match (quick, full) {
            (true, _) => Self::Quick,
            (_, true) => Self::Full,
            _ => Self::Default,
        }
    }
}

/// A value for each profile, or one for all of them.
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
        let value = match (self, profile) {
            (Self::One(value), _) => value,
            (Self::Each { quick, .. }, Profile::Quick) => quick,
            (Self::Each { default, .. }, Profile::Default) => default,
            (Self::Each { full, .. }, Profile::Full) => full,
        };
        value.clone()
    }

    /// Quick, default, full.
    pub fn each(&self) -> [T; 3] {
        [Profile::Quick, Profile::Default, Profile::Full].map(|profile| self.at(profile))
    }
}

impl<T: Clone + PartialEq + From<u8>> Profiled<T> {
    fn has_0(&self) -> bool {
        self.each().contains(&0.into())
    }
}

/// One definition. It has exactly one of the tables.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    pub name: String,
    pub title: String,
    pub analysis: String,
    #[serde(default)]
    pub datasets: Vec<String>,
    /// About how long it takes on two cores.
    pub seconds: Profiled<f64>,
    pub uniformity: Option<Uniformity>,
    pub fpr: Option<Fpr>,
    pub memory: Option<Memory>,
    pub churn: Option<Churn>,
}

/// The battery on locations.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uniformity {
    pub slots: Vec<u64>,
    pub probes: u32,
    /// Keys of a generated set.
    pub keys: Profiled<u64>,
    /// Schemes and filters; what each must do, the table of expectations says.
    pub subjects: Vec<String>,
}

/// A sweep of the empirical FPR.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fpr {
    pub sweep: Sweep,
    pub points: Profiled<Vec<f64>>,
    pub capacity: u64,
    /// For a sweep over load, where it sets the size.
    pub target_fpr: Option<f64>,
    pub filters: Vec<String>,
    pub replicates: Profiled<u32>,
    /// False positives to expect in all replicates of a point together.
    pub hits: Profiled<u64>,
    /// Non-members asked for in one replicate, at most.
    pub max_non_members: Profiled<u64>,
}

bouquet_ground::named! {
    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Sweep {
        BitsPerKey = "bits-per-key",
        Load = "load",
        TargetFpr = "target-fpr",
    }
}

/// What filters allocate for a target.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    pub capacities: Vec<u64>,
    pub target_fprs: Vec<f64>,
    pub filters: Vec<String>,
}

/// Keys removed and others inserted, round after round.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Churn {
    pub capacity: u64,
    pub target_fpr: f64,
    pub filters: Vec<String>,
    pub rounds: Profiled<u32>,
    /// The share of the keys that a round replaces.
    pub share: f64,
    pub replicates: Profiled<u32>,
    /// False positives to expect in a round of one replicate.
    pub hits: Profiled<u64>,
    /// Non-members asked for in a round of one replicate, at most.
    pub max_non_members: Profiled<u64>,
}

/// The table of a definition.
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
    /// The definitions that the program brings along, in the order of a report.
    pub fn shipped() -> Result<Vec<Self>> {
        macro_rules! texts {
            ($($file:literal),*) => {
                [$(($file, include_str!(concat!("../../experiments/", $file)))),*]
            };
        }
        texts![
            "uniformity.toml",
            "fpr-over-bits.toml",
            "fpr-over-load.toml",
            "fpr-at-target.toml",
            "growth.toml",
            "growth-far.toml",
            "churn.toml",
            "memory.toml"
        ]
        .into_iter()
        .map(|(file, text)| Self::parse(text).with_context(|| format!("experiments/{file}")))
        .collect()
    }

    /// Those of these files, or else those with these names, or all that come along.
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
        let known: Vec<&str> = shipped.iter().map(|one| one.name.as_str()).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
            bail!(unknown(
                "experiment",
                name,
                &known,
                "`bouquet list` shows all"
            ));
        }
        shipped.retain(|one| names.is_empty() || names.contains(&one.name));
        Ok(shipped)
    }

    /// A definition from a file of the user's.
    pub fn read(path: &Path) -> Result<Self> {
        let text = definition::text(path)
            .with_context(|| format!("cannot read the experiment {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("wrong experiment in {}", path.display()))
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        let own = definition::read::<Self>(text)?;
        check::check_seconds(&own.seconds)?;
        own.checked()
    }

    /// A definition that a command makes, checked as those in files are.
    ///
    /// Fails if it would measure nothing, or forever.
    pub fn checked(self) -> Result<Self> {
        self.check()?;
        Ok(self)
    }

    /// What the experiment does.
    pub fn kind(&self) -> Kind<'_> {
        match self.kinds().next() {
            Some(kind) => kind,
            None => unreachable!("checked when it was made"),
        }
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
