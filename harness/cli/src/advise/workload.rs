//! The workload for which a filter or an exact set is chosen.

use std::fmt::Display;

use anyhow::{Context, Result, bail, ensure};
use bouquet_record::{AssumedRow, of_csv};

use super::{
    candidates::Candidate,
    requirements::{Expires, Growth, KeyKind, Requirements, WorkCost, is_file},
};

/// A workload: the user's requirements, completed with defaults.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The initial number of keys in each filter.
    pub capacity: u64,
    pub growth: Growth,
    /// The FPR that the filter is sized for.
    pub fpr: Option<f64>,
    /// Whether a false positive is a loss instead of an unnecessary backing lookup.
    pub fp_is_loss: bool,
    /// The memory limit for all filters of the workload together, in bytes.
    pub memory: Option<f64>,
    pub hits: f64,
    /// The cost of a backing lookup, in nanoseconds.
    pub work_cost: f64,
    pub lookups_per_build: f64,
    pub threads: u64,
    pub processes: u64,
    pub filters: u64,
    pub deletes: bool,
    pub is_static: bool,
    pub expires: Option<Expires>,
    pub persist: bool,
    pub shared: bool,
    pub hostile: bool,
    pub integers: bool,
    /// The mean length of a key in bytes; exact sets store the keys.
    pub key_bytes: f64,
    pub key_kind: KeyKind,
    pub integers_below: Option<u64>,
    /// The candidates to consider; empty for all.
    pub only: Vec<Candidate>,
    /// The values that the command line does not give, with their sources.
    pub assumed: Vec<AssumedRow>,
}

/// The largest number of keys for which a recommendation is made.
pub const MOST_KEYS: u64 = 1_000_000_000_000;

/// Facts about the user's keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyFacts {
    pub keys: u64,
    pub mean_bytes: f64,
    /// The largest key, if all keys are integers.
    pub largest: Option<u64>,
}

impl Workload {
    /// Completes the given requirements with those of the use case and with defaults. `facts`
    /// describes the user's keys.
    ///
    /// # Errors
    ///
    /// The number of keys is not known, or two requirements contradict each other.
    pub fn new(given: &Requirements, facts: Option<KeyFacts>) -> Result<Self> {
        let mut own = Resolved::new(given, facts)?;
        let filters = own.or("filters-count", |all| all.filters_count, 1);
        let growth = own.or("growth", |all| all.growth, Growth::Times(1.0));
        let is_static = own.or("static", |all| all.is_static, false);
        let key_kind = own.kind(facts);
        let expires = own.given("expires", |all| all.expires);
        let window = match expires {
            Some(Expires::Keys(keys)) => Some(keys),
            _ => None,
        };
        let counted = match window {
            None => own.given("capacity", |all| all.capacity),
            keys => keys,
        };
        if let (Some(keys), Some(capacity)) = (window, given.capacity) {
            ensure!(
                keys == capacity,
                "--expires {keys} keys needs room for as many, but --capacity is {capacity}: leave out \
                 --capacity"
            );
        }
        let capacity = counted.context(
            "how many keys? Give --capacity 1e6, or --use-case crawler, or --keys FILE, whose keys \
             are counted",
        )?;
        let ten_a_key = growth.keys(capacity).saturating_mul(10);
        let fpr = own.given("fpr", |all| all.fpr);
        let loses: Of<bool> = |all| all.false_positive_loses;
        let fp_is_loss = own.or("false-positive-loses", loses, false);
        let mut memory = own.given("memory", |all| all.memory).map(|bytes| bytes.0);
        if memory.is_none() {
            let bits = own.given("bits-per-key", |all| all.bits_per_key);
            memory = bits.map(|bits| bits * capacity as f64 * filters as f64 / 8.0);
        }
        if memory.is_none() {
            let usual = ["32 bits per key for filters", "as much as the FPR needs"];
            own.tell("memory", &usual[usize::from(fpr.is_some())], "assumed");
        }
        let below = own.given("integers-below", |all| all.integers_below);
        let workload = Self {
            capacity,
            growth,
            fpr,
            fp_is_loss,
            memory,
            hits: own.or("hits", |all| all.hits, 0.5),
            work_cost: own.or("work-cost", |all| all.work_cost, WorkCost(100e3)).0,
            lookups_per_build: own.or("lookups-per-build", |all| all.lookups_per_build, ten_a_key)
                as f64,
            threads: own.or("threads", |all| all.threads, 1),
            processes: own.or("processes", |all| all.processes, 1),
            filters,
            deletes: own.or("deletes", |all| all.deletes, false),
            is_static,
            expires,
            persist: own.or("persist", |all| all.persist, false),
            shared: own.or("shared", |all| all.shared, false),
            hostile: own.or("hostile", |all| all.hostile, false),
            integers: key_kind == KeyKind::U64,
            key_bytes: match (key_kind, facts) {
                (KeyKind::U64, _) => 8.0,
                (KeyKind::Url, None) => 59.0,
                (KeyKind::Url, Some(facts)) => facts.mean_bytes,
            },
            key_kind,
            integers_below: below.max(facts.and_then(|facts| facts.largest?.checked_add(1))),
            only: Vec::new(),
            assumed: own.assumed,
        };
        workload.check()?;
        Ok(workload)
    }

