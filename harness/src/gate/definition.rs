//! What is guarded: a definition in TOML, the one that comes along or the
//! user's.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::{
    record::{Configuration, Keys},
    registry::{Ask, Entry, MakeLane, Size, filters, known_faults, racers},
    schemes::{Scheme, schemes},
    workload::KeySet,
};

/// The text of a definition, checked but for names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    /// For filters that do not say their own, as the next two.
    capacity: Option<u64>,
    fpr: Option<f64>,
    keys: Option<String>,
    #[serde(default)]
    key_sets: BTreeMap<String, RawKeys>,
    #[serde(default, rename = "filter")]
    filters: Vec<RawFilter>,
    memory: Option<RawMemory>,
    locations: Option<RawLocations>,
}

/// A file, one key a line, or generated keys.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected the name of a file, or a table with generator and seed"
)]
enum RawKeys {
    File(String),
    Generated {
        generator: String,
        #[serde(default)]
        seed: u64,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFilter {
    /// What its rows are called; the filter's own name if not given.
    name: Option<String>,
    filter: String,
    capacity: Option<u64>,
    fpr: Option<f64>,
    bits_per_key: Option<f64>,
    keys: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMemory {
    filters: Vec<String>,
    capacities: Vec<u64>,
    fprs: Vec<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLocations {
    #[serde(default)]
    schemes: Vec<String>,
    #[serde(default)]
    filters: Vec<String>,
    slots: Vec<u64>,
    probes: u32,
}

/// A filter as it is configured, with its keys.
pub struct Guarded {
    pub name: String,
    pub entry: Arc<Entry>,
    pub capacity: u64,
    pub size: Size,
    pub keys: Arc<KeySet>,
    /// Its loop for times, if it has one.
    pub lane: Option<MakeLane>,
}

impl Guarded {
    pub fn ask(&self, seed: u64) -> Ask {
        Ask {
            capacity: self.capacity,
            size: self.size,
            seed,
        }
    }

    /// How many keys it is given: those there are, at most its capacity.
    pub fn members(&self) -> u64 {
        if self.keys.is_generated() {
            self.capacity
        } else {
            self.capacity.min(self.keys.len())
        }
    }

    /// The size in words.
    pub fn size_in_words(&self) -> String {
        match self.size {
            Size::TargetFpr(fpr) => format!("a target of {fpr}"),
            Size::BitsPerKey(bits) => format!("{bits} bits a key"),
        }
    }

    fn configuration(&self) -> Configuration {
        let (target_fpr, bits_per_key) = match self.size {
            Size::TargetFpr(fpr) => (Some(fpr), None),
            Size::BitsPerKey(bits) => (None, Some(bits)),
        };
        Configuration {
            name: self.name.clone(),
            filter: self.entry.name.into(),
            capacity: self.capacity,
            target_fpr,
            bits_per_key,
            keys: self.keys.name().into(),
        }
    }
}

/// What is guarded, ready to be measured.
pub struct Definition {
    pub filters: Vec<Guarded>,
    /// Sizes for which filters are made, and nothing else.
    pub memory: Vec<(Arc<Entry>, u64, f64)>,
    pub located: Vec<Located>,
}

/// A scheme or filter whose locations are recorded.
pub struct Located {
    pub name: String,
    pub make: crate::schemes::MakeLocator,
    pub slots: u64,
    pub probes: u32,
}

impl Definition {
    /// The definition that comes along.
    pub fn shipped() -> Result<Self> {
        Self::parse(include_str!("../../experiments/gate.toml"), Path::new("."))
            .context("experiments/gate.toml")
    }

    /// A definition from a file; key files are named from where it is.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the definition {}", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Self::parse(&text, folder).with_context(|| format!("wrong definition {}", path.display()))
    }

    fn parse(text: &str, folder: &Path) -> Result<Self> {
        let raw: Raw = toml::from_str(text)?;
        if raw.filters.is_empty() {
            bail!("there is no [[filter]]: nothing would be guarded");
        }
        let known = Known::new();
        let sets = key_sets(&raw, folder)?;
        let mut guarded: Vec<Guarded> = Vec::new();
        for filter in &raw.filters {
            let filter = guard(&raw, filter, &known, &sets)?;
            if guarded.iter().any(|other| other.name == filter.name) {
                bail!("two filters are called {:?}: give one a name", filter.name);
            }
            guarded.push(filter);
        }
        Ok(Self {
            filters: guarded,
            memory: memory(&raw, &known)?,
            located: located(&raw, &known)?,
        })
    }

    /// Only these; sizes and schemes go with the whole alone.
    ///
    /// Fails if a name is not in the definition.
    pub fn narrow(&mut self, names: &[String]) -> Result<()> {
        if names.is_empty() {
            return Ok(());
        }
        let known: Vec<_> = self.filters.iter().map(|f| f.name.clone()).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            bail!(
                "the definition has no filter called {name:?}; it has {}",
                known.join(", ")
            );
        }
        self.filters.retain(|f| names.contains(&f.name));
        self.memory.clear();
        self.located.clear();
        Ok(())
    }

    /// For the document.
    pub fn configurations(&self) -> Vec<Configuration> {
        self.filters.iter().map(Guarded::configuration).collect()
    }

    /// The key sets, for the document.
    pub fn key_sets(&self) -> Vec<Keys> {
        let mut all: Vec<Keys> = Vec::new();
        for filter in &self.filters {
            let row = filter.keys.row();
            if all.iter().any(|keys| keys.name == row.dataset) {
                continue;
            }
            all.push(Keys {
                name: row.dataset,
                keys: (!filter.keys.is_generated()).then_some(row.keys),
                sha256: row.sha256,
                generator: row.generator,
            });
        }
        all
    }
}

/// What names may mean.
struct Known {
    filters: Vec<Arc<Entry>>,
    /// Filters with a known fault, which no list shows.
    faults: Vec<(Arc<Entry>, MakeLane)>,
    schemes: Vec<Scheme>,
}

impl Known {
    fn new() -> Self {
        let faults = known_faults().into_iter();
        Self {
            filters: filters().into_iter().map(Arc::new).collect(),
            faults: faults
                .map(|fault| (Arc::new(fault.entry), fault.make))
                .collect(),
            schemes: schemes(),
        }
    }

    fn filter(&self, name: &str) -> Result<(Arc<Entry>, Option<MakeLane>)> {
        if let Some((entry, make)) = self.faults.iter().find(|(entry, _)| entry.name == name) {
            return Ok((entry.clone(), Some(*make)));
        }
        let Some(entry) = self.filters.iter().find(|entry| entry.name == name) else {
            let known: Vec<_> = self.filters.iter().map(|entry| entry.name).collect();
            bail!(
                "no filter is called {name:?}; there are {}",
                known.join(", ")
            );
        };
        let racer = racers().into_iter().find(|racer| racer.name == name);
        Ok((entry.clone(), racer.map(|racer| racer.make)))
    }

    fn scheme(&self, name: &str) -> Result<&Scheme> {
        self.schemes
            .iter()
            .find(|scheme| scheme.name == name)
            .with_context(|| format!("no scheme is called {name:?}; see bouquet list"))
    }
}

type Sets = BTreeMap<String, Arc<KeySet>>;

fn key_sets(raw: &Raw, folder: &Path) -> Result<Sets> {
    let mut sets = Sets::new();
    for (name, keys) in &raw.key_sets {
        let set = match keys {
            RawKeys::File(file) => KeySet::read_file(name, &folder.join(file), b'\n')?.0,
            RawKeys::Generated { generator, seed } => KeySet::generated(name, generator, *seed)?,
        };
        sets.insert(name.clone(), Arc::new(set));
    }
    Ok(sets)
}

fn guard(raw: &Raw, filter: &RawFilter, known: &Known, sets: &Sets) -> Result<Guarded> {
    let name = filter.name.clone().unwrap_or_else(|| filter.filter.clone());
    let (entry, lane) = known.filter(&filter.filter)?;
    let capacity = filter.capacity.or(raw.capacity).unwrap_or(0);
    if !(1..=1 << 32).contains(&capacity) {
        bail!("{name}: give a capacity from 1 to 2^32 keys");
    }
    let size = match (filter.fpr, filter.bits_per_key, raw.fpr) {
        (Some(_), Some(_), _) => bail!("{name}: give fpr or bits_per_key, not both"),
        (_, Some(bits), _) => Size::BitsPerKey(bits),
        (Some(fpr), None, _) | (None, None, Some(fpr)) => Size::TargetFpr(fpr),
        (None, None, None) => bail!("{name}: give fpr or bits_per_key"),
    };
    let keys = filter.keys.as_ref().or(raw.keys.as_ref());
    let keys = keys.with_context(|| format!("{name}: name its keys, a set of [key_sets]"))?;
    let Some(keys) = sets.get(keys) else {
        bail!("{name}: [key_sets] has no set called {keys:?}");
    };
    let guarded = Guarded {
        name,
        entry,
        capacity,
        size,
        keys: keys.clone(),
        lane,
    };
    // What cannot be made is said before anything is measured.
    (guarded.entry.build)(&Ask {
        capacity: guarded.capacity.min(1_000),
        ..guarded.ask(0)
    })
    .with_context(|| format!("{} cannot be made", guarded.name))?;
    Ok(guarded)
}

fn memory(raw: &Raw, known: &Known) -> Result<Vec<(Arc<Entry>, u64, f64)>> {
    let Some(memory) = &raw.memory else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for name in &memory.filters {
        let (entry, _) = known.filter(name)?;
        for &capacity in &memory.capacities {
            for &fpr in &memory.fprs {
                all.push((entry.clone(), capacity, fpr));
            }
        }
    }
    Ok(all)
}

fn located(raw: &Raw, known: &Known) -> Result<Vec<Located>> {
    let Some(locations) = &raw.locations else {
        return Ok(Vec::new());
    };
    let mut makers = Vec::new();
    for name in &locations.schemes {
        makers.push((format!("scheme {name}"), known.scheme(name)?.make));
    }
    for name in &locations.filters {
        let (entry, _) = known.filter(name)?;
        let make = entry
            .locate
            .with_context(|| format!("{name} does not tell its locations"))?;
        makers.push((name.clone(), make));
    }
    let mut all = Vec::new();
    for (name, make) in makers {
        for &slots in &locations.slots {
            all.push(Located {
                name: name.clone(),
                make,
                slots,
                probes: locations.probes,
            });
        }
    }
    Ok(all)
}
