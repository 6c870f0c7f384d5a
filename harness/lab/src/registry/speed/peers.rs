//! The peers, as they come, and the fast hashes that their users give them.
//!
//! Each is given the type of key that its interface takes best: an integer
//! where it takes any `T: Hash`, its bytes where it takes hashes. bloom2 is not
//! here: its `contains` is true if any probe is set, an FPR over 90 %.

use std::{
    convert::identity,
    hash::{BuildHasher, DefaultHasher, Hash, Hasher},
    marker::PhantomData,
};

use anyhow::{Result, anyhow};
use bloomfilter::Bloom;
use cuckoofilter::CuckooFilter;
use fastbloom::{AtomicBloomFilter, BloomFilter};
use foldhash::fast::FixedState;
use growable_bloom_filter::GrowableBloom;
use probabilistic_collections::bloom::BloomFilter as ProbabilisticBloom;
use qfilter::Filter as Quotient;
use rapidhash::v3::rapidhash_v3;
use scalable_cuckoo_filter::ScalableCuckooFilter;
use xorf::{BinaryFuse8, BinaryFuse16};
use xxhash_rust::xxh3::xxh3_64;

use bouquet_catalogue::Family;

use crate::registry::{
    Entry, Request, baselines,
    contestant::{Contestant, MakeBenchLoop, contestant},
    peers,
};
use crate::speed::{BenchLoop, Insertable, Kind, of_integers, of_urls, set_loops, single};

pub fn contestants() -> Vec<Contestant> {
    use Family::{Blocked, Fingerprints, Spread, Static};
    let fold = "foldhash in place of its own hash";
    vec![
        quick(contestant(peers::fastbloom::plain(), Spread, fastbloom)),
        quick(hashed(
            peers::fastbloom::plain(),
            ("fastbloom-foldhash", fold),
            Spread,
            fastbloom_foldhash,
        )),
        contestant(peers::fastbloom::atomic(), Spread, fastbloom_atomic),
        contestant(peers::bloomfilter::contender(), Spread, bloomfilter),
        contestant(peers::probabilistic::contender(), Spread, probabilistic),
        contestant(peers::growable::contender(), Spread, growable),
        quick(hashed(
            peers::sbbf::contender(),
            ("sbbf-rs", "xxh3 of the key's bytes"),
            Blocked,
            sbbf::<Xxh3>,
        )),
        quick(hashed(
            peers::sbbf::contender(),
            ("sbbf-rs-rapidhash", "rapidhash of the key's bytes"),
            Blocked,
            sbbf::<Rapid>,
        )),
        contestant(
            baselines::cuckoofilter(),
            Fingerprints,
            cuckoo::<DefaultHasher>,
        ),
        hashed(
            baselines::cuckoofilter(),
            ("cuckoofilter-ahash", "ahash in place of its own hash"),
            Fingerprints,
            cuckoo::<ahash::AHasher>,
        ),
        contestant(
            peers::scalable_cuckoo::contender(),
            Fingerprints,
            scalable_cuckoo,
        ),
        contestant(peers::qfilter::fixed(), Fingerprints, quotient),
        hashed(
            peers::xorf::fuse8(),
            ("xorf-fuse8", "integers as they are, of URLs their xxh3"),
            Static,
            |kind, capacity, _| Ok(single(fuse::<BinaryFuse8>(capacity), kind)),
        ),
        hashed(
            peers::xorf::fuse16(),
            ("xorf-fuse16", "integers as they are, of URLs their xxh3"),
            Static,
            |kind, capacity, _| Ok(single(fuse::<BinaryFuse16>(capacity), kind)),
        ),
    ]
}

/// With another hash, or another way to come by hashes, than where it is evaluated.
fn hashed(
    entry: Entry,
    (name, how): (&'static str, &str),
    family: Family,
    make: MakeBenchLoop,
) -> Contestant {
    let about = format!("The crate {}: {how}", entry.release);
    let mut contestant = contestant(entry, family, make);
    contestant.subject.subject = name.into();
    contestant.subject.about = about;
    contestant
}

fn quick(contestant: Contestant) -> Contestant {
    Contestant {
        is_quick: true,
        ..contestant
    }
}

/// What insertion gives: whether a key was new is not asked for here, of none.
trait Accepted {
    fn accepted(self) -> bool;
}

impl Accepted for bool {
    #[inline(always)]
    fn accepted(self) -> bool {
        true
    }
}

impl<T, E> Accepted for Result<T, E> {
    #[inline(always)]
    fn accepted(self) -> bool {
        self.is_ok()
    }
}

impl Accepted for () {
    #[inline(always)]
    fn accepted(self) -> bool {
        true
    }
}

/// What a peer takes, and by which of its methods.
macro_rules! takes {
    ($([$($generic:tt)*] $filter:ty: $key:ty, $insert:ident, $contains:ident;)*) => {$(
        impl<$($generic)*> Insertable<$key> for $filter {
            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                <$filter>::$insert(self, key).accepted()
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                <$filter>::$contains(self, key)
            }
        }
    )*};
}
takes! {
    [K: Hash + ?Sized, S: BuildHasher] BloomFilter<S>: K, insert, contains;
    [K: Hash + ?Sized] AtomicBloomFilter: K, insert, contains;
    [K: Hash + ?Sized] GrowableBloom: K, insert, contains;
    [K: Hash + ?Sized, H: Hasher + Default] CuckooFilter<H>: K, add, contains;
    [K: Hash + ?Sized] Quotient: K, insert, contains;
    [K: Hash + ?Sized] Bloom<K>: K, set, check;
    [] ProbabilisticBloom<u64>: u64, insert, contains;
    [] ProbabilisticBloom<Vec<u8>>: [u8], insert, contains;
    [] ScalableCuckooFilter<u64>: u64, insert, contains;
    [] ScalableCuckooFilter<[u8]>: [u8], insert, contains;
}

