use bouquet_scalable::SharedScalable;
use bouquet_sharded::MAX_DEFAULT_SHARDS;
use bouquet_standard::StandardBloom;

use crate::{
    in_shards, options,
    prelude::*,
    scalable::Scalable,
    sharded::{SHARDS, check},
};

pub struct ShardedScalable;

catalogue_filter! {
    [F: Nested] SharedScalable<F>: insert, insert_batch,
    !"scalable filters cannot be united within their target: build one of the keys of both";

    #[inline(always)]
    fn insert_one_shared<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.insert(key)
    }

    #[inline(always)]
    fn insert_many_shared<K: Key>(&self, keys: &[K]) -> u64 {
        self.insert_batch(keys) as u64
    }

    fn counted_keys(&self) -> Option<u64> {
        Some(self.keys())
    }

    fn keys_left(&self, _: f64) -> Option<u64> {
        None
    }

    fn inner(&self) -> Option<Header> {
        nested::first_part(self)
    }
}

impl FilterInfo for ShardedScalable {
    const FACTS: Facts = Facts {
        name: "sharded-scalable",
        about: "Eight scalable filters behind locks: threads make them grow",
        theory: Scalable::FACTS.theory,
        reference: None,
        // It cannot be built for a number of bits per key.
        least_bits_per_key: f64::INFINITY,
        options: &[options::SHARDS],
        is_composed: true,
        grows: true,
        concurrent: true,
        unites: Unites::Never,
        rationale: "it grows with its keys, which threads insert, a lock a shard",
        simplicity_rank: 115,
        parts: MAX_DEFAULT_SHARDS,
        snippet: Snippet::new("scalable", "SharedScalable<StandardBloom<H>>"),
        ..PLAIN
    };
    const SIZING: SizingFn =
        |at_first, spec| in_shards::sizing(Scalable::SIZING, true, at_first, spec);

    type Filter<H: Hasher> = SharedScalable<StandardBloom<H>>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(SharedScalable::with_hasher(spec, hasher)?)
    }

    fn check(capacity: u64, options: &Options) -> Result<()> {
        check(capacity, options)
    }

    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<Self::Filter<H>> {
        let shards = request.options.shards.unwrap_or(SHARDS);
        Ok(SharedScalable::with_shards(
            request.spec()?,
            shards,
            hasher,
        )?)
    }
}