    fn check(&self) -> Result<()> {
        let keys = self.final_keys();
        if keys > MOST_KEYS {
            bail!(
                "--capacity: {keys} keys, growth included, are too many: give at most {MOST_KEYS}"
            );
        }
        let rows: Vec<[String; 3]> = of_csv(include_bytes!("../../data/contradictions.csv"))?;
        for [one, other, remedy] in rows {
            if self.requires(&one) && self.requires(&other) {
                bail!("--{one} and --{other} contradict each other: {remedy}");
            }
        }
        let bounded = match self.growth {
            Growth::Times(_) => self.growth.keys(self.capacity),
            Growth::Unknown => self.capacity,
        };
        let below = self.integers_below.unwrap_or(u64::MAX);
        ensure!(
            bounded <= below,
            "--capacity times --growth is {bounded} keys, but only {below} different integers are \
             below integers-below: raise integers-below"
        );
        if self.fp_is_loss && self.fpr.is_none() {
            bail!("false-positive-loses needs --fpr: give the share of keys that may be lost");
        }
        ensure!(
            !self.fp_is_loss || self.hits > 0.0,
            "with false-positive-loses and --hits 0 every key needs the backing lookup, so a filter \
             saves nothing: use none, or raise --hits"
        );
        ensure!(
            self.fp_is_loss || self.hits < 1.0,
            "with --hits 1 every key needs the backing lookup, so a filter saves nothing: use none \
             (if it saves the lookups of members, add false-positive-loses)"
        );
        Ok(())
    }

    /// Whether the workload has a requirement that some other contradicts.
    fn requires(&self, flag: &str) -> bool {
        match flag {
            "deletes" => self.deletes,
            "expires" => self.expires.is_some(),
            "growth" => self.grows(),
            // With --shared, each process fills a filter of its own.
            "processes" => self.processes > 1 && !self.shared,
            "shared" => self.shared,
            _ => self.is_static,
        }
    }

    /// The share of backing lookups that are unnecessary without a filter: those for absent keys
    /// or, if a false positive is a loss, those for present keys.
    pub fn wasted(&self) -> f64 {
        if self.fp_is_loss {
            self.hits
        } else {
            1.0 - self.hits
        }
    }

    /// The share of lookups that cause an unnecessary backing lookup if a filter has this FPR.
    pub fn wasted_behind(&self, fpr: f64) -> f64 {
        if self.fp_is_loss {
            0.0
        } else {
            (1.0 - self.hits) * fpr
        }
    }

    /// The final number of keys in each filter; an estimate if the growth is unknown.
    pub fn final_keys(&self) -> u64 {
        let keys = self.growth.keys(self.capacity);
        self.integers_below.map_or(keys, |below| keys.min(below))
    }

    /// The final number of keys relative to the initial number.
    pub fn grown(&self) -> f64 {
        self.final_keys() as f64 / self.capacity as f64
    }

    /// The candidates to consider. `Candidate::None` is always among them.
    pub fn candidates(&self) -> impl Iterator<Item = Candidate> {
        let only = &self.only;
        let is_asked = |one: &Candidate| *one == Candidate::None || only.contains(one);
        let all = Candidate::all().into_iter();
        all.filter(move |one| only.is_empty() || is_asked(one))
    }

