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

    fn form(filter: &CountingBloom, _: u64) -> Form {
        Form::Array(Array::whole(filter.counters().len(), filter.hashes()))
    }

    /// A bit for each counter: whether it counts anything.
    fn words(filter: &CountingBloom) -> Option<Vec<Vec<u64>>> {
        let counters = filter.counters().words();
        // Of sixteen counters each.
        let quarters = counters.iter().map(|word| {
            let pairs = word | word >> 1;
            let mut some = (pairs | pairs >> 2) & 0x1111_1111_1111_1111;
            let mut quarter = 0_u64;
            while some != 0 {
                quarter |= 1 << (some.trailing_zeros() / 4);
                some &= some - 1;
            }
            quarter
        });
        let mut words = vec![0; counters.len().div_ceil(4)];
        for (at, quarter) in quarters.enumerate() {
            words[at / 4] |= quarter << (16 * (at % 4));
        }
        Some(vec![words])
    }

    fn occupancy(filter: &CountingBloom) -> Option<Occupancy> {
        Some(filter.geometry().occupancy())
    }

    fn remove(filter: &mut CountingBloom, key: &[u8]) -> bool {
        filter.remove(key)
    }
}
