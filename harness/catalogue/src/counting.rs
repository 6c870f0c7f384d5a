use anyhow::{Result, bail};
use bouquet_core::{KeyHasher, Remove, Spec, Union as _};
use bouquet_counting::{CounterBits, CountingBloom, Geometry};
use bouquet_format::{Header, variant::COUNTING};
use bouquet_hash::Xxh3;

use crate::{
    Colour, ExactSize, Facts, File, Fpr, Hasher, Judged, Look, Marker, Part, Shape, Snippet,
    Stroke, Variant,
    facts::{PLAIN, SNIPPET},
    methods, paper, variant,
};

pub struct Counting;

const FOUR: CounterBits = CounterBits::Four;

methods!([H: KeyHasher] CountingBloom<H>, takes_all);

/// Why counters are not added up.
pub const UNFOLDABLE: &str = "counting filters cannot be halved: two counters may not fit into one";

impl<H: KeyHasher + 'static> File for CountingBloom<H> {
    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
    }

    fn fold(self, _: f64) -> Result<Self> {
        bail!(UNFOLDABLE)
    }
}

impl Variant for Counting {
    const FACTS: Facts = Facts {
        name: "counting",
        about: "Counters of 4 bits instead of bits: keys can be removed",
        about_file: Some("Counters of 4 bits: a program can remove keys"),
        removes: true,
        counts: true,
        look: Look {
            colour: Colour {
                place: 40,
                class: "counting",
                day: 0xcc79a7,
                night: 0xe09cc2,
            },
            marker: Marker::Diamond,
            stroke: Stroke::Solid,
        },
        virtue: "it removes keys and takes every key it is given",
        plainness: 130,
        snippet: Snippet {
            package: "counting",
            filter: "CountingBloom",
            full: "CountingBloom<H>",
            ..SNIPPET
        },
        ..PLAIN
    };

    type Filter<H: Hasher> = CountingBloom<H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(CountingBloom::with_hasher(spec, hasher)?)
    }

    fn paper(_: u64, spec: &Spec) -> Result<(f64, Fpr)> {
        paper::whole::<CountingBloom>(spec)
    }
}

impl Judged for Counting {
    type Geometry = Geometry;

    fn geometry(slots: u64, probes: u32) -> Result<(Geometry, Vec<Part>)> {
        Ok(variant::whole(Geometry::new(slots, probes, FOUR)?))
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [counters, hashes, width, ..] = header.parameters();
        (header.variant() == COUNTING).then(|| Shape {
            size_bits: counters * width,
            hashes: Some(hashes),
            made_of: None,
            slot_bits: Some(width),
        })
    }

    fn with_bits_per_key<H: Hasher>(
        capacity: u64,
        bits: f64,
        hasher: H,
    ) -> Result<Self::Filter<H>> {
        let geometry = Geometry::with_bits_per_key(capacity, bits, FOUR)?;
        let (slots, hashes) = (geometry.counters(), geometry.hashes());
        Ok(CountingBloom::from_parts(slots, hashes, FOUR, hasher)?)
    }

    fn of_size<H: Hasher>(size: &ExactSize, hasher: H) -> Result<Self::Filter<H>> {
        let counters = size.units(4)?;
        Ok(CountingBloom::from_parts(
            counters,
            size.hashes()?,
            FOUR,
            hasher,
        )?)
    }

    fn fill_theory(filter: &Self::Filter<Xxh3>, keys: u64) -> Option<(f64, f64)> {
        variant::fill(filter.geometry(), keys)
    }

    fn fpr_deviation(filter: &Self::Filter<Xxh3>, keys: u64) -> Option<f64> {
        Some(filter.geometry().fpr_deviation(keys))
    }

    fn remove(filter: &mut Self::Filter<Xxh3>, key: &[u8]) -> bool {
        Remove::remove(filter, key)
    }

    fn slots(filter: &Self::Filter<Xxh3>) -> Option<u64> {
        Some(filter.geometry().counters())
    }
}
