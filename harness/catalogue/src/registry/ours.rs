//! The registry entries of our own filters, for evaluation and for timing.

use anyhow::{Context, Result};
use bouquet_core::Spec;
use bouquet_hash::Folded;

use super::{
    Entry, MakeLoop, Request, State, Subject,
    cross_check::{disagreement, expected},
};
use crate::{
    CatalogueFilter, Family, FilterInfo, HASHER, Hasher, Kind, Locator, MakeLocator, Seeded,
    SizingFn, Wanted,
    bench_loop::among,
    for_each_filter,
    hash::{self, Words},
    seeded, single,
};

pub const SEED: &str = "seed";

pub const RELEASE: &str = concat!("bouquet ", env!("CARGO_PKG_VERSION"));

pub struct Native<V: FilterInfo, H: Hasher = Folded>(pub V::Filter<H>);

pub fn made<V: FilterInfo, H: Seeded>(request: &Request) -> Result<Native<V, H>> {
    let hasher = H::from_seed(request.seed);
    Ok(Native(V::evaluated(request, hasher)?))
}

type Make = fn(&Request) -> Result<Box<dyn Subject>>;

fn build<V: FilterInfo>(request: &Request) -> Result<Box<dyn Subject>> {
    fn by<H: Seeded, V: FilterInfo>(words: Words) -> (&'static str, Make) {
        (words.name, |request| Ok(Box::new(made::<V, H>(request)?)))
    }
    hash::pick(&seeded!(by, V), request.options.hasher)?(request)
}

fn locate<V: FilterInfo>(at: Wanted) -> Result<Locator> {
    let geometry = V::GEOMETRY.context("locations not exposed")?;
    let (geometry, parts) = geometry(at.slots, at.probes, &at.options)?;
    let hash = hash::of_name(at.options.hasher, at.seed)?;
    Ok(Locator::new(geometry, hash, parts))
}

pub fn entry<V: FilterInfo>() -> Entry {
    let facts = V::FACTS;
    Entry {
        facts,
        role: "ours",
        is_evaluated: true,
        is_quick: true,
        promises_no_false_negatives: true,
        reproducible_by_seed: true,
        fixed_size: None,
        options: [&[SEED, HASHER], facts.options].concat(),
        check: V::check,
        build: Box::new(build::<V>),
        make_loop: (!facts.is_composed).then(|| -> MakeLoop {
            // A timed filter has the default hasher and is made by its plain constructor.
            Box::new(|kind, capacity, fpr| {
                let make = |capacity| V::make(Spec::new(capacity, fpr)?, Folded::default());
                match kind {
                    Kind::Among => among(capacity, make),
                    _ => Ok(single(make(capacity)?, kind)),
                }
            })
        }),
        locate: V::GEOMETRY.map(|_| locate::<V> as MakeLocator),
        release: RELEASE,
    }
}

/// The size in bytes of a blocked filter for this capacity and target FPR.
pub fn blocked_bytes(capacity: u64, target_fpr: f64) -> Result<u64> {
    fn sizing<V: FilterInfo>() -> (Family, SizingFn) {
        (V::FACTS.family, V::SIZING)
    }
    let ours = for_each_filter!(sizing);
    let blocked = ours.iter().find(|(family, _)| *family == Family::Blocked);
    let (_, sizing) = blocked.context("no filter is made of blocks")?;
    Ok(sizing(capacity, &Spec::new(capacity, target_fpr)?)?.size_bits as u64 / 8)
}

impl<V: FilterInfo, H: Seeded> Subject for Native<V, H> {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.accepts_one(key)
    }

    fn contains(&self, key: &[u8]) -> bool {
        bouquet_core::Filter::contains_bytes(&self.0, key)
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        V::remove::<H>(&mut self.0, key)
    }

    fn state(&self, keys: u64) -> State {
        let (filter, inspected) = (&self.0, self.0.inspect());
        let own = State {
            size_bits: inspected.size_bits(),
            hashes: inspected.hashes(),
            memory_bytes: inspected.memory_bytes() as u64,
            fill_ratio: inspected.fill_ratio(),
            expected_fill: None,
            // Fingerprint filters keep this value. For other filters, it is replaced below by a
            // value computed from their bits.
            fpr_given_bits: Some(inspected.estimated_fpr()),
            expected_fpr: inspected.expected_fpr(keys),
            expected_fpr_sd: None,
            disagreement: None,
        };
        let Some(form) = V::form::<H>(filter, keys) else {
            return own;
        };
        let expected = expected(form.clone(), keys, H::HASH_BITS);
        // The bits of an empty filter need not be counted.
        let is_filled = own.fill_ratio > 0.0;
        let words = V::words::<H>(filter).filter(|_| is_filled);
        let bits = words.and_then(|words| form.of_bits(&words));
        State {
            fill_ratio: bits.map_or(own.fill_ratio, |bits| bits.fill),
            expected_fill: expected.fill.map(|fill| (fill.mean, fill.sd)),
            fpr_given_bits: bits.map_or(own.fpr_given_bits, |bits| Some(bits.fpr)),
            expected_fpr: expected.fpr,
            expected_fpr_sd: expected.fpr_sd,
            disagreement: disagreement::<V, H>(filter, keys, &form, &expected, bits),
            ..own
        }
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        self.0.contains_many(keys, found);
        true
    }

    fn encoded(&self) -> Option<Vec<u8>> {
        self.0.encoded()
    }

    fn slots(&self) -> Option<u64> {
        V::occupancy::<H>(&self.0).map(|all| all.groups * all.ranges * all.slots)
    }
}
