//! The gate's definition: a TOML file, built in or the user's, that lists the filters to guard.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, path::Path, slice, sync::Arc};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::SEED;
use crate::cells::Fitted;
use crate::experiment::{MAX_BITS_PER_KEY, MAX_KEYS, one_line};
use crate::plan::Catalogue;
use crate::registry::{self, Entry, Options, Size, Subject, hashers, members};
use crate::workload::KeySet;
use bouquet_record::definition;
use bouquet_record::groups::distinct;
use bouquet_record::unknown::unknown;
use bouquet_record::{Chosen, Configuration, GATE_CONTROL, GATE_REFERENCE, Keys};

/// The seed of generated keys that replace those of a file.
const MADE_UP: u64 = 7;

/// A definition as written in the file. The settings at the top apply to every filter that does not
/// override them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    capacity: Option<u64>,
    fpr: Option<f64>,
    keys: Option<String>,
    /// The future number of keys of a filter, as a multiple of the number of keys in its file.
    growth: Option<f64>,
    hasher: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    key_sets: BTreeMap<String, RawKeys>,
    #[serde(default, rename = "filter")]
    filters: Vec<RawFilter>,
}

/// The name of a file with one key per line, or a generator of keys.
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
    /// The name of the filter in the rows; if not given, the name of its variant.
    name: Option<String>,
    /// The name of a filter, or of a group of filters.
    filter: String,
    capacity: Option<u64>,
    fpr: Option<f64>,
    bits_per_key: Option<f64>,
    keys: Option<String>,
    growth: Option<f64>,
    hasher: Option<String>,
    seed: Option<u64>,
    counter_bits: Option<u32>,
    shards: Option<u32>,
    stage_growth: Option<u32>,
    stage_tightening: Option<f64>,
}

/// A filter with its configuration and its keys.
#[derive(Clone)]
pub struct Guarded {
    pub name: String,
    pub entry: Arc<Entry>,
    pub capacity: u64,
    pub size: Size,
    pub keys: Arc<KeySet>,
    /// The future number of keys, as a multiple of the number of keys that are there now.
    pub growth: f64,
    /// The seed that the definition sets, if any.
    pub seed: Option<u64>,
    pub options: Options,
}

impl Guarded {
    pub fn make(&self, seed: u64) -> Result<Box<dyn Subject>> {
        self.fitted(self.capacity, 0, seed).make()
    }

    /// The same filter with another capacity, in the form in which it is measured.
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

    /// The seed of the filter in every run.
    pub fn fixed_seed(&self) -> u64 {
        self.seed.unwrap_or(SEED)
    }

    pub fn fixed(&self) -> Result<Box<dyn Subject>> {
        self.make(self.fixed_seed())
    }

    /// The same filter with generated keys, as many as it is sized for.
    pub fn of_made_up_keys(&self) -> Result<Self> {
        let keys = KeySet::generated("made-up keys", "random-u64", MADE_UP)?;
        Ok(Self {
            keys: keys.into(),
            ..self.clone()
        })
    }

    /// The future number of keys of the filter. A generated set has no end and provides as many
    /// keys as the filter is sized for.
    pub fn keys_in_the_end(&self) -> u64 {
        match self.keys.is_generated() {
            true => self.capacity,
            false => (self.keys.len() as f64 * self.growth).ceil() as u64,
        }
    }

    /// The number of keys that the filter is given: all keys of the set, but at most its capacity.
    pub fn members(&self) -> u64 {
        self.keys.up_to(self.capacity)
    }

    /// A description of the filter and its keys; `keys` says in words how many keys of the set it
    /// has.
    pub fn setting(&self, keys: &str) -> String {
        let size = match self.size {
            Size::TargetFpr(fpr) => format!("a target of {fpr}"),
            Size::BitsPerKey(bits) => format!("{bits} bits per key"),
        };
        format!(
            "{}, {keys} of {}, {size}{}",
            self.entry.name,
            self.keys.name(),
            self.chosen().after(", ")
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
            chosen: self.chosen(),
        }
    }

    /// The settings other than size and keys, for the records.
    fn chosen(&self) -> Chosen {
        let options = &self.options;
        Chosen {
            hasher: options.hasher.map(str::to_owned),
            seed: self.seed,
            counter_bits: options.counter_bits,
            shards: options.shards,
            stage_growth: options.stage_growth,
            stage_tightening: options.stage_tightening,
        }
    }
}

/// The guarded filters, ready to be measured.
pub struct Definition {
    pub filters: Vec<Guarded>,
}

impl Definition {
    /// The definition that is built into the program.
    pub fn shipped() -> Result<Self> {
        Self::parse(
            include_str!("../../../experiments/gate.toml"),
            Path::new("."),
        )
        .context("experiments/gate.toml")
    }

    /// Reads a definition from a file; the paths of key files are relative to its folder.
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
        ensure!(
            !raw.filters.is_empty(),
            "there is no [[filter]]: nothing would be guarded"
        );
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
        Ok(Self { filters: guarded })
    }

    /// Keeps only the filters with these names.
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
        Ok(())
    }

    /// The configurations of the filters, for the records.
    pub fn configurations(&self) -> Vec<Configuration> {
        self.filters.iter().map(Guarded::configuration).collect()
    }

    /// The key sets, for the records.
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

/// The filter with the name `of`, which the definition names itself or by a group.
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
    let options = options(&name, raw, own)?;
    let seed = own.seed.or(raw.seed);
    let given = seed.map(|_| registry::SEED).into_iter();
    for option in given.chain(options.given()) {
        if !entry.options.contains(&option) {
            let having = known
                .filters
                .iter()
                .filter(|one| one.options.contains(&option));
            let having: Vec<&str> = having.map(|one| one.name).collect();
            bail!(
                "{name}: {} has no {option}; what has it is {}",
                entry.name,
                having.join(", ")
            );
        }
    }
    (entry.check)(capacity, &options).with_context(|| name.clone())?;
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

fn options(name: &str, raw: &Raw, own: &RawFilter) -> Result<Options> {
    let known = |hasher: &String| {
        hashers().find(|known| known == hasher).with_context(|| {
            format!(
                "{name}: there is no hasher {hasher:?} to be measured; there are {}, and none with \
                 a secret key: a definition is no secret, and a filter is judged alike under every \
                 key",
                hashers().collect::<Vec<_>>().join(", ")
            )
        })
    };
    let hasher = own.hasher.as_ref().or(raw.hasher.as_ref());
    Ok(Options {
        hasher: hasher.map(known).transpose()?,
        counter_bits: own.counter_bits,
        shards: own.shards,
        stage_growth: own.stage_growth,
        stage_tightening: own.stage_tightening,
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

/// The size of a filter. Whether a filter of this size can be built is not checked here: if it
/// cannot, the report says so.
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

/// The filter with this name.
fn named(known: &Catalogue, name: &str) -> Result<Arc<Entry>> {
    // Filters with a known fault, which a gate must detect; no list shows them.
    #[cfg(any(test, feature = "faults"))]
    if let Some(entry) = registry::known_faults()
        .into_iter()
        .find(|entry| entry.name == name)
    {
        return Ok(entry.into());
    }
    known.filter(name).cloned()
}
