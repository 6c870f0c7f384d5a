use bouquet_counting::{CounterBits, CountingBloom, Geometry};
use bouquet_sharded::{MAX_DEFAULT_SHARDS, ShardedBloom};

use crate::{
    counting::Counting,
    options,
    prelude::*,
    sharded::{SHARDS, Sharded, check, located},
};

pub struct ShardedCounting;

impl FilterInfo for ShardedCounting {
    const FACTS: Facts = Facts {
        name: "sharded-counting",
        about: "Eight counting filters behind locks: threads insert keys and remove them",
        theory: Sharded::FACTS.theory,
        reference: Sharded::FACTS.reference,
        // It cannot be built for a number of bits per key.
        least_bits_per_key: f64::INFINITY,
        options: &[options::SHARDS],
        is_composed: true,
        removes: true,
        counts: true,
        concurrent: true,
        rationale: "threads fill it and remove from it, a lock a shard",
        simplicity_rank: 140,
        parts: MAX_DEFAULT_SHARDS,
        snippet: Snippet {
            is_default: false,
            of: Some(("counting", "CountingBloom")),
            ..Snippet::new("sharded", "ShardedBloom<CountingBloom<H>>")
        },
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::shards::<CountingBloom>;
    const BY_SIZE: Option<BySize> = Some(BySize::shards::<CountingBloom>());

    const GEOMETRY: Option<Geometries> = Some(|slots, probes, options| {
        let shards = options.shards.unwrap_or(SHARDS);
        let slots = slots / u64::from(shards);
        located(shards, Geometry::new(slots, probes, CounterBits::Four)?)
    });

    type Filter<H: Hasher> = ShardedBloom<CountingBloom<H>>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(ShardedBloom::with_hasher(spec, hasher)?)
    }

    fn check(capacity: u64, options: &Options) -> Result<()> {
        check(capacity, options)
    }

    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<Self::Filter<H>> {
        let shards = request.options.shards.unwrap_or(SHARDS);
        Ok(ShardedBloom::with_shards(request.spec()?, shards, hasher)?)
    }

    fn form<H: Hasher>(filter: &Self::Filter<H>, _: u64) -> Option<Form> {
        let (geometry, hashes) = (filter.geometry(), filter.hashes());
        Some(Form::Array(Array {
            groups: geometry.shards().into(),
            ..Array::whole(geometry.shard().counters(), hashes)
        }))
    }

    /// The words are copied, because the shards are behind locks and not accessible.
    fn words<H: Hasher>(filter: &Self::Filter<H>) -> Option<Vec<Vec<u64>>> {
        let shards = filter.clone().into_shards();
        let words = shards
            .iter()
            .map(Counting::words)
            .collect::<Option<Vec<_>>>();
        Some(words?.concat())
    }

    fn occupancy<H: Hasher>(filter: &Self::Filter<H>) -> Option<Occupancy> {
        Some(filter.geometry().occupancy())
    }

    fn remove<H: Hasher>(filter: &mut Self::Filter<H>, key: &[u8]) -> bool {
        filter.remove(key)
    }
}
