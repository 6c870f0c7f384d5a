//! What is asked of the set.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::Deserialize;

use super::{
    candidates::Candidate,
    use_case::UseCase,
    value::{Bytes, Count, Fpr, Growth, Positive, Share, as_flag},
    work_cost::WorkCost,
};

/// What keys are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum KeyKind {
    /// Integers of 64 bits.
    U64,
    /// Texts, 59 bytes long.
    Url,
}

impl KeyKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::U64 => "u64",
            Self::Url => "url",
        }
    }
}

/// A workload as far as it was said; all of it can be left out but the number
/// of keys.
#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Wishes {
    /// Keys in a set.
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "as_flag")]
    pub capacity: Option<Count>,
    /// How many times the capacity the keys may become, or `unknown`. [default: 1]
    #[arg(long, value_name = "TIMES")]
    #[serde(deserialize_with = "as_flag")]
    pub growth: Option<Growth>,
    /// The FPR not to be passed, a share.
    #[arg(long, value_name = "P")]
    #[serde(deserialize_with = "as_flag")]
    pub fpr: Option<Fpr>,
    /// Memory for all sets together: 16MiB, 1.5GB.
    #[arg(long, value_name = "BYTES")]
    #[serde(deserialize_with = "as_flag")]
    pub memory: Option<Bytes>,
    /// The same by keys: bits for each of the capacity.
    #[arg(long, value_name = "BITS", conflicts_with = "memory")]
    #[serde(deserialize_with = "as_flag")]
    pub bits_per_key: Option<Positive>,
    /// Share of lookups that find a member. [default: 0.5]
    #[arg(long, value_name = "SHARE")]
    #[serde(deserialize_with = "as_flag")]
    pub hits: Option<Share>,
    /// What a needless lookup behind the filter costs: 80us, or l3-miss, ssd-read,
    /// same-dc-rpc, cross-region-rpc. [default: ssd-read]
    #[arg(long, value_name = "TIME")]
    #[serde(deserialize_with = "as_flag")]
    pub work_cost: Option<WorkCost>,
    /// Lookups in a set before it is built anew. [default: 10 a key]
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "as_flag")]
    pub lookups_per_build: Option<Count>,
    /// Threads that insert at the same time. [default: 1]
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "as_flag")]
    pub threads: Option<Count>,
    /// Sets like this, each with its own header. [default: 1]
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "as_flag")]
    pub filters_count: Option<Count>,
    /// Keys are removed.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub deletes: Option<bool>,
    /// All keys are there when it is built, and none comes later.
    #[arg(long = "static", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    #[serde(rename = "static")]
    pub is_static: Option<bool>,
    /// It is stored and read back.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub persist: Option<bool>,
    /// Several machines fill it: theirs are made one.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub shared: Option<bool>,
    /// Whoever asks may choose the keys.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub hostile: Option<bool>,
    /// What keys are, without --keys. [default: u64]
    #[arg(long, value_enum)]
    pub key_kind: Option<KeyKind>,
    /// Keys are integers below this: a bit for each may be the answer.
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "as_flag")]
    pub integers_below: Option<Count>,
    /// The user's own keys, one a line: measures on them.
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// A workload that is met often; flags go before it.
    #[arg(long, value_enum)]
    pub use_case: Option<UseCase>,
}

macro_rules! first_said {
    ($self:ident, $other:ident, $whence:ident, $said:ident; $($field:ident $name:literal),*) => {
        $(if $self.$field.is_none() && $other.$field.is_some() {
            $self.$field = $other.$field.clone();
            $said.insert($name, $whence.to_owned());
        })*
    };
}

impl Wishes {
    /// The wishes in a TOML file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or has something in it that is no wish.
    pub fn read(path: &std::path::Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the workload in {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("the workload in {}", path.display()))
    }

    /// Takes what others said and this one did not; `said` is told whence.
    fn fill(&mut self, other: &Self, whence: &str, said: &mut BTreeMap<&'static str, String>) {
        first_said!(self, other, whence, said;
            capacity "capacity", growth "growth", fpr "fpr",
            hits "hits", work_cost "work-cost", lookups_per_build "lookups-per-build",
            threads "threads", filters_count "filters-count", deletes "deletes",
            is_static "static", persist "persist", shared "shared", hostile "hostile",
            key_kind "key-kind", integers_below "integers-below", keys "keys",
            use_case "use-case");
        // Two ways to say one thing.
        if self.memory.is_none() && self.bits_per_key.is_none() {
            first_said!(self, other, whence, said; memory "memory", bits_per_key "bits-per-key");
        }
    }
}

