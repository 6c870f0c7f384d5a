use bouquet_sharded::AtomicBloom;
use bouquet_standard::{Geometry, StandardBloom};

use crate::{prelude::*, sharded::COLOUR};

pub struct Atomic;

methods!([H: KeyHasher] AtomicBloom<H>, takes_all);
filed! { [H: Hasher] AtomicBloom<H>, unites; }

impl Variant for Atomic {
    const FACTS: Facts = Facts {
        name: "atomic",
        about: "The classic Bloom filter over atomic words: many threads insert without a lock",
        concurrent: true,
        style: Style::new(COLOUR, OpenDiamond, Dashed),
        virtue: "threads fill it without a lock",
        plainness: 90,
        snippet: Snippet::new("sharded", "AtomicBloom<H>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::whole::<StandardBloom>;

    type Filter<H: Hasher> = AtomicBloom<H>;
}

impl Judged for Atomic {
    of_bits!(AtomicBloom);

    fn form<H: Hasher>(filter: &AtomicBloom<H>, _: u64) -> Form {
        Form::Array(Array::whole(filter.size_bits(), filter.hashes()))
    }

    fn words<H: Hasher>(filter: &AtomicBloom<H>) -> Option<Vec<Vec<u64>>> {
        Some(vec![filter.bits().words().collect()])
    }

    fn geometry(slots: u64, probes: u32, _: &Options) -> Result<(Geometry, Vec<Part>)> {
        Ok(variant::whole(Geometry::new(slots, probes)?))
    }
}
