use anyhow::Result;
use bouquet_core::{Spec, Union as _};
use bouquet_counting::CountingBloom;
use bouquet_sharded::{MAX_DEFAULT_SHARDS, ShardedBloom};

use crate::{
    Facts, Fpr, Hasher, Snippet, Variant,
    facts::{PLAIN, SNIPPET},
    paper,
};

pub struct ShardedCounting;

impl Variant for ShardedCounting {
    const FACTS: Facts = Facts {
        name: "sharded-counting",
        removes: true,
        counts: true,
        concurrent: true,
        virtue: "threads fill it and remove from it, a lock a shard",
        plainness: 140,
        parts: MAX_DEFAULT_SHARDS,
        snippet: Snippet {
            package: "sharded",
            filter: "ShardedBloom",
            full: "ShardedBloom<CountingBloom<H>>",
            of: Some(("counting", "CountingBloom")),
            ..SNIPPET
        },
        ..PLAIN
    };

    type Filter<H: Hasher> = ShardedBloom<CountingBloom<H>>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(ShardedBloom::with_hasher(spec, hasher)?)
    }

    fn paper(_: u64, spec: &Spec) -> Result<(f64, Fpr)> {
        paper::shards::<CountingBloom>(spec)
    }

    fn union<H: Hasher>(filter: &mut Self::Filter<H>, other: &Self::Filter<H>) -> Result<()> {
        Ok(filter.union_with(other)?)
    }
}
