use bouquet_sharded::AtomicBloom;
use bouquet_standard::{Geometry, StandardBloom};

use crate::{prelude::*, standard::Standard};

pub struct Atomic;

catalogue_filter! {
    [H: Hasher] AtomicBloom<H>: insert, insert_batch, unites;

    #[inline(always)]
    fn insert_one_shared<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.insert(key)
    }

    #[inline(always)]
    fn insert_many_shared<K: Key>(&self, keys: &[K]) -> u64 {
        self.insert_batch(keys) as u64
    }
}

impl FilterInfo for Atomic {
    const FACTS: Facts = Facts {
        name: "atomic",
        about: "The classic Bloom filter over atomic words: many threads insert without a lock",
        concurrent: true,
        style: Style::new("sky", "open-diamond", "dashed"),
        rationale: "threads fill it without a lock",
        simplicity_rank: 90,
        snippet: Snippet::new("sharded", "AtomicBloom<H>"),
        ..PLAIN
    };
    const SIZING: SizingFn = sizing::whole::<StandardBloom>;
    const BY_SIZE: Option<BySize> = Some(BySize::whole::<StandardBloom>());

    const GEOMETRY: Option<Geometries> = Standard::GEOMETRY;

    impl_bit_array!(AtomicBloom);

    fn form<H: Hasher>(filter: &AtomicBloom<H>, _: u64) -> Option<Form> {
        Some(Form::Array(Array::whole(
            filter.size_bits(),
            filter.hashes(),
        )))
    }

    fn words<H: Hasher>(filter: &AtomicBloom<H>) -> Option<Vec<Vec<u64>>> {
        Some(vec![filter.bits().words().collect()])
    }
}
