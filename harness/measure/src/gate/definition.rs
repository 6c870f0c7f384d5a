//! The gate's definition: a TOML file (built in or the user's) that lists the filters to measure.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, path::Path, slice, sync::Arc};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use toml::Spanned;

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

/// The seed of the generated keys that are used in place of the keys of a file.
const MADE_UP: u64 = 7;

/// The definition as written in the file. The settings at its top apply to every filter that does
/// not override them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    capacity: Option<u64>,
    fpr: Option<f64>,
    keys: Option<String>,
    /// The future number of keys, as a multiple of the number of keys in the key file.
    growth: Option<f64>,
    hasher: Option<String>,
    seed: Option<u64>,
    #[serde(default)]
    key_sets: BTreeMap<String, RawKeys>,
    #[serde(default, rename = "filter")]
    filters: Vec<Spanned<RawFilter>>,
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
    /// The name of the filter in reports; if not given, the name of its variant.
    name: Option<String>,
    /// The name of the filter's variant, or of a group of variants, which stands for a filter each.
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

/// A filter that the gate measures and compares with the baseline.
#[derive(Clone)]
pub struct Guarded {
    pub name: String,
    /// The filter's variant, size, seed, options and keys.
    pub of: Fitted,
    /// The future number of keys, divided by the number of keys that the key file has now.
    pub growth: f64,
    /// The seed that the definition sets, if any.
    pub seed: Option<u64>,
}

impl Guarded {
    pub fn make(&self, seed: u64) -> Result<Box<dyn Subject>> {
        let of = self.of.clone();
        Fitted { seed, ..of }.make()
    }

    /// This filter with generated keys in place of its own keys, as many as its capacity.
    pub fn of_made_up_keys(&self) -> Result<Self> {
        let keys = KeySet::generated("made-up keys", "random-u64", MADE_UP)?;
        let mut own = self.clone();
        own.of.keys = keys.into();
        Ok(own)
    }

    /// The future number of keys of the filter; with generated keys, its capacity.
    pub fn keys_in_the_end(&self) -> u64 {
        match self.of.keys.is_generated() {
            true => self.of.capacity,
            false => (self.of.keys.len() as f64 * self.growth).ceil() as u64,
        }
    }

    /// The number of keys to insert: all keys of the set, but at most the capacity of the filter.
    pub fn members(&self) -> u64 {
        self.of.keys.up_to(self.of.capacity)
    }

    /// A description of the filter and its keys. `keys` is the wording for the number of keys, for
    /// example `900 of 1000 keys`.
    pub fn setting(&self, keys: &str) -> String {
        let size = match self.of.size {
            Size::TargetFpr(fpr) => format!("a target of {fpr}"),
            Size::BitsPerKey(bits) => format!("{bits} bits per key"),
        };
        let (filter, set) = (self.of.filter.name, self.of.keys.name());
        let chosen = self.configuration().chosen.after_commas();
        format!("{filter}, {keys} of {set}, {size}{chosen}")
    }

    fn configuration(&self) -> Configuration {
        let (target_fpr, bits_per_key) = self.of.size.columns();
        let options = &self.of.options;
        Configuration {
            name: self.name.clone(),
            filter: self.of.filter.name.into(),
            capacity: self.of.capacity,
            target_fpr,
            bits_per_key,
            keys: self.of.keys.name().into(),
            chosen: Chosen {
                hasher: options.hasher.map(str::to_owned),
                seed: self.seed,
                counter_bits: options.counter_bits,
                shards: options.shards,
                stage_growth: options.stage_growth,
                stage_tightening: options.stage_tightening,
            },
        }
    }
}

/// The filters that the gate measures.
pub struct Definition {
    pub filters: Vec<Guarded>,
    /// The line on which the table of each filter begins.
    lines: BTreeMap<String, usize>,
}

impl Definition {
    pub fn shipped() -> Result<Self> {
        let text = include_str!("../../../experiments/gate.toml");
        Self::parse(text, Path::new(".")).context("experiments/gate.toml")
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
        let (mut filters, mut lines): (Vec<Guarded>, _) = (Vec::new(), BTreeMap::new());
        for own in &raw.filters {
            let line = 1 + text[..own.span().start].matches('\n').count();
            let own = own.get_ref();
            for of in members(&known.filters, slice::from_ref(&own.filter), &[]) {
                let name = own.name.as_deref().unwrap_or(of);
                one_line("the filter", name)?;
                ensure!(
                    name != GATE_REFERENCE && !name.starts_with(GATE_CONTROL),
                    "{name}: a control has this name, whose rows are judged otherwise; take another"
                );
                ensure!(
                    filters.iter().all(|other| other.name != name),
                    "two filters are called {name:?}: give one a name"
                );
                let filter = guard(&raw, own, of, name, &known, &sets);
                filters.push(filter.with_context(|| name.to_owned())?);
                lines.insert(name.to_owned(), line);
            }
        }
        Ok(Self { filters, lines })
    }

