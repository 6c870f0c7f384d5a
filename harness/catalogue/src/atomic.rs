use anyhow::Result;
use bouquet_core::{KeyHasher, Spec};
use bouquet_hash::Xxh3;
use bouquet_sharded::AtomicBloom;
use bouquet_standard::{Geometry, StandardBloom};

use crate::{
    Facts, Fpr, Hasher, Judged, Look, Marker, Part, Snippet, Stroke, Variant,
    facts::{PLAIN, SNIPPET},
    file::file,
    methods, paper,
    sharded::COLOUR,
    variant,
};

pub struct Atomic;

methods!([H: KeyHasher] AtomicBloom<H>, takes_all);
file! {
    [H: KeyHasher + 'static] AtomicBloom<H>;
}

impl Variant for Atomic {
    const FACTS: Facts = Facts {
        name: "atomic",
        about: "The classic Bloom filter over atomic words: many threads insert without a lock",
        concurrent: true,
        look: Look {
            colour: COLOUR,
            marker: Marker::OpenDiamond,
            stroke: Stroke::Dashed,
        },
        virtue: "threads fill it without a lock",
        plainness: 90,
        snippet: Snippet {
            package: "sharded",
            filter: "AtomicBloom",
            full: "AtomicBloom<H>",
            ..SNIPPET
        },
        ..PLAIN
    };

    type Filter<H: Hasher> = AtomicBloom<H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(AtomicBloom::with_hasher(spec, hasher)?)
    }

    fn paper(_: u64, spec: &Spec) -> Result<(f64, Fpr)> {
        paper::whole::<StandardBloom>(spec)
    }
}

impl Judged for Atomic {
    type Geometry = Geometry;

    fn geometry(slots: u64, probes: u32) -> Result<(Geometry, Vec<Part>)> {
        Ok(variant::whole(Geometry::new(slots, probes)?))
    }

    fn with_bits_per_key<H: Hasher>(
        capacity: u64,
        bits: f64,
        hasher: H,
    ) -> Result<Self::Filter<H>> {
        let geometry = Geometry::with_bits_per_key(capacity, bits)?;
        let (size_bits, hashes) = (geometry.size_bits(), geometry.hashes());
        Ok(AtomicBloom::from_parts(size_bits, hashes, hasher)?)
    }

    fn fill_theory(filter: &Self::Filter<Xxh3>, keys: u64) -> Option<(f64, f64)> {
        variant::fill(filter.geometry(), keys)
    }

    fn fpr_deviation(filter: &Self::Filter<Xxh3>, keys: u64) -> Option<f64> {
        Some(filter.geometry().fpr_deviation(keys))
    }

    fn insert_from_threads(filter: &Self::Filter<Xxh3>, keys: &[Vec<u8>], threads: usize) {
        variant::share_out(filter, keys, threads);
    }
}
