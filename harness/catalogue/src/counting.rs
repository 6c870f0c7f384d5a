use bouquet_counting::{CounterBits, CountingBloom, CountingView, Geometry};

use crate::prelude::*;

pub struct Counting;

const FOUR: CounterBits = CounterBits::Four;

/// Why counters are not added up.
pub const UNFOLDABLE: &str = "counting filters cannot be halved: two counters may not fit into one";

methods!([H: KeyHasher] CountingBloom<H>, takes_all);
filed! { [H: Hasher] CountingBloom<H>, unites, !UNFOLDABLE; }

impl Variant for Counting {
    const FACTS: Facts = Facts {
        name: "counting",
        form: Some(theory::COUNTING.named("counting")),
        about: "Counters of 4 bits instead of bits: keys can be removed",
        about_file: Some("Counters of 4 bits: a program can remove keys"),
        removes: true,
        counts: true,
        look: Style::new(
            Colour::new(40, "counting", 0xcc79a7, 0xe09cc2),
            Diamond,
            Solid,
        ),
        virtue: "it removes keys and takes every key it is given",
        plainness: 130,
        snippet: Snippet::new("counting", "CountingBloom<H>"),
        ..PLAIN
    };
    const PAPER: Paper = paper::whole::<CountingBloom>;

    type Filter<H: Hasher> = CountingBloom<H>;
}

impl Judged for Counting {
    viewed!(CountingBloom, CountingView<'a>);

    type Geometry = Geometry;

    fn geometry(slots: u64, probes: u32) -> Result<(Geometry, Vec<Part>)> {
        Ok(variant::whole(Geometry::new(slots, probes, FOUR)?))
    }

    fn stored(header: &Header) -> Option<Shape> {
        let [counters, hashes, width, ..] = header.parameters();
        (header.variant() == id::COUNTING).then(|| Shape {
            size_bits: counters * width,
            hashes: Some(hashes),
            made_of: None,
            slot_bits: Some(width),
        })
    }

    fn with_bits_per_key(capacity: u64, bits: f64) -> Result<Geometry> {
        Ok(Geometry::with_bits_per_key(capacity, bits, FOUR)?)
    }

    fn of_size(size: &ExactSize) -> Result<Geometry> {
        Ok(Geometry::new(size.units(4)?, size.hashes()?, FOUR)?)
    }

    fn of_geometry<H: Hasher>(of: Geometry, hasher: H) -> Result<CountingBloom<H>> {
        let (counters, hashes) = (of.counters(), of.hashes());
        Ok(CountingBloom::from_parts(counters, hashes, FOUR, hasher)?)
    }

    fn occupancy(filter: &CountingBloom) -> Option<Occupancy> {
        Some(filter.geometry().occupancy())
    }

    fn remove(filter: &mut CountingBloom, key: &[u8]) -> bool {
        filter.remove(key)
    }
}