    /// Keeps only the filters with these names.
    ///
    /// Fails if a name is not in the definition.
    pub fn narrow(&mut self, names: &[String]) -> Result<()> {
        let known: Vec<&str> = self.filters.iter().map(|f| &*f.name).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(&&***name)) {
            let what = "filter of the gate's definition";
            bail!(unknown(
                what,
                name,
                &known,
                "the file of --define, or gate.toml, lists all"
            ));
        }
        let filters = &mut self.filters;
        filters.retain(|f| names.is_empty() || names.contains(&f.name));
        Ok(())
    }

    /// The line of a filter's table in the file; `None` if the definition lacks the filter.
    pub fn line(&self, name: &str) -> Option<usize> {
        self.lines.get(name).copied()
    }

    pub fn configurations(&self) -> Vec<Configuration> {
        self.filters.iter().map(Guarded::configuration).collect()
    }

    pub fn key_sets(&self) -> Vec<Keys> {
        let key_set = |filter: &Guarded| {
            let row = filter.of.keys.row();
            Keys {
                name: row.dataset,
                keys: (!filter.of.keys.is_generated()).then_some(row.keys),
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

/// Makes a filter of the variant `of`. Its settings are in `own`, the settings for all filters in
/// `raw`. If no filter of this size can be built, the measurement will report the error.
fn guard(
    raw: &Raw,
    own: &RawFilter,
    of: &str,
    name: &str,
    known: &Catalogue,
    sets: &Sets,
) -> Result<Guarded> {
    let filter = named(known, of)?;
    let capacity = own.capacity.or(raw.capacity).unwrap_or(0);
    let fpr = own.fpr.or(raw.fpr.filter(|_| own.bits_per_key.is_none()));
    let size = match (fpr, own.bits_per_key) {
        (Some(_), Some(_)) => bail!("give fpr or bits_per_key, not both"),
        (Some(fpr), _) if fpr > 0.0 && fpr < 1.0 => Size::TargetFpr(fpr),
        (_, Some(bits)) if bits > 0.0 && bits <= MAX_BITS_PER_KEY => Size::BitsPerKey(bits),
        _ => bail!(
            "give fpr or bits_per_key: a rate between 0 and 1, or a number above 0, \
             {MAX_BITS_PER_KEY} at most"
        ),
    };
    let set = own.keys.as_ref().or(raw.keys.as_ref());
    let set = set.context("name its keys, a set of [key_sets]")?;
    let keys = sets
        .get(set)
        .with_context(|| format!("[key_sets] has no set called {set:?}"))?;
    let growth = own.growth.or(raw.growth).unwrap_or(1.0);
    let is_known = |name: &String| {
        let names: Vec<&str> = hashers().collect();
        let known = names.iter().find(|known| *known == name).copied();
        known.with_context(|| unknown("hasher", name, &names, ""))
    };
    let hasher = own.hasher.as_ref().or(raw.hasher.as_ref());
    let options = Options {
        hasher: hasher.map(is_known).transpose()?,
        counter_bits: own.counter_bits,
        shards: own.shards,
        stage_growth: own.stage_growth,
        stage_tightening: own.stage_tightening,
    };
    let seed = own.seed.or(raw.seed);

    let most = (MAX_KEYS as f64 / keys.len().max(1) as f64).max(1.0);
    ensure!(
        (1..=MAX_KEYS).contains(&capacity),
        "give a capacity from 1 to 2^32 keys"
    );
    ensure!(
        growth == 1.0 || !keys.is_generated() && (1.0..=most).contains(&growth),
        "a growth of {growth:?} is none; give how many times the keys of its file it will have, at \
         most 2^32 keys in all"
    );
    let given = seed.map(|_| registry::SEED).into_iter();
    for option in given.chain(options.given()) {
        let is_known = filter.options.contains(&option);
        ensure!(is_known, "{} has no {option}: leave it out", filter.name);
    }
    (filter.check)(capacity, &options)?;
    let of = Fitted {
        experiment: "gate".into(),
        filter,
        keys: keys.clone(),
        capacity,
        size,
        replicate: 0,
        seed: seed.unwrap_or(SEED),
        options,
    };
    Ok(Guarded {
        name: name.to_owned(),
        of,
        growth,
        seed,
    })
}

fn named(known: &Catalogue, name: &str) -> Result<Arc<Entry>> {
    // Tests use filters with a known fault, which the gate must detect.
    #[cfg(any(test, feature = "faults"))]
    if let Some(entry) = registry::known_faults()
        .into_iter()
        .find(|entry| entry.name == name)
    {
        return Ok(entry.into());
    }
    known.filter(name).cloned()
}
