//! What is guarded: a definition in TOML, the one that comes along or the
//! user's.

mod check;
mod chosen;
mod raw;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, path::Path, slice, sync::Arc};

use anyhow::{Context, Result, bail, ensure};

use self::raw::{Raw, RawFilter, RawKeys};
use super::SEED;
use crate::experiment::{MAX_BITS_PER_KEY, MAX_KEYS, one_line};
use crate::measure::Fitted;
use crate::plan::Catalogue;
use crate::registry::{Entry, Options, Size, Subject, members};
use crate::schemes::{MakeLocator, Wanted};
use crate::workload::KeySet;
use bouquet_ground::definition;
use bouquet_ground::groups::distinct;
use bouquet_ground::record::{Configuration, GATE_CONTROL, GATE_REFERENCE, Keys};
use bouquet_ground::unknown::unknown;

/// Where keys that are made up come from.
const MADE_UP: u64 = 7;

/// A filter as it is configured, with its keys.
#[derive(Clone)]
pub struct Guarded {
    pub name: String,
    pub entry: Arc<Entry>,
    pub capacity: u64,
    pub size: Size,
    pub keys: Arc<KeySet>,
    /// How many times the keys there are those that it will have.
    pub growth: f64,
    /// Its own, if it has one.
    pub seed: Option<u64>,
    pub options: Options,
}

impl Guarded {
    pub fn make(&self, seed: u64) -> Result<Box<dyn Subject>> {
        self.fitted(self.capacity, 0, seed).make()
    }

    /// The same for so many keys, as what measures has it.
    pub fn fitted(&self, capacity: u64, replicate: u32, seed: u64) -> Fitted {
        Fitted {
            experiment: "gate".into(),
            filter: self.entry.clone(),
            keys: self.keys.clone(),
            capacity,
            size: self.size,
            replicate,
            seed,
            options: self.options,
        }
    }

    /// The same with the seed that it has, for what is the same in every run.
    pub fn fixed(&self, capacity: u64) -> Fitted {
        self.fitted(capacity, 0, self.seed.unwrap_or(SEED))
    }

    /// The same, given keys that are made up: as many as it is sized for.
    pub fn of_made_up_keys(&self) -> Result<Self> {
        let keys = KeySet::generated("made-up keys", "random-u64", MADE_UP)?;
        Ok(Self {
            keys: keys.into(),
            ..self.clone()
        })
    }

    /// How many keys it is given: those there are, at most its capacity.
    pub fn members(&self) -> u64 {
        self.keys.up_to(self.capacity)
    }

    /// What it is and what it is given: so many keys, in words, of its set.
    pub fn setting(&self, keys: &str) -> String {
        let size = match self.size {
            Size::TargetFpr(fpr) => format!("a target of {fpr}"),
            Size::BitsPerKey(bits) => format!("{bits} bits per key"),
        };
        format!(
            "{}, {keys} of {}, {size}{}",
            self.entry.name,
            self.keys.name(),
            chosen::recorded(self.seed, &self.options).after(", ")
        )
    }

