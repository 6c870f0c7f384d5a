//! The workload that a set is chosen for.

use std::fmt::Display;

use anyhow::{Context, Result, bail};
use bouquet_ground::record::AssumedRow;

use super::{
    candidates::Candidate,
    requirements::{KeyKind, Requirements},
    value::{Count, Growth, UseCase, WorkCost},
};

/// A workload with all values resolved.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The initial number of keys in a set.
    pub capacity: u64,
    pub growth: Growth,
    /// The FPR that the filter is sized for.
    pub fpr: Option<f64>,
    /// Whether a false positive is a loss instead of an unnecessary backing lookup.
    pub fp_is_loss: bool,
    /// The memory limit for all sets, in bytes.
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
    /// The bytes of a key, for sets that store keys.
    pub key_bytes: f64,
    pub key_kind: KeyKind,
    pub integers_below: Option<u64>,
    /// The candidates to consider; empty for all.
    pub only: Vec<Candidate>,
    /// The defaults assumed for values that the command line does not give.
    pub assumed: Vec<AssumedRow>,
}

/// The largest number of keys that any set is sized for.
const MOST_KEYS: u64 = 1_000_000_000_000;
/// The largest number of keys in all sets together, over all machines.
const MOST_IN_ALL: u64 = 1_000 * MOST_KEYS;

/// Facts about the user's keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyFacts {
    pub keys: u64,
    pub mean_bytes: f64,
    /// The largest key, if all keys are integers.
    pub largest: Option<u64>,
}

impl Workload {
    /// Resolves the requirements that were given with those of the use case. `facts` describes the
    /// user's keys.
    ///
    /// # Errors
    ///
    /// The number of keys is not known, or two requirements contradict each other.
    pub fn new(said: &Requirements, facts: Option<KeyFacts>) -> Result<Self> {
        let mut own = Resolved::new(said, facts)?;
        let filters = own.take(
            "filters-count",
            |required| Some(required.filters_count?.0),
            1,
        );
        let growth = own.take("growth", |required| required.growth, Growth::Times(1.0));
        let is_static = own.take("static", |required| required.is_static, false);
        let kind = own.kind(facts);
        let capacity = own.said("capacity", |required| Some(required.capacity?.0)).context(
            "how many keys? Give --capacity 1e6, or --use-case crawler, or --keys FILE, which is \
             counted",
        )?;
        let ten_a_key = growth.keys(capacity).saturating_mul(10);
        let fpr = own.said("fpr", |required| Some(required.fpr?.0));
        let fp_is_loss = own.take(
            "false-positive-loses",
            |required| required.false_positive_loses,
            false,
        );
        let usual = match fpr.is_some() {
            true => "what the FPR takes",
            false => "32 bits per key for filters",
        };
        let memory = own.memory(capacity, filters, usual);
        let lookups = |required: &Requirements| Some(required.lookups_per_build?.0);
        let workload = Self {
            capacity,
            growth,
            fpr,
            fp_is_loss,
            memory,
            hits: own.take("hits", |required| Some(required.hits?.0), 0.5),
            work_cost: own.take("work-cost", |required| required.work_cost, WorkCost::USUAL),
            lookups_per_build: own.take("lookups-per-build", lookups, ten_a_key) as f64,
            threads: own.take("threads", |required| Some(required.threads?.0), 1),
            filters,
            deletes: own.take("deletes", |required| required.deletes, false),
            is_static,
            persist: own.take("persist", |required| required.persist, false),
            shared: own.take("shared", |required| required.shared, false),
            hostile: own.take("hostile", |required| required.hostile, false),
            integers: kind == KeyKind::U64,
            key_bytes: match (kind, facts) {
                (KeyKind::U64, _) => 8.0,
                (KeyKind::Url, None) => 59.0,
                (KeyKind::Url, Some(facts)) => facts.mean_bytes,
            },
            key_kind: kind,
            integers_below: own
                .said("integers-below", |required| {
                    Some(required.integers_below?.0)
                })
                .max(facts.and_then(|facts| facts.largest?.checked_add(1))),
            only: Vec::new(),
            assumed: own.lines,
        };
        workload.check()?;
        Ok(workload)
    }

