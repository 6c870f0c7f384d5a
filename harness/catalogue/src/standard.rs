use bouquet_standard::{Geometry, StandardBloom};

use crate::prelude::*;

pub struct Standard;

catalogue_filter! { [H: Hasher] StandardBloom<H>: insert, extend, unites; }

impl Sizable for StandardBloom {
    fn of_size_bits(size_bits: u64, hashes: u32) -> Result<Geometry> {
        Ok(Geometry::new(size_bits, hashes)?)
    }
}

impl FilterInfo for Standard {
    const FACTS: Facts = Facts {
        name: "standard",
        about: "The classic Bloom filter: one bit array, k probes",
        about_file: Some("One array of bits, k probes"),
        foreign: Some(Foreign::Array),
        scheme: "default",
        style: Style::new("blue", "circle", "solid"),
        rationale: "it is one plain array of bits",
        simplicity_rank: 20,
        snippet: Snippet::new("standard", "StandardBloom<H>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::whole::<StandardBloom>;
    const BY_SIZE: Option<BySize> = Some(BySize::whole::<StandardBloom>());

    const GEOMETRY: Option<Geometries> =
        Some(|slots, probes, _| Ok(variant::whole(Geometry::new(slots, probes)?)));

    impl_bit_array!(StandardBloom);

    fn form<H: Hasher>(filter: &StandardBloom<H>, _: u64) -> Option<Form> {
        Some(Form::Array(Array::whole(
            filter.size_bits(),
            filter.hashes(),
        )))
    }

    fn words<H: Hasher>(filter: &StandardBloom<H>) -> Option<Vec<Vec<u64>>> {
        Some(vec![filter.bits().words().to_vec()])
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [size_bits, hashes, ..] = header.parameters();
        (header.variant() == id::STANDARD).then(|| Shape {
            size_bits,
            hashes: Some(hashes),
            ..Shape::default()
        })
    }
}
