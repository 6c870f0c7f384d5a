use anyhow::Result;
use bouquet_core::{KeyHasher, Spec};
use bouquet_format::{Header, variant::STANDARD};
use bouquet_hash::Xxh3;
use bouquet_standard::{Geometry, StandardBloom};

use crate::{
    Colour, ExactSize, Facts, Foreign, Fpr, Hasher, Judged, Look, Marker, Part, Shape, Snippet,
    Stroke, Variant,
    facts::{PLAIN, SNIPPET},
    file::file,
    methods, paper, variant,
};

pub struct Standard;

methods!([H: KeyHasher] StandardBloom<H>, takes_all, extend_from_slice);
file! {
    [H: KeyHasher + 'static] StandardBloom<H>;
}

impl Variant for Standard {
    const FACTS: Facts = Facts {
        name: "standard",
        about: "The classic Bloom filter: one bit array, k probes",
        about_file: Some("One array of bits, k probes"),
        foreign: Some(Foreign::Array),
        scheme: "default",
        look: Look {
            colour: Colour {
                place: 10,
                class: "standard",
                day: 0x0072b2,
                night: 0x4aa8e0,
            },
            marker: Marker::Circle,
            stroke: Stroke::Solid,
        },
        virtue: "it is one plain array of bits",
        plainness: 20,
        snippet: Snippet {
            package: "standard",
            filter: "StandardBloom",
            full: "StandardBloom<H>",
            ..SNIPPET
        },
        ..PLAIN
    };

    type Filter<H: Hasher> = StandardBloom<H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(StandardBloom::with_hasher(spec, hasher)?)
    }

    fn paper(_: u64, spec: &Spec) -> Result<(f64, Fpr)> {
        paper::whole::<StandardBloom>(spec)
    }
}

impl Judged for Standard {
    type Geometry = Geometry;

    fn geometry(slots: u64, probes: u32) -> Result<(Geometry, Vec<Part>)> {
        Ok(variant::whole(Geometry::new(slots, probes)?))
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [size_bits, hashes, ..] = header.parameters();
        (header.variant() == STANDARD).then(|| Shape {
            size_bits,
            hashes: Some(hashes),
            ..Shape::default()
        })
    }

    fn with_bits_per_key<H: Hasher>(
        capacity: u64,
        bits: f64,
        hasher: H,
    ) -> Result<Self::Filter<H>> {
        let geometry = Geometry::with_bits_per_key(capacity, bits)?;
        let (size_bits, hashes) = (geometry.size_bits(), geometry.hashes());
        Ok(StandardBloom::from_parts(size_bits, hashes, hasher)?)
    }

    fn of_size<H: Hasher>(size: &ExactSize, hasher: H) -> Result<Self::Filter<H>> {
        Ok(StandardBloom::from_parts(
            size.size_bits,
            size.hashes()?,
            hasher,
        )?)
    }

    fn fill_theory(filter: &Self::Filter<Xxh3>, keys: u64) -> Option<(f64, f64)> {
        variant::fill(filter.geometry(), keys)
    }

    fn fpr_deviation(filter: &Self::Filter<Xxh3>, keys: u64) -> Option<f64> {
        Some(filter.geometry().fpr_deviation(keys))
    }
}
