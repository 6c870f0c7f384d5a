use bouquet_counting::CountingBloom;
use bouquet_sharded::{MAX_DEFAULT_SHARDS, ShardedBloom};

use crate::{counting::UNFOLDABLE, prelude::*, sharded::shards};

pub struct ShardedCounting;

shards!([H: Hasher] CountingBloom<H>, ! UNFOLDABLE);

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
            is_default: false,
            of: Some(("counting", "CountingBloom")),
            ..Snippet::new("sharded", "ShardedBloom<CountingBloom<H>>")
        },
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::shards::<CountingBloom>;

    type Filter<H: Hasher> = ShardedBloom<CountingBloom<H>>;
}
