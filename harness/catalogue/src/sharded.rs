use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Layout};
use bouquet_core::{Inner, Inspect as _, KeyHasher, SeededHasher, Spec};
use bouquet_format::{Decode, Header, variant::SHARDED};
use bouquet_hash::Xxh3;
use bouquet_partitioned::PartitionedBloom;
use bouquet_sharded::{MAX_DEFAULT_SHARDS, ShardedBloom, ShardedGeometry};
use bouquet_standard::{Geometry, StandardBloom};

use crate::{
    Colour, Facts, File, Fpr, Hasher, Judged, Load, Look, Marker, Part, Shape, Snippet, Stroke,
    Variant,
    facts::{PLAIN, SNIPPET},
    file::file,
    groups::fpr_spread,
    methods,
    nested::{self, Nest},
    paper, variant,
};

pub struct Sharded;

/// Shards of one that is judged: at some thousand keys each has a thousand, and two
/// threads seldom meet.
const SHARDS: u32 = 8;

methods!([F: Inner] ShardedBloom<F>, takes_all);
file! {
    [H: KeyHasher + 'static] ShardedBloom<StandardBloom<H>>, fn inner(&self) -> Option<Header> {
        nested::first_part(self)
    };
    [H: KeyHasher + 'static] ShardedBloom<PartitionedBloom<H>>, fn inner(&self) -> Option<Header> {
        nested::first_part(self)
    };
    [L: Layout + 'static, H: KeyHasher + 'static] ShardedBloom<BlockedBloom<L, H>>, fn inner(&self) -> Option<Header> {
        nested::first_part(self)
    };
}

impl Nest for Sharded {
    fn load<F, L: Load>(load: &L) -> Result<L::Held>
    where
        F: Inner + File + Decode<Hasher = <F as Inner>::Hasher>,
        <F as Inner>::Hasher: SeededHasher,
        ShardedBloom<F>: File,
    {
        load.load::<ShardedBloom<F>>()
    }
}

pub const COLOUR: Colour = Colour {
    place: 60,
    class: "sharded",
    day: 0x56b4e9,
    night: 0x7cc8f2,
};

impl Variant for Sharded {
    const FACTS: Facts = Facts {
        name: "sharded",
        about: "Eight standard filters behind locks, each key in the one that its hash picks",
        about_plain: Some(
            "ShardedBloom: standard filters behind locks, one a thousand keys but 64 at most; \
             each key is in one of them",
        ),
        about_file: Some("Shards, for threads of a program"),
        inner_header: Some(1),
        theory: "the mean of the classic exact form over the keys that a shard gets by chance",
        concurrent: true,
        look: Look {
            colour: COLOUR,
            marker: Marker::Cross,
            stroke: Stroke::Solid,
        },
        virtue: "threads fill it, each key under the lock of its shard",
        plainness: 100,
        parts: MAX_DEFAULT_SHARDS,
        snippet: Snippet {
            package: "sharded",
            filter: "ShardedBloom",
            imports: &["StandardBloom"],
            full: "ShardedBloom<StandardBloom<H>>",
            ..SNIPPET
        },
        ..PLAIN
    };

    type Filter<H: Hasher> = ShardedBloom<StandardBloom<H>>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(ShardedBloom::with_hasher(spec, hasher)?)
    }

    fn paper(_: u64, spec: &Spec) -> Result<(f64, Fpr)> {
        paper::shards::<StandardBloom>(spec)
    }
}

impl Judged for Sharded {
    type Geometry = ShardedGeometry<Geometry>;

    fn geometry(slots: u64, probes: u32) -> Result<(Self::Geometry, Vec<Part>)> {
        let shard = Geometry::new(slots / u64::from(SHARDS), probes)?;
        let parts = vec![
            Part::new("shard", 0..1, shard.size_bits(), SHARDS.into()),
            Part::new("slot in its shard", 0..probes, 1, shard.size_bits()),
        ];
        Ok((ShardedGeometry::new(SHARDS, shard)?, parts))
    }

    fn for_trial<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(ShardedBloom::with_shards(spec, SHARDS, hasher)?)
    }

    fn stored(header: &Header) -> Option<Shape> {
        (header.variant() == SHARDED).then(|| Shape {
            made_of: Some(("shards", header.parts())),
            ..Shape::default()
        })
    }

    fn load<H: Hasher + SeededHasher, L: Load>(
        inner: Option<&Header>,
        load: &L,
    ) -> Result<L::Held> {
        nested::load::<Self, H, L>(inner, load)
    }

    fn with_bits_per_key<H: Hasher>(
        capacity: u64,
        bits: f64,
        hasher: H,
    ) -> Result<Self::Filter<H>> {
        let shard = Geometry::with_bits_per_key(capacity.div_ceil(SHARDS.into()), bits)?;
        let (size_bits, hashes) = (shard.size_bits(), shard.hashes());
        Ok(ShardedBloom::from_parts(SHARDS, size_bits, hashes, hasher)?)
    }

    fn fill_theory(filter: &Self::Filter<Xxh3>, keys: u64) -> Option<(f64, f64)> {
        variant::fill(filter.geometry(), keys)
    }

    fn fpr_deviation(filter: &Self::Filter<Xxh3>, keys: u64) -> Option<f64> {
        Some(filter.expected_fpr(keys) * fpr_spread(filter.geometry(), keys)?)
    }

    fn insert_from_threads(filter: &Self::Filter<Xxh3>, keys: &[Vec<u8>], threads: usize) {
        variant::share_out(filter, keys, threads);
    }
}