/// A hash function for a peer that takes hashes.
trait Hashes {
    fn hash(bytes: &[u8]) -> u64;
}

struct Xxh3;

impl Hashes for Xxh3 {
    #[inline(always)]
    fn hash(bytes: &[u8]) -> u64 {
        xxh3_64(bytes)
    }
}

struct Rapid;

impl Hashes for Rapid {
    #[inline(always)]
    fn hash(bytes: &[u8]) -> u64 {
        rapidhash_v3(bytes)
    }
}

/// Takes hashes.
struct SplitBlock<H>(sbbf_rs_safe::Filter, PhantomData<H>);

/// Takes different integers, all at once.
struct Fuse<F> {
    integers: Vec<u64>,
    built: Option<F>,
}

/// Of peers that take integers: what a key is to them.
macro_rules! take_integers {
    ($key:ty, $bytes:expr, $integer:expr) => {
        impl<H: Hashes> Insertable<$key> for SplitBlock<H> {
            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                self.0.insert_hash(H::hash(&$bytes(key)[..]));
                true
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                self.0.contains_hash(H::hash(&$bytes(key)[..]))
            }
        }

        impl<F> Insertable<$key> for Fuse<F>
        where
            F: xorf::Filter<u64> + TryFrom<Vec<u64>, Error = &'static str>,
        {
            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                self.integers.push($integer(key));
                true
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                let built = self.built.as_ref();
                built.is_some_and(|filter| filter.contains(&$integer(key)))
            }

            fn finish(&mut self) -> Result<()> {
                let built = F::try_from(std::mem::take(&mut self.integers));
                self.built = Some(built.map_err(|error| anyhow!(error))?);
                Ok(())
            }
        }
    };
}
take_integers!(u64, |key: &u64| key.to_le_bytes(), |key: &u64| *key);
take_integers!([u8], identity::<&[u8]>, xxh3_64);

type Made = Result<Box<dyn BenchLoop>>;

fn fastbloom(kind: Kind, capacity: u64, fpr: f64) -> Made {
    let filter = BloomFilter::with_false_pos(fpr).seed(&1);
    Ok(single(filter.expected_items(capacity as usize), kind))
}

fn fastbloom_foldhash(kind: Kind, capacity: u64, fpr: f64) -> Made {
    let filter = BloomFilter::with_false_pos(fpr).hasher(FixedState::default());
    Ok(single(filter.expected_items(capacity as usize), kind))
}

fn fastbloom_atomic(kind: Kind, capacity: u64, fpr: f64) -> Made {
    let filter = AtomicBloomFilter::with_false_pos(fpr).seed(&1);
    Ok(single(filter.expected_items(capacity as usize), kind))
}

fn bloomfilter(kind: Kind, capacity: u64, fpr: f64) -> Made {
    fn of<K: ?Sized>(capacity: u64, fpr: f64) -> Result<Bloom<K>> {
        let made = Bloom::new_for_fp_rate_with_seed(capacity as usize, fpr, &peers::wide_seed(1));
        made.map_err(|error| anyhow!(error))
    }
    Ok(match kind {
        Kind::U64 => of_integers(of::<u64>(capacity, fpr)?),
        Kind::Url => of_urls(of::<[u8]>(capacity, fpr)?),
    })
}

fn probabilistic(kind: Kind, capacity: u64, fpr: f64) -> Made {
    let capacity = capacity as usize;
    Ok(match kind {
        Kind::U64 => of_integers(ProbabilisticBloom::<u64>::new(capacity, fpr)),
        Kind::Url => of_urls(ProbabilisticBloom::<Vec<u8>>::new(capacity, fpr)),
    })
}

fn growable(kind: Kind, capacity: u64, fpr: f64) -> Made {
    Ok(single(GrowableBloom::new(fpr, capacity as usize), kind))
}

fn sbbf<H: Hashes + 'static>(kind: Kind, capacity: u64, fpr: f64) -> Made {
    let bits = peers::sbbf::bits_per_key(&Request::of_target(capacity, fpr, 0))?;
    let filter = sbbf_rs_safe::Filter::new(bits, capacity as usize);
    Ok(single(SplitBlock::<H>(filter, PhantomData), kind))
}

fn cuckoo<H: Hasher + Default + 'static>(kind: Kind, capacity: u64, _: f64) -> Made {
    let filter = CuckooFilter::<H>::with_capacity(capacity as usize);
    Ok(single(filter, kind))
}

fn scalable_cuckoo(kind: Kind, capacity: u64, fpr: f64) -> Made {
    let capacity = capacity as usize;
    Ok(match kind {
        Kind::U64 => of_integers(ScalableCuckooFilter::<u64>::new(capacity, fpr)),
        Kind::Url => of_urls(ScalableCuckooFilter::<[u8]>::new(capacity, fpr)),
    })
}

fn quotient(kind: Kind, capacity: u64, fpr: f64) -> Made {
    Ok(single(Quotient::new(capacity, fpr)?, kind))
}

/// Static filters for keys kept in memory.
pub fn static_set_makers() -> Vec<(&'static str, crate::registry::made::Make)> {
    vec![
        ("xorf-fuse8", |made| {
            Ok(set_loops(fuse::<BinaryFuse8>(made.capacity)))
        }),
        ("xorf-fuse16", |made| {
            Ok(set_loops(fuse::<BinaryFuse16>(made.capacity)))
        }),
    ]
}

fn fuse<F>(capacity: u64) -> Fuse<F> {
    Fuse {
        integers: Vec::with_capacity(capacity as usize),
        built: None,
    }
}