    fn configuration(&self) -> Configuration {
        let (target_fpr, bits_per_key) = self.size.columns();
        Configuration {
            name: self.name.clone(),
            filter: self.entry.name.into(),
            capacity: self.capacity,
            target_fpr,
            bits_per_key,
            keys: self.keys.name().into(),
            chosen: chosen::recorded(self.seed, &self.options),
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
    pub make: MakeLocator,
    pub at: Wanted,
}

impl Definition {
    /// The definition that comes along.
    pub fn shipped() -> Result<Self> {
        Self::parse(
            include_str!("../../../experiments/gate.toml"),
            Path::new("."),
        )
        .context("experiments/gate.toml")
    }

    /// A definition from a file; key files are named from where it is.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the definition {}", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Self::parse(&text, folder)
            .with_context(|| format!("wrong definition in {}", path.display()))
    }

    pub(super) fn parse(text: &str, folder: &Path) -> Result<Self> {
        let raw: Raw = definition::read(text)?;
        let known = Catalogue::new();
        check::check(&raw, &known)?;
        let sets = key_sets(&raw, folder)?;
        let mut guarded: Vec<Guarded> = Vec::new();
        for filter in &raw.filters {
            for name in members(&known.filters, slice::from_ref(&filter.filter)) {
                let filter = guard(&raw, filter, name, &known, &sets)?;
                if guarded.iter().any(|other| other.name == filter.name) {
                    bail!("two filters are called {:?}: give one a name", filter.name);
                }
                guarded.push(filter);
            }
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
        let known: Vec<&str> = self.filters.iter().map(|f| &*f.name).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(&&***name)) {
            let what = "filter of the definition";
            bail!(unknown(what, name, &known, "its file has all"));
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
        let key_set = |filter: &Guarded| {
            let row = filter.keys.row();
            Keys {
                name: row.dataset,
                keys: (!filter.keys.is_generated()).then_some(row.keys),
                sha256: row.sha256,
                generator: row.generator,
            }
        };
        distinct(self.filters.iter().map(key_set))
    }
}

type Sets = BTreeMap<String, Arc<KeySet>>;

fn key_sets(raw: &Raw, folder: &Path) -> Result<Sets> {
    let mut sets = Sets::new();
    for (name, keys) in &raw.key_sets {
        one_line("the key set", name)?;
        let set = match keys {
            RawKeys::File(file) => KeySet::read_file(name, &folder.join(file), b'\n')?.0,
            RawKeys::Generated { generator, seed } => KeySet::generated(name, generator, *seed)?,
        };
        sets.insert(name.clone(), Arc::new(set));
    }
    Ok(sets)
}

/// The filter `of`, by its own name or as one of a group.
fn guard(raw: &Raw, own: &RawFilter, of: &str, known: &Catalogue, sets: &Sets) -> Result<Guarded> {
    let name = own.name.clone().unwrap_or_else(|| of.to_owned());
    one_line("the filter", &name)?;
    if name == GATE_REFERENCE || name.starts_with(GATE_CONTROL) {
        bail!("{name}: a control has this name, whose rows are judged otherwise; take another");
    }
    let entry = named(known, of)?;
    let capacity = own.capacity.or(raw.capacity).unwrap_or(0);
    if !(1..=MAX_KEYS).contains(&capacity) {
        bail!("{name}: give a capacity from 1 to 2^32 keys");
    }
    let size = size(&name, raw, own)?;
    let keys = own.keys.as_ref().or(raw.keys.as_ref());
    let keys = keys.with_context(|| format!("{name}: name its keys, a set of [key_sets]"))?;
    let Some(keys) = sets.get(keys) else {
        bail!("{name}: [key_sets] has no set called {keys:?}");
    };
    let (seed, options) = chosen::chosen(&name, (raw, own), &entry, capacity, known)?;
    Ok(Guarded {
        seed,
        options,
        growth: growth(&name, raw, own, keys)?,
        name,
        entry,
        capacity,
        size,
        keys: keys.clone(),
    })
}

fn growth(name: &str, raw: &Raw, own: &RawFilter, keys: &KeySet) -> Result<f64> {
    let growth = own.growth.or(raw.growth).unwrap_or(1.0);
    let is_of_file = growth == 1.0 || !keys.is_generated();
    let most = MAX_KEYS as f64 / keys.len().max(1) as f64;
    ensure!(
        is_of_file && (1.0..=most.max(1.0)).contains(&growth),
        "{name}: a growth of {growth:?} is none; give how many times the keys of its file it will \
         have, at most 2^32 keys in all"
    );
    Ok(growth)
}

/// A size that can be wished for. Whether a filter can be made of it is measured:
/// where it cannot any more, the report says so.
fn size(name: &str, raw: &Raw, filter: &RawFilter) -> Result<Size> {
    match (filter.fpr.or(raw.fpr), filter.bits_per_key) {
        (_, Some(_)) if filter.fpr.is_some() => bail!("{name}: give fpr or bits_per_key, not both"),
        (_, Some(bits)) if bits > 0.0 && bits <= MAX_BITS_PER_KEY => Ok(Size::BitsPerKey(bits)),
        (_, Some(bits)) => {
            bail!("{name}: there are no {bits:?} bits_per_key; give more than 0, 4096 at most")
        }
        (Some(fpr), None) if fpr > 0.0 && fpr < 1.0 => Ok(Size::TargetFpr(fpr)),
        (Some(fpr), None) => bail!("{name}: there is no fpr of {fpr:?}; give one between 0 and 1"),
        (None, None) => bail!("{name}: give fpr or bits_per_key"),
    }
}

fn memory(raw: &Raw, known: &Catalogue) -> Result<Vec<(Arc<Entry>, u64, f64)>> {
    let mut all = Vec::new();
    for name in members(&known.filters, &raw.memory.filters) {
        let entry = named(known, name)?;
        for &capacity in &raw.memory.capacities {
            let of = |&fpr: &f64| (entry.clone(), capacity, fpr);
            all.extend(raw.memory.fprs.iter().map(of));
        }
    }
    Ok(all)
}

fn located(raw: &Raw, known: &Catalogue) -> Result<Vec<Located>> {
    let locations = &raw.locations;
    let mut all = Vec::new();
    let mut add = |name: String, make| {
        all.extend(locations.slots.iter().map(|&slots| Located {
            name: name.clone(),
            make,
            at: Wanted::new(slots, locations.probes, SEED),
        }));
    };
    for name in &locations.schemes {
        add(format!("scheme {name}"), known.scheme(name)?.make);
    }
    for name in members(&known.filters, &locations.filters) {
        match named(known, name)?.locate {
            Some(make) => add(name.into(), make),
            None if locations.filters.iter().any(|one| one == name) => {
                bail!("{name} does not give its locations")
            }
            None => {}
        }
    }
    Ok(all)
}

/// What a name means.
fn named(known: &Catalogue, name: &str) -> Result<Arc<Entry>> {
    // What a gate must find, which no list shows.
    #[cfg(any(test, feature = "faults"))]
    if let Some(entry) = crate::registry::known_faults()
        .into_iter()
        .find(|entry| entry.name == name)
    {
        return Ok(entry.into());
    }
    known.filter(name).cloned()
}