/// A workload in full.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Keys in a set at first.
    pub capacity: u64,
    pub growth: Growth,
    pub fpr: Option<f64>,
    /// Bytes for all sets.
    pub memory: Option<f64>,
    pub hits: f64,
    pub work_cost: WorkCost,
    pub lookups_per_build: f64,
    pub threads: u64,
    pub filters: u64,
    pub deletes: bool,
    pub is_static: bool,
    pub persist: bool,
    pub shared: bool,
    pub hostile: bool,
    pub integers: bool,
    /// Bytes of a key, for sets that hold keys.
    pub key_bytes: f64,
    pub key_kind: KeyKind,
    pub integers_below: Option<u64>,
    /// Only these are asked; empty for all.
    pub only: Vec<Candidate>,
    /// What was not said on the command line: the name of the flag, its value,
    /// whence it comes.
    pub assumed: Vec<[String; 3]>,
}

/// What is known of the user's keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyFacts {
    pub keys: u64,
    pub mean_bytes: f64,
    /// All are integers, the largest this.
    pub largest: Option<u64>,
}

impl Workload {
    /// Of what was said, the file and the use case, in this order. `facts`:
    /// what was found in the user's keys.
    ///
    /// # Errors
    ///
    /// The number of keys is not known, or two wishes contradict each other.
    pub fn new(said: &Wishes, file: Option<&Wishes>, facts: Option<KeyFacts>) -> Result<Self> {
        let mut wishes = said.clone();
        let mut whence = BTreeMap::new();
        if let Some(file) = file {
            wishes.fill(file, "the workload file", &mut whence);
        }
        if let Some(case) = wishes.use_case {
            let words = format!("use case {}", case.name());
            wishes.fill(&case.wishes()?, &words, &mut whence);
        }
        let from_keys = facts
            .map(|facts| facts.keys)
            .filter(|_| said.capacity.is_none());
        if let Some(keys) = from_keys {
            wishes.capacity = Some(Count(keys));
            whence.insert("capacity", "the keys given".into());
        }
        let Some(Count(capacity)) = wishes.capacity else {
            bail!(
                "how many keys? Give --capacity 1e6, or --use-case crawler, or --keys FILE, which \
                 is counted"
            );
        };
        let mut own = Builder {
            whence,
            lines: Vec::new(),
        };
        let filters = own.take("filters-count", wishes.filters_count.map(|n| n.0), 1);
        let growth = own.take("growth", wishes.growth, Growth::Times(1.0));
        let is_static = own.take("static", wishes.is_static, false);
        let kind = own.kind(&wishes, facts);
        let workload = Self {
            capacity: own.said("capacity", capacity),
            growth,
            fpr: own.option("fpr", wishes.fpr.map(|fpr| fpr.0)),
            memory: own.memory(&wishes, capacity, filters),
            hits: own.take("hits", wishes.hits.map(|hits| hits.0), 0.5),
            work_cost: match (wishes.work_cost, WorkCost::named("ssd-read")) {
                (Some(cost), _) => own.said("work-cost", cost),
                (None, Some(cost)) => own.take("work-cost", None, cost),
                (None, None) => bail!("--work-cost is missing"),
            },
            lookups_per_build: own.take(
                "lookups-per-build",
                wishes.lookups_per_build.map(|n| n.0),
                capacity.saturating_mul(10),
            ) as f64,
            threads: own.take("threads", wishes.threads.map(|n| n.0), 1),
            filters,
            deletes: own.take("deletes", wishes.deletes, false),
            is_static,
            persist: own.take("persist", wishes.persist, false),
            shared: own.take("shared", wishes.shared, false),
            hostile: own.take("hostile", wishes.hostile, false),
            integers: kind == KeyKind::U64,
            key_bytes: facts.map_or(if kind == KeyKind::U64 { 8.0 } else { 59.0 }, |facts| {
                if kind == KeyKind::U64 {
                    8.0
                } else {
                    facts.mean_bytes
                }
            }),
            key_kind: kind,
            integers_below: own
                .option("integers-below", wishes.integers_below.map(|n| n.0))
                .or_else(|| facts?.largest?.checked_add(1)),
            only: Vec::new(),
            assumed: own.lines,
        };
        workload.check()?;
        Ok(workload)
    }

    fn check(&self) -> Result<()> {
        if self.is_static && (self.deletes || self.growth != Growth::Times(1.0)) {
            bail!(
                "a set that is --static takes no --deletes and no --growth: leave out the one that \
                 is not so"
            );
        }
        if let Some(below) = self.integers_below
            && below < self.capacity
        {
            bail!(
                "there are no {} different integers below {below}: raise --integers-below",
                self.capacity
            );
        }
        if self.hits >= 1.0 {
            bail!(
                "with --hits 1 every lookup goes to the work behind: no filter saves any, and the \
                 work itself is the answer"
            );
        }
        Ok(())
    }

    /// The keys in a set in the end; where nobody knows, ten times the first.
    pub fn final_keys(&self) -> u64 {
        let times = match self.growth {
            Growth::Times(times) => times,
            Growth::Unknown => 10.0,
        };
        (self.capacity as f64 * times).ceil().min(u64::MAX as f64) as u64
    }

