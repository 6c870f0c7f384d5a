//! Our own filters: each as a subject, as one that is timed, and with keys in memory.

use anyhow::Result;
use bouquet_catalogue::{
    Facts, Family, HASHER, Hasher, Judged, Methods, Seeded, Variant,
    hash::{self, Words},
    judged, seeded,
};
use bouquet_core::{Inspect as _, Spec, TryInsert as _};
use bouquet_format::Encode as _;
use bouquet_hash::{Folded, SipKeyed};

use super::{
    Entry, Request, Size, State, Subject,
    contestant::{self, Contestant, MakeBenchLoop},
    made::{Made, secret},
    second::{disagreement, expected},
};
use crate::{
    schemes::{Located, Locator, Wanted},
    speed::{SetLoops, batched, filter_loops},
};

/// What all of ours have of what may be chosen.
pub const SEED: &str = "seed";

pub const RELEASE: &str = concat!("bouquet ", env!("CARGO_PKG_VERSION"));

/// One of ours, as a subject.
pub struct Native<J: Judged, H: Hasher = Folded>(pub J::Filter<H>);

pub fn made<J: Judged, H: Seeded>(request: &Request) -> Result<Native<J, H>> {
    let hasher = H::from_seed(request.seed);
    Ok(Native(match request.size {
        Size::TargetFpr(fpr) => {
            J::for_trial(Spec::new(request.capacity, fpr)?, &request.options, hasher)?
        }
        Size::BitsPerKey(bits) => {
            let geometry = J::with_bits_per_key(request.capacity, bits, &request.options)?;
            J::of_geometry(geometry, hasher)?
        }
    }))
}

type Make = fn(&Request) -> Result<Box<dyn Subject>>;

/// With the hasher that is asked for.
fn build<J: Judged>(request: &Request) -> Result<Box<dyn Subject>> {
    fn by<H: Seeded, J: Judged>(words: Words) -> (&'static str, Make) {
        (words.name, |request| Ok(Box::new(made::<J, H>(request)?)))
    }
    hash::pick(&seeded!(by, J), request.options.hasher)?(request)
}

fn locate<J: Judged>(at: Wanted) -> Result<Box<dyn Locator>> {
    let (geometry, parts) = J::geometry(at.slots, at.probes, &at.options)?;
    let hash = hash::of_name(at.options.hasher, at.seed)?;
    Ok(Box::new(Located::of_parts(geometry, hash, parts)))
}

pub fn entry<J: Judged>() -> Entry {
    let Facts {
        name,
        about,
        theory,
        ..
    } = J::FACTS;
    Entry {
        role: "ours",
        promises_no_false_negatives: true,
        reproducible_by_seed: true,
        relocates: J::FACTS.relocates,
        removes: J::FACTS.removes,
        grows: J::FACTS.grows,
        concurrent: J::FACTS.concurrent,
        scheme: J::FACTS.scheme,
        least_bits_per_key: J::FACTS.least_bits_per_key,
        options: [&[SEED, HASHER], J::FACTS.options].concat(),
        check: J::check,
        locate: Some(locate::<J>),
        build: Box::new(build::<J>),
        ..Entry::new(name, RELEASE, about, theory, made::<J, Folded>)
    }
}

/// With the default hasher, by its plain constructor.
fn plain<J: Judged>(capacity: u64, target_fpr: f64) -> Result<J::Filter<Folded>> {
    J::make(Spec::new(capacity, target_fpr)?, Folded::default())
}

pub fn contestant<J: Judged>() -> Contestant {
    let make: MakeBenchLoop = |kind, capacity, fpr| Ok(batched(plain::<J>(capacity, fpr)?, kind));
    let plainly = Entry {
        about: J::FACTS.about_plain.unwrap_or(J::FACTS.about),
        ..entry::<J>()
    };
    Contestant {
        memory_bytes: Some(|capacity, fpr| Ok(plain::<J>(capacity, fpr)?.memory_bytes() as u64)),
        ..contestant::contestant(plainly, J::FACTS.family, make)
    }
}

/// The bytes of the bits of our first filter that is made of blocks.
pub fn blocked_bytes(capacity: u64, target_fpr: f64) -> Result<u64> {
    type Bytes = fn(u64, f64) -> Result<u64>;
    fn bytes<J: Judged>() -> (Family, Bytes) {
        let bytes: Bytes = |capacity, fpr| Ok(plain::<J>(capacity, fpr)?.size_bits() / 8);
        (J::FACTS.family, bytes)
    }
    let ours = judged!(bytes);
    let blocked = ours.iter().find(|(family, _)| *family == Family::Blocked);
    blocked.map_or(Ok(0), |(_, bytes)| bytes(capacity, target_fpr))
}

/// With keys in memory, hashed with either hash.
pub fn make_set<V: Variant>(made: &Made) -> Result<Box<dyn SetLoops>> {
    let spec = Spec::new(made.capacity, made.target_fpr)?;
    Ok(if made.keyed {
        filter_loops(V::make(spec, SipKeyed::with_key(secret()))?)
    } else {
        filter_loops(V::make(spec, Folded::default())?)
    })
}

impl<J: Judged, H: Seeded> Subject for Native<J, H> {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.0.try_insert(key).is_ok()
    }

    fn contains(&self, key: &[u8]) -> bool {
        bouquet_core::Filter::contains(&self.0, key)
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        J::remove::<H>(&mut self.0, key)
    }

    fn state(&self, keys: u64) -> State {
        let form = J::form::<H>(&self.0, keys);
        let expected = expected(form.clone(), keys, H::HASH_BITS);
        let fill = self.0.fill_ratio();
        // Nothing is to be counted in a filter that was only just made.
        let words = (fill > 0.0).then(|| J::words::<H>(&self.0)).flatten();
        let bits = words.and_then(|words| form.of_bits(&words));
        State {
            size_bits: self.0.size_bits(),
            hashes: self.0.hashes(),
            memory_bytes: self.0.memory_bytes() as u64,
            fill_ratio: bits.map_or(fill, |bits| bits.fill),
            expected_fill: expected.fill.map(|fill| (fill.mean, fill.sd)),
            // Fingerprints are counted, by no formula.
            fpr_given_bits: Some(bits.map_or_else(|| self.0.estimated_fpr(), |bits| bits.fpr)),
            expected_fpr: expected.fpr,
            expected_fpr_sd: expected.fpr_sd,
            disagreement: disagreement::<J, H>(&self.0, keys, &form, &expected, bits),
        }
    }

    fn contains_batch(&self, keys: &[&[u8]], found: &mut [bool]) -> bool {
        Methods::contains_batch(&self.0, keys, found);
        true
    }

    fn encoded(&self) -> Option<Vec<u8>> {
        Some(self.0.encode())
    }

    fn slots(&self) -> Option<u64> {
        J::occupancy::<H>(&self.0).map(|all| all.groups * all.ranges * all.slots)
    }
}
