use bouquet_standard::{Geometry, StandardBloom};

use crate::prelude::*;

pub struct Standard;

methods!([H: KeyHasher] StandardBloom<H>, takes_all, extend_from_slice);
filed! { [H: Hasher] StandardBloom<H>, unites; }

impl Variant for Standard {
    const FACTS: Facts = Facts {
        name: "standard",
        form: Some(theory::STANDARD.named("standard")),
        about: "The classic Bloom filter: one bit array, k probes",
        about_file: Some("One array of bits, k probes"),
        foreign: Some(Foreign::Array),
        scheme: "default",
        style: Style::new(
            Colour::new(10, "standard", 0x0072b2, 0x4aa8e0),
            Circle,
            Solid,
        ),
        virtue: "it is one plain array of bits",
        plainness: 20,
        snippet: Snippet::new("standard", "StandardBloom<H>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::whole::<StandardBloom>;

    type Filter<H: Hasher> = StandardBloom<H>;
}

impl Judged for Standard {
    of_bits!(StandardBloom);

    fn form<H: Hasher>(filter: &StandardBloom<H>, _: u64) -> Form {
        Form::Array(Array::whole(filter.size_bits(), filter.hashes()))
    }

    fn words<H: Hasher>(filter: &StandardBloom<H>) -> Option<Vec<Vec<u64>>> {
        Some(vec![filter.bits().words().to_vec()])
    }

    fn geometry(slots: u64, probes: u32, _: &Options) -> Result<(Geometry, Vec<Part>)> {
        Ok(variant::whole(Geometry::new(slots, probes)?))
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