    fn check(&self) -> Result<()> {
        if self.final_keys() > MOST_KEYS {
            bail!(
                "--capacity: {} keys in the end are more than any machine holds: give up to {MOST_KEYS}",
                self.final_keys()
            );
        }
        let all = self.final_keys().checked_mul(self.filters);
        if all.is_none_or(|all| all > MOST_IN_ALL) {
            bail!(
                "filters-count: {} sets of {} keys are more than any machines hold: give up to \
                 {MOST_IN_ALL} keys in all",
                self.filters,
                self.final_keys()
            );
        }
        if self.is_static && (self.deletes || self.grows()) {
            bail!(
                "a set that is --static takes no --deletes and no --growth: leave out the one that \
                 is not so (--static=false, where a use case or a file says it)"
            );
        }
        let bounded = match self.growth {
            Growth::Times(_) => self.growth.keys(self.capacity),
            Growth::Unknown => self.capacity,
        };
        if let Some(below) = self.integers_below
            && below < bounded
        {
            let grown = match bounded > self.capacity {
                true => " (--capacity times --growth)",
                false => "",
            };
            bail!(
                "there are no {bounded} different integers{grown} below {below}: raise \
                 integers-below"
            );
        }
        if self.fp_is_loss && self.fpr.is_none() {
            bail!("false-positive-loses needs --fpr: which share of the absent keys may be lost?");
        }
        if self.fp_is_loss && self.hits <= 0.0 {
            bail!(
                "with false-positive-loses and --hits 0 every key goes to the backing lookup: no \
                 filter saves any, and each loses some"
            );
        }
        if !self.fp_is_loss && self.hits >= 1.0 {
            bail!(
                "with --hits 1 every key goes to the backing lookup: no filter saves any, so do without \
                 one (where a filter saves the backing lookups of members: \
                 false-positive-loses)"
            );
        }
        Ok(())
    }

    /// The share of lookups whose backing lookup would be unnecessary without a set in front: those
    /// for keys that are not in the set, or, if a false positive is a loss, for keys seen before.
    pub fn wasted(&self) -> f64 {
        if self.fp_is_loss {
            self.hits
        } else {
            1.0 - self.hits
        }
    }

    /// The share of lookups whose backing lookup is unnecessary with a set of this FPR.
    pub fn wasted_behind(&self, fpr: f64) -> f64 {
        if self.fp_is_loss {
            0.0
        } else {
            (1.0 - self.hits) * fpr
        }
    }

    /// The final number of keys in a set, as far as it is known.
    pub fn final_keys(&self) -> u64 {
        let keys = self.growth.keys(self.capacity);
        self.integers_below.map_or(keys, |below| keys.min(below))
    }

    /// The final number of keys relative to the initial number.
    pub fn grown(&self) -> f64 {
        self.final_keys() as f64 / self.capacity as f64
    }

    /// The candidates to consider, which always include no filter at all.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> {
        let asked = |candidate: &Candidate| {
            self.only.is_empty() || *candidate == Candidate::None || self.only.contains(candidate)
        };
        Candidate::all().into_iter().filter(asked)
    }

    pub fn grows(&self) -> bool {
        self.growth != Growth::Times(1.0)
    }
}

/// Requirements with their sources, in order of precedence; an empty source stands for the flags.
struct Resolved {
    layers: Vec<(String, Requirements)>,
    /// Values that no flag gave.
    lines: Vec<AssumedRow>,
}

impl Resolved {
    /// Resolves the flags, the file that they name, the user's keys and the use case, in this
    /// order.
    fn new(said: &Requirements, facts: Option<KeyFacts>) -> Result<Self> {
        let mut resolved = Self {
            layers: vec![(String::new(), said.clone())],
            lines: Vec::new(),
        };
        let mut case = said.use_case.clone();
        if let Some(file @ UseCase::File(_)) = &case {
            let (source, read) = Requirements::of(file)?;
            case = read.use_case.clone();
            if let Some(UseCase::File(other)) = &case {
                bail!(
                    "use-case in a workload file names a use case, and no other file as {}",
                    other.display()
                );
            }
            resolved.add(&source, read);
        }
        let counted = Requirements {
            capacity: facts.map(|facts| Count(facts.keys)),
            ..Requirements::default()
        };
        resolved.add("the keys given", counted);
        // A bound for integers implies that the keys are integers.
        let bounded = resolved.first(|required| required.integers_below);
        let bounded = Requirements {
            key_kind: bounded.map(|_| KeyKind::U64),
            ..Requirements::default()
        };
        resolved.add("", bounded);
        if let Some(case) = case {
            let (source, usual) = Requirements::of(&case)?;
            resolved.add(&source, usual);
        }
        Ok(resolved)
    }

    fn add(&mut self, source: &str, mut requirements: Requirements) {
        // `memory` and `bits-per-key` limit the same thing: a source with either overrides both.
        let is_bounded =
            |required: &Requirements| required.memory.is_some() || required.bits_per_key.is_some();
        if self
            .layers
            .iter()
            .any(|(_, requirements)| is_bounded(requirements))
        {
            (requirements.memory, requirements.bits_per_key) = (None, None);
        }
        self.layers.push((source.to_owned(), requirements));
    }

    /// The first value that any source gives, and that source.
    fn first<T>(&self, of: impl Fn(&Requirements) -> Option<T>) -> Option<(String, T)> {
        let mut layers = self.layers.iter();
        layers.find_map(|(source, requirements)| Some((source.clone(), of(requirements)?)))
    }