    /// Who is asked; no filter at all is always one of them.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> {
        let asked = |candidate: &Candidate| {
            self.only.is_empty() || *candidate == Candidate::None || self.only.contains(candidate)
        };
        Candidate::ALL.into_iter().filter(asked)
    }

    pub fn grows(&self) -> bool {
        self.growth != Growth::Times(1.0)
    }
}

/// Fields with whence they come.
struct Builder {
    whence: BTreeMap<&'static str, String>,
    lines: Vec<[String; 3]>,
}

impl Builder {
    fn tell(&mut self, name: &str, value: &str, whence: &str) {
        self.lines
            .push([name.to_owned(), value.to_owned(), whence.to_owned()]);
    }

    /// A value that was said, told if it was not said by a flag.
    fn said<T: std::fmt::Display>(&mut self, name: &'static str, value: T) -> T {
        if let Some(whence) = self.whence.get(name).cloned() {
            self.tell(name, &value.to_string(), &whence);
        }
        value
    }

    fn take<T: std::fmt::Display>(&mut self, name: &'static str, value: Option<T>, or: T) -> T {
        match value {
            Some(value) => self.said(name, value),
            None => {
                self.tell(name, &or.to_string(), "assumed");
                or
            }
        }
    }

    fn option<T: std::fmt::Display>(&mut self, name: &'static str, value: Option<T>) -> Option<T> {
        value.map(|value| self.said(name, value))
    }

    fn memory(&mut self, wishes: &Wishes, capacity: u64, filters: u64) -> Option<f64> {
        if let Some(bytes) = wishes.memory {
            return Some(self.said("memory", bytes).0);
        }
        let bits = wishes.bits_per_key.map(|bits| bits.0);
        if bits.is_none() {
            self.tell("memory", "32 bits a key for filters", "assumed");
        }
        let bits = self.option("bits-per-key", bits)?;
        Some(bits * capacity as f64 * filters as f64 / 8.0)
    }

    fn kind(&mut self, wishes: &Wishes, facts: Option<KeyFacts>) -> KeyKind {
        match facts {
            Some(facts) if facts.largest.is_some() => {
                self.tell("key-kind", "u64", "every line of the keys is an integer");
                KeyKind::U64
            }
            Some(_) => {
                self.tell("key-kind", "lines as they are", "the keys given");
                KeyKind::Url
            }
            None if wishes.integers_below.is_some() => KeyKind::U64,
            None => match wishes.key_kind {
                Some(kind) => {
                    if let Some(whence) = self.whence.get("key-kind").cloned() {
                        self.tell("key-kind", kind.name(), &whence);
                    }
                    kind
                }
                None => {
                    self.tell("key-kind", "u64", "assumed");
                    KeyKind::U64
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_go_before_the_file_and_the_file_before_the_use_case() {
        let said = Wishes {
            capacity: Some(Count(7_000)),
            use_case: Some(UseCase::Crawler),
            ..Wishes::default()
        };
        let file = Wishes {
            capacity: Some(Count(5)),
            fpr: Some(Fpr(0.2)),
            ..Wishes::default()
        };
        let workload = Workload::new(&said, Some(&file), None).unwrap();
        assert_eq!((workload.capacity, workload.fpr), (7_000, Some(0.2)));
        assert_eq!((workload.growth, workload.hits), (Growth::Unknown, 0.7));
        let whence = |name: &str| {
            let line = workload.assumed.iter().find(|line| line[0] == name);
            line.map(|line| line[2].as_str())
        };
        assert_eq!(whence("capacity"), None);
        assert_eq!(whence("fpr"), Some("the workload file"));
        assert_eq!(whence("hits"), Some("use case crawler"));
        assert_eq!(whence("deletes"), Some("assumed"));
    }

    #[test]
    fn wishes_that_contradict_each_other_are_told() {
        let wishes = Wishes {
            capacity: Some(Count(100)),
            is_static: Some(true),
            deletes: Some(true),
            ..Wishes::default()
        };
        assert!(Workload::new(&wishes, None, None).is_err());
        assert!(Workload::new(&Wishes::default(), None, None).is_err());
    }

    #[test]
    fn toml_knows_the_names_of_the_flags_alone() {
        let wishes: Wishes = toml::from_str(
            "capacity = 1e6\nmemory = \"2MiB\"\nwork-cost = \"80us\"\nstatic = true",
        )
        .unwrap();
        assert_eq!(wishes.capacity, Some(Count(1_000_000)));
        assert_eq!(wishes.is_static, Some(true));
        assert!(toml::from_str::<Wishes>("capacty = 3").is_err());
        assert!(toml::from_str::<Wishes>("fpr = 3").is_err());
    }
}
