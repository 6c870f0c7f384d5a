//! From flags and their ranges to what is asked.

use anyhow::{Result, bail};

use super::Args;
use bouquet_theory::{Ask, Filter, Range};

/// More answers than this are a slip of the pen.
const MOST_ROWS: usize = 10_000;

/// Every combination of what was given. A flag goes to those filters of which
/// it says something; to one it must.
pub fn asks(args: &Args) -> Result<Vec<Ask>> {
    let filters = &args.filter;
    let mut asks = vec![Ask {
        hash_bits: args.hash_bits,
        distinct: args.distinct,
        ..Ask::new(Filter::Standard)
    }];
    expand(&mut asks, &args.capacity, |ask, v| ask.capacity = Some(v))?;
    expand(&mut asks, &args.bits, |ask, v| ask.bits = Some(v))?;
    expand(&mut asks, &args.bits_per_key, |ask, v| {
        ask.bits_per_key = Some(v)
    })?;
    expand(&mut asks, &args.fpr, |ask, v| ask.fpr = Some(v))?;
    expand(&mut asks, &args.hashes, |ask, v| ask.hashes = Some(v))?;
    expand(&mut asks, &args.block_bits, |ask, v| {
        ask.block_bits = Some(v)
    })?;
    expand(&mut asks, &args.counter_bits, |ask, v| {
        ask.counter_bits = Some(v)
    })?;
    expand(&mut asks, &args.shards, |ask, v| ask.shards = Some(v))?;
    expand(&mut asks, &args.first_fpr, |ask, v| ask.first_fpr = Some(v))?;
    expand(&mut asks, &args.tightening, |ask, v| {
        ask.tightening = Some(v)
    })?;
    expand(&mut asks, &args.growth, |ask, v| ask.growth = Some(v))?;
    expand(&mut asks, &args.stages, |ask, v| ask.stages = Some(v))?;
    expand(&mut asks, &args.bucket, |ask, v| ask.bucket = Some(v))?;
    expand(&mut asks, &args.fingerprint_bits, |ask, v| {
        ask.fingerprint_bits = Some(v)
    })?;
    expand(&mut asks, &args.load, |ask, v| ask.load = Some(v))?;
    for (flag, is_of) in asks[0].given() {
        if !filters.iter().any(|filter| is_of(*filter)) {
            let names: Vec<_> = filters.iter().map(|filter| filter.name()).collect();
            let names = names.join(", ");
            bail!("{flag} says nothing of the filter {names}: leave it out");
        }
    }
    let mut all: Vec<Ask> = Vec::new();
    for ask in &asks {
        for filter in filters {
            let own = ask.of(*filter);
            // A range that says nothing of a filter repeats it.
            if filters.len() == 1 || !all.contains(&own) {
                all.push(own);
            }
        }
        if all.len() > MOST_ROWS {
            bail!("more than {MOST_ROWS} answers");
        }
    }
    Ok(all)
}

fn expand<T: Copy>(
    asks: &mut Vec<Ask>,
    range: &Option<Range<T>>,
    set: impl Fn(&mut Ask, T),
) -> Result<()> {
    let Some(Range(values)) = range else {
        return Ok(());
    };
    if asks.len() * values.len() > MOST_ROWS {
        bail!("the ranges multiply to more than {MOST_ROWS} answers");
    }
    let with = |ask: &Ask, value: &T| {
        let mut ask = ask.clone();
        set(&mut ask, *value);
        ask
    };
    *asks = asks
        .iter()
        .flat_map(|ask| values.iter().map(move |value| with(ask, value)))
        .collect();
    Ok(())
}
