use anyhow::{Result, bail};
use bouquet_core::{KeyHasher, Spec, Union as _};
use bouquet_counting::CountingBloom;
use bouquet_format::Header;
use bouquet_sharded::{MAX_DEFAULT_SHARDS, ShardedBloom};

use crate::{
    Facts, File, Fpr, Hasher, Snippet, Variant,
    counting::UNFOLDABLE,
    facts::{PLAIN, SNIPPET},
    nested, paper,
};

pub struct ShardedCounting;

impl<H: KeyHasher + 'static> File for ShardedBloom<CountingBloom<H>> {
    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
    }

    fn fold(self, _: f64) -> Result<Self> {
        bail!(UNFOLDABLE)
    }

    fn inner(&self) -> Option<Header> {
        nested::first_part(self)
    }
}

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
}
