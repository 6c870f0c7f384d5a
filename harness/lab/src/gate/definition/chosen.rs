//! What a definition chooses of a filter beside its size and its keys.

use anyhow::{Context, Result, bail};

use super::raw::{Raw, RawFilter};
use crate::plan::Catalogue;
use crate::registry::{Entry, Options, SEED, hashers};
use bouquet_ground::record::Chosen;

/// The seed, if there is one, and the rest; rejected where `entry` has no such thing.
pub fn chosen(
    name: &str,
    (raw, own): (&Raw, &RawFilter),
    entry: &Entry,
    capacity: u64,
    known: &Catalogue,
) -> Result<(Option<u64>, Options)> {
    let seed = own.seed.or(raw.seed);
    let hasher = own.hasher.as_deref().or(raw.hasher.as_deref());
    let options = Options {
        hasher: hasher.map(|hasher| hasher_of(name, hasher)).transpose()?,
        counter_bits: own.counter_bits,
        shards: own.shards,
        stage_growth: own.stage_growth,
        stage_tightening: own.stage_tightening,
    };
    let given = seed.map(|_| SEED).into_iter().chain(options.given());
    for option in given {
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
    (entry.check)(capacity, &options).with_context(|| name.to_owned())?;
    Ok((seed, options))
}

fn hasher_of(name: &str, hasher: &str) -> Result<&'static str> {
    let known = hashers().find(|known| *known == hasher);
    known.with_context(|| {
        format!(
            "{name}: there is no hasher {hasher:?} to be measured; there are {}, and none with a \
             secret key: a definition is no secret, and a filter is judged alike under every key",
            hashers().collect::<Vec<_>>().join(", ")
        )
    })
}

/// For the document.
pub fn recorded(seed: Option<u64>, options: &Options) -> Chosen {
    Chosen {
        hasher: options.hasher.map(str::to_owned),
        seed,
        counter_bits: options.counter_bits,
        shards: options.shards,
        stage_growth: options.stage_growth,
        stage_tightening: options.stage_tightening,
    }
}
