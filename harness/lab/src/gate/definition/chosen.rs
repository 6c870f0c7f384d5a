//! What a definition chooses of a filter beside its size and its keys.

use anyhow::{Context, Result, bail};

use super::raw::{Raw, RawFilter};
use crate::plan::Catalogue;
use crate::registry::{Entry, Options, SEED};
use bouquet_catalogue as catalogue;
use bouquet_ground::record::Chosen;

/// The seed, if there is one, and the rest; refused where `entry` has no such thing.
pub fn chosen(
    name: &str,
    (raw, own): (&Raw, &RawFilter),
    entry: &Entry,
    capacity: u64,
    known: &Catalogue,
) -> Result<(Option<u64>, Options)> {
    if own.layout.is_some() {
        let layouts: Vec<&str> = catalogue::blocked().collect();
        bail!(
            "{name}: there is no layout to be given: each is a filter of its own; give filter = \
             one of {}",
            layouts.join(", ")
        );
    }
    let seed = own.seed.or(raw.seed);
    let options = Options {
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

/// For the document.
pub fn recorded(seed: Option<u64>, options: &Options) -> Chosen {
    Chosen {
        hasher: None,
        seed,
        counter_bits: options.counter_bits,
        shards: options.shards,
        stage_growth: options.stage_growth,
        stage_tightening: options.stage_tightening,
    }
}