    pub fn grows(&self) -> bool {
        self.growth != Growth::Times(1.0)
    }
}

/// Requirements from all sources in order of precedence, each with the name of its source. Values
/// from a source without a name, such as the flags, are not listed in `assumed`.
struct Resolved {
    layers: Vec<(String, Requirements)>,
    /// The values that no flag gives.
    assumed: Vec<AssumedRow>,
}

/// A function that reads one requirement.
type Of<T> = fn(&Requirements) -> Option<T>;

impl Resolved {
    /// Collects the requirements from the flags, the file that they name, the user's keys and the
    /// use case, in this order of precedence.
    fn new(given: &Requirements, facts: Option<KeyFacts>) -> Result<Self> {
        let mut layers = vec![(String::new(), given.clone())];
        let mut case = given.use_case.clone();
        if let Some(file) = case.take_if(|case| is_file(case)) {
            let (source, read) = Requirements::of(&file)?;
            case.clone_from(&read.use_case);
            if case.as_deref().is_some_and(is_file) {
                bail!("use-case in {file} must name a use case, not another file");
            }
            layers.push((source, read));
        }
        // A bound for integers implies that the keys are integers.
        let mut all = layers.iter();
        let is_bounded = all.any(|(_, layer)| layer.integers_below.is_some());
        let [mut counted, mut bounded] = [(), ()].map(|()| Requirements::default());
        counted.capacity = facts.map(|facts| facts.keys);
        bounded.key_kind = is_bounded.then_some(KeyKind::U64);
        layers.push(("the keys given".into(), counted));
        layers.push((String::new(), bounded));
        layers.extend(case.map(|case| Requirements::of(&case)).transpose()?);
        // If a source has `memory` or `bits-per-key`, memory limits of later sources are ignored.
        let mut has_limit = false;
        for (_, layer) in &mut layers {
            if has_limit {
                (layer.memory, layer.bits_per_key) = (None, None);
            }
            has_limit |= layer.memory.is_some() || layer.bits_per_key.is_some();
        }
        let assumed = Vec::new();
        Ok(Self { layers, assumed })
    }

    fn tell(&mut self, flag: &str, value: &dyn Display, source: &str) {
        let (flag, value, source) = (flag.to_owned(), value.to_string(), source.to_owned());
        self.assumed.push(AssumedRow {
            flag,
            value,
            source,
        });
    }

    /// The value from the first source that has one.
    fn given<T: Display>(&mut self, flag: &str, of: Of<T>) -> Option<T> {
        let mut layers = self.layers.iter();
        let (source, value) = layers.find_map(|(source, layer)| Some((source, of(layer)?)))?;
        if !source.is_empty() {
            self.tell(flag, &value, &source.clone());
        }
        Some(value)
    }

    /// The value from the first source that has one, or else the default.
    fn or<T: Display>(&mut self, flag: &str, of: Of<T>, default: T) -> T {
        self.given(flag, of).unwrap_or_else(|| {
            self.tell(flag, &default, "assumed");
            default
        })
    }

    fn kind(&mut self, facts: Option<KeyFacts>) -> KeyKind {
        let Some(facts) = facts else {
            let kind = self.layers.iter().find_map(|(_, layer)| layer.key_kind);
            let kind = kind.unwrap_or(KeyKind::U64);
            let name: Of<&str> = |all| all.key_kind.map(KeyKind::name);
            self.or("key-kind", name, kind.name());
            return kind;
        };
        let (kind, words, source) = match facts.largest {
            Some(_) => (KeyKind::U64, "u64", "every line of the keys is an integer"),
            None => (KeyKind::Url, "lines as they are", "the keys given"),
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
                capacity: Some(7_000),
                use_case: Some(path.display().to_string()),
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
        // The values of a use case are defaults: other flags override them.
        let workload = of("use-case = \"blocklist\"\nintegers-below = 1e7", None);
        assert_eq!(workload.unwrap().key_kind, KeyKind::U64);
        // The number of counted keys overrides a use case's capacity, but not a given `capacity`.
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