    fn tell(&mut self, flag: &str, value: &dyn Display, source: &str) {
        self.lines.push(AssumedRow {
            flag: flag.to_owned(),
            value: value.to_string(),
            source: source.to_owned(),
        });
    }

    /// A value that may be missing.
    fn said<T: Display>(
        &mut self,
        flag: &str,
        of: impl Fn(&Requirements) -> Option<T>,
    ) -> Option<T> {
        let (source, value) = self.first(of)?;
        if !source.is_empty() {
            self.tell(flag, &value, &source);
        }
        Some(value)
    }

    /// The same, with a default value.
    fn take<T: Display>(
        &mut self,
        flag: &str,
        of: impl Fn(&Requirements) -> Option<T>,
        or: T,
    ) -> T {
        self.said(flag, of).unwrap_or_else(|| {
            self.tell(flag, &or, "assumed");
            or
        })
    }

    /// The memory limit for `filters` sets of `capacity` keys; `usual` describes the default.
    fn memory(&mut self, capacity: u64, filters: u64, usual: &str) -> Option<f64> {
        if let Some(bytes) = self.said("memory", |required| required.memory) {
            return Some(bytes.0);
        }
        let Some(bits) = self.said("bits-per-key", |required| Some(required.bits_per_key?.0))
        else {
            self.tell("memory", &usual, "assumed");
            return None;
        };
        Some(bits * capacity as f64 * filters as f64 / 8.0)
    }

    fn kind(&mut self, facts: Option<KeyFacts>) -> KeyKind {
        let (kind, words, source) = match facts {
            Some(facts) if facts.largest.is_some() => {
                (KeyKind::U64, "u64", "every line of the keys is an integer")
            }
            Some(_) => (KeyKind::Url, "lines as they are", "the keys given"),
            None => return self.take("key-kind", |required| required.key_kind, KeyKind::U64),
        };
        self.tell("key-kind", &words, source);
        kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_go_before_the_file_and_the_file_before_the_use_case() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("workload.toml");
        let of = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let said = Requirements {
                capacity: Some(Count(7_000)),
                use_case: Some(UseCase::File(path.clone())),
                ..Requirements::default()
            };
            Workload::new(&said, None)
        };
        let workload = of("capacity = 5\nfpr = 0.2\nuse-case = \"crawler\"").unwrap();
        assert_eq!((workload.capacity, workload.fpr), (7_000, Some(0.2)));
        assert_eq!((workload.growth, workload.hits), (Growth::Unknown, 0.7));
        let source = |name: &str| {
            let line = workload.assumed.iter().find(|line| line.flag == name);
            line.map(|line| line.source.as_str())
        };
        assert_eq!(source("capacity"), None);
        assert_eq!(source("fpr"), Some("the workload file"));
        assert_eq!(source("hits"), Some("use case crawler"));
        assert_eq!(source("deletes"), Some("assumed"));
        assert!(of("use-case = \"other.toml\"").is_err());
    }

    fn of(text: &str, facts: Option<KeyFacts>) -> Result<Workload> {
        Workload::new(&Requirements::of_toml(text)?, facts)
    }

    #[test]
    fn what_cannot_all_be_so_of_the_keys_is_rejected() {
        let keys = |largest| {
            Some(KeyFacts {
                keys: 100,
                mean_bytes: 4.0,
                largest,
            })
        };
        for (text, facts, is_taken) in [
            ("integers-below = 900", keys(Some(900)), true),
            ("growth = 4\nintegers-below = 200", None, true),
            ("growth = 4\nintegers-below = 199", None, false),
        ] {
            let workload = of(&format!("capacity = 50\n{text}"), facts);
            assert_eq!(workload.is_ok(), is_taken, "{text}");
        }
        // Values of a use case are defaults, and give way.
        let workload = of("use-case = \"blocklist\"\nintegers-below = 1e7", None);
        assert_eq!(workload.unwrap().key_kind, KeyKind::U64);
        // The counted number of keys precedes that of a use case, but not a given number.
        let capacity = |text| of(text, keys(None)).unwrap().capacity;
        assert_eq!(capacity("capacity = 1e9"), 1_000_000_000);
        assert_eq!(capacity("use-case = \"crawler\""), 100);
    }

    #[test]
    fn the_keys_of_the_end_count() {
        for (text, want) in [
            ("growth = 4\nintegers-below = 4000", (4_000, 4.0, 4e4)),
            (
                "growth = \"unknown\"\nintegers-below = 5000",
                (5_000, 5.0, 1e5),
            ),
        ] {
            let all = of(&format!("capacity = 1000\n{text}"), None).unwrap();
            let got = (all.final_keys(), all.grown(), all.lookups_per_build);
            assert_eq!(got, want, "{text}");
        }
    }
}
