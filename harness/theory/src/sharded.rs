//! Sharded filters: standard filters, of which the hash of a key selects one.

use anyhow::Result;
use bouquet_core::math::expected_fpr;
use bouquet_sharded::math::mean_over_loads;
use statrs::distribution::{Binomial, DiscreteCDF};

use super::{
    Answer, Form, Request,
    model::Model,
    search::smallest,
    solve::{describe, fill, settle},
    standard::array,
};

/// The probability that the fullest shard of a filter has more keys than `largest_shard`.
const RARE: f64 = 1e-3;

pub const SHARDED: Form = Form {
    name: "",
    about: "Standard filters picked by hash",
    takes: &["bits", "bits_per_key", "hashes", "shards"],
    answer,
};

fn answer(request: &Request) -> Result<Answer> {
    // The default number of shards of our filter for many keys.
    let shards = request
        .shards
        .unwrap_or(bouquet_sharded::MAX_DEFAULT_SHARDS);
    let fpr = |shard_bits, hashes, keys| {
        mean_over_loads(keys, shards, |load| expected_fpr(shard_bits, hashes, load))
    };
    let model = Model::new(shards.into(), &fpr);
    let settled = settle(request, &model)?;
    let (keys, shard_bits) = (settled.capacity, settled.units);
    let mut answer = describe(request, &model, &settled, shard_bits * u64::from(shards))?;
    let mean = keys as f64 / f64::from(shards);
    let exact = fpr(shard_bits, settled.hashes, keys);
    let balanced = expected_fpr(shard_bits, settled.hashes, mean.round() as u64);
    let in_shard = array(shard_bits, settled.hashes);
    fill(&mut answer, in_shard.in_shards(shards), keys);
    answer.set("shards", shards);
    answer.set("shard_bits", shard_bits);
    answer.set("shard_keys", mean);
    answer.set("balanced_fpr", balanced);
    answer.set("over_balanced", exact / balanced);
    if let Some(largest) = largest_load(keys, shards) {
        answer.set("largest_shard", largest as f64 / mean);
    }
    Ok(answer)
}

/// The load that the fullest shard exceeds in one of 1,000 filters, computed as if the shards were
/// independent.
fn largest_load(keys: u64, shards: u32) -> Option<u64> {
    let law = Binomial::new(1.0 / f64::from(shards), keys).ok()?;
    let rare = -((-RARE).ln_1p() / f64::from(shards)).exp_m1();
    smallest(keys / u64::from(shards), keys.max(1), |load| {
        law.sf(load) <= rare
    })
}
