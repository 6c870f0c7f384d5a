use anyhow::Result;
use bouquet_core::{KeyHasher, Spec};
use bouquet_format::{Header, variant::PARTITIONED};
use bouquet_hash::Xxh3;
use bouquet_partitioned::{Geometry, PartitionedBloom};

use crate::{
    Colour, ExactSize, Facts, Fpr, Hasher, Judged, Look, Marker, Part, Shape, Snippet, Stroke,
    Variant,
    facts::{PLAIN, SNIPPET},
    file::file,
    methods, paper, variant,
};

pub struct Partitioned;

methods!([H: KeyHasher] PartitionedBloom<H>, takes_all, extend_from_slice);
file! {
    [H: KeyHasher + 'static] PartitionedBloom<H>;
}

impl Variant for Partitioned {
    const FACTS: Facts = Facts {
        name: "partitioned",
        about: "k partitions of m/k bits, one probe in each",
        about_file: Some("A range of bits for every probe"),
        theory: "(1 - (1 - 1/s)^n)^k, s = m/k, exact",
        look: Look {
            colour: Colour {
                place: 30,
                class: "partitioned",
                day: 0x009e73,
                night: 0x2cc79b,
            },
            marker: Marker::Triangle,
            stroke: Stroke::Solid,
        },
        virtue: "each probe has a part of the bits to itself",
        plainness: 60,
        snippet: Snippet {
            package: "partitioned",
            filter: "PartitionedBloom",
            full: "PartitionedBloom<H>",
            ..SNIPPET
        },
        ..PLAIN
    };

    type Filter<H: Hasher> = PartitionedBloom<H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Ok(PartitionedBloom::with_hasher(spec, hasher)?)
    }

    fn paper(_: u64, spec: &Spec) -> Result<(f64, Fpr)> {
        paper::whole::<PartitionedBloom>(spec)
    }
}

impl Judged for Partitioned {
    type Geometry = Geometry;

    fn geometry(slots: u64, probes: u32) -> Result<(Geometry, Vec<Part>)> {
        let geometry = Geometry::new(slots, probes)?;
        let bits = geometry.partition_bits();
        let slot = Part::new("slot in its partition", 0..probes, 1, bits);
        Ok((geometry, vec![slot]))
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [bits, partitions, ..] = header.parameters();
        (header.variant() == PARTITIONED).then(|| Shape {
            size_bits: bits * partitions,
            hashes: Some(partitions),
            made_of: Some(("partitions", partitions)),
            slot_bits: None,
        })
    }

    fn with_bits_per_key<H: Hasher>(
        capacity: u64,
        bits: f64,
        hasher: H,
    ) -> Result<Self::Filter<H>> {
        let geometry = Geometry::with_bits_per_key(capacity, bits)?;
        let (size_bits, hashes) = (geometry.size_bits(), geometry.hashes());
        Ok(PartitionedBloom::from_parts(size_bits, hashes, hasher)?)
    }

    fn of_size<H: Hasher>(size: &ExactSize, hasher: H) -> Result<Self::Filter<H>> {
        Ok(PartitionedBloom::from_parts(
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
