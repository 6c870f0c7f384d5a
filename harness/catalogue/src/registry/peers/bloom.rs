//! Bloom filters of other crates.

use std::{
    f64::consts::LN_2,
    hash::{BuildHasher, Hash, RandomState},
    marker::PhantomData,
};

use anyhow::{Context, Result, anyhow, bail};
use bloom2::{Bloom2, BloomFilterBuilder, CompressedBitmap, FilterSize};
use bloomfilter::Bloom;
use bouquet_blocked::{BlockedBloom, Words32};
use bouquet_core::{Inner, Spec};
use bouquet_stats::witness::{Array, fpr_at_fill};
use fastbloom::{AtomicBloomFilter, BloomFilter};
use foldhash::fast::FixedState;
use growable_bloom_filter::GrowableBloom;
use probabilistic_collections::{SipHasherBuilder, bloom::BloomFilter as Probabilistic};
use rapidhash::v3::rapidhash_v3;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Entry, Family, Insertable, Inserted, Peer, Request, State, peer, state, takes};
use crate::{
    Kind, MakeShared, Shared, Stream, of_bytes, of_integers,
    registry::{Size, shared::singly},
    single,
};
use bouquet_ground::record::Way;

const CLASSIC: &str = "the classic exact form for the m and k that the crate chose";
pub const PROMISED: &str =
    "the FPR that was asked for, which the crate promises at any load it takes";
pub const FASTBLOOM: &str = "fastbloom 0.17.0";

pub fn peers() -> Vec<Entry> {
    let mut peers = of_fastbloom();
    peers.extend([of_bloomfilter(), of_probabilistic(), of_growable()]);
    peers.extend(of_sbbf());
    peers.push(of_bloom2());
    peers.extend(of_broomfilter());
    peers
}

takes! {
    [K: Hash + ?Sized, S: BuildHasher] BloomFilter<S>: K, insert, contains;
    [K: Hash + ?Sized, S: BuildHasher] AtomicBloomFilter<S>: K, insert, contains;
    [K: Hash + ?Sized] Bloom<K>: K, set, check;
    [] Probabilistic<u64>: u64, insert, contains;
    [] Probabilistic<Vec<u8>>: [u8], insert, contains;
}

/// The target FPR of a request, for a crate that cannot be sized in any other way.
pub fn target(request: &Request) -> Result<f64> {
    match request.size {
        Size::TargetFpr(fpr) => Ok(fpr),
        Size::BitsPerKey(_) => bail!("the crate sizes its filters by a target FPR alone"),
    }
}

/// A seed with as many bytes as a crate needs, in which no two words are equal.
pub fn wide_seed<const BYTES: usize>(seed: u64) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (i, word) in bytes.chunks_mut(8).enumerate() {
        // The multiplier is odd, so different seeds give different words.
        let mixed = (seed ^ i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word.copy_from_slice(&(mixed ^ (mixed >> 29)).to_le_bytes()[..word.len()]);
    }
    bytes
}

/// The statistics of a filter with one array of bits: the expected FPR by theory and, if the crate
/// exposes the number of set bits, the fill ratio and the FPR at that fill.
fn classic(bits: u64, hashes: u32, memory: u64, keys: u64, ones: Option<u64>) -> State {
    let fill = ones.map(|ones| ones as f64 / bits as f64);
    let expected = Array::whole(bits, hashes).fpr(keys).mean;
    State {
        fill_ratio: fill.unwrap_or(f64::NAN),
        fpr_given_bits: fill.map(|fill| fpr_at_fill(fill, hashes)),
        ..state(bits, hashes, memory, expected)
    }
}

fn of_fastbloom() -> Vec<Entry> {
    let about = "The crate fastbloom: one bit array. SipHash-1-3, its default, with the run's \
                 seed (given none it draws one for each filter); many give it foldhash or ahash \
                 for speed";
    let plain = || {
        let entry = peer("fastbloom", FASTBLOOM, about, CLASSIC, plain);
        Entry {
            is_quick: true,
            ..entry.timed(Family::Spread, |kind, request| {
                Ok(single(plain(request)?, kind))
            })
        }
    };
    let hashed = plain().hashed(
        "fastbloom-foldhash",
        "The crate fastbloom 0.17.0: foldhash in place of its own hash",
    );
    let hashed = hashed.timed(Family::Spread, |kind, request| {
        let filter = BloomFilter::with_false_pos(target(request)?).hasher(FixedState::default());
        Ok(single(
            filter.expected_items(request.capacity as usize),
            kind,
        ))
    });
    let about = "The crate fastbloom: one array of atomic words, filled by many threads. Hashed \
                 as fastbloom is";
    let atomic_words = peer("fastbloom-atomic", FASTBLOOM, about, CLASSIC, atomic);
    let atomic_words = Entry {
        concurrent: true,
        ..atomic_words.timed(Family::Spread, |kind, request| {
            Ok(single(atomic(request)?, kind))
        })
    };
    vec![plain(), hashed, atomic_words]
}

/// Implements the adapter for a filter type of fastbloom, which exposes m, k and its words.
macro_rules! fast {
    ($filter:ident, $make:ident) => {
        fn $make(request: &Request) -> Result<$filter> {
            let keys = request.capacity as usize;
            let seed = u128::from_le_bytes(wide_seed(request.seed));
            Ok(match request.size {
                Size::TargetFpr(fpr) => $filter::with_false_pos(fpr)
                    .seed(&seed)
                    .expected_items(keys),
                Size::BitsPerKey(bits) => {
                    let bits = (request.capacity as f64 * bits).round() as usize;
                    $filter::with_num_bits(bits)
                        .seed(&seed)
                        .expected_items(keys)
                }
            })
        }

        impl Peer for $filter {
            fn state(&self, keys: u64) -> State {
                let (bits, hashes) = (self.num_bits() as u64, self.num_hashes());
                let ones = self.iter().map(|word| u64::from(word.count_ones())).sum();
                let memory = bits / 8 + size_of::<Self>() as u64;
                classic(bits, hashes, memory, keys, Some(ones))
            }
        }
    };
}
fast!(BloomFilter, plain);
fast!(AtomicBloomFilter, atomic);

/// The filters of fastbloom that threads can share: name, description and constructor.
pub fn sharings() -> impl Iterator<Item = (&'static str, &'static str, MakeShared)> {
    let own: MakeShared = Box::new(|capacity, fpr, _| {
        let filter = AtomicBloomFilter::with_false_pos(fpr).seed(&1);
        Ok(Box::new(filter.expected_items(capacity as usize)))
    });
    let folded: MakeShared = Box::new(|capacity, fpr, _| {
        let filter = AtomicBloomFilter::with_false_pos(fpr).hasher(FixedState::default());
        Ok(Box::new(filter.expected_items(capacity as usize)))
    });
    let about = "The crate fastbloom: AtomicBloomFilter with its own hash";
    let about_folded = "The crate fastbloom: AtomicBloomFilter with foldhash";
    [
        ("fastbloom-atomic", about, own),
        ("fastbloom-atomic-foldhash", about_folded, folded),
    ]
    .into_iter()
}

impl<S: BuildHasher + Send + Sync> Shared for AtomicBloomFilter<S> {
    fn insert(&self, _: usize, _: Way, stream: &Stream) -> u64 {
        singly(stream, |key| self.insert(key))
    }

    fn look_up(&self, _: Way, stream: &Stream) -> u64 {
        singly(stream, |key| self.contains(key))
    }
}

fn of_bloomfilter() -> Entry {
    fn made<K: ?Sized>(request: &Request) -> Result<Bloom<K>> {
        let (seed, keys) = (wide_seed(request.seed), request.capacity as usize);
        let built = match request.size {
            Size::TargetFpr(fpr) => Bloom::new_for_fp_rate_with_seed(keys, fpr, &seed),
            Size::BitsPerKey(bits) => {
                let bytes = (keys as f64 * bits / 8.0).ceil() as usize;
                Bloom::new_with_seed(bytes, keys, &seed)
            }
        };
        built.map_err(|error| anyhow!(error))
    }
    let about = "The crate bloomfilter: one bit array, two SipHash-1-3 with the run's seed, \
                 combined by double hashing";
    let entry = peer(
        "bloomfilter",
        "bloomfilter 3.0.2",
        about,
        CLASSIC,
        made::<[u8]>,
    );
    entry.timed(Family::Spread, |kind, request| {
        Ok(match kind {
            Kind::U64 => of_integers(made::<u64>(request)?),
            Kind::Url => of_bytes(made::<[u8]>(request)?),
        })
    })
}

impl Peer for Bloom<[u8]> {
    fn state(&self, keys: u64) -> State {
        let (bits, hashes) = (self.len(), self.number_of_hash_functions());
        let memory = self.as_slice().len() + size_of::<Self>();
        classic(bits, hashes, memory as u64, keys, None)
    }
}

/// The crate's classic Bloom filter. It is generic over the type of key, and lookups accept a
/// borrowed form of the key.
fn of_probabilistic() -> Entry {
    fn made<K: Hash>(request: &Request) -> Result<Probabilistic<K>> {
        let seed: [u8; 32] = wide_seed(request.seed);
        let (words, _) = seed.as_chunks();
        let [a, b, c, d] = std::array::from_fn(|i| u64::from_le_bytes(words[i]));
        let hashers = [(a, b), (c, d)].map(|(one, other)| SipHasherBuilder::from_seed(one, other));
        let keys = request.capacity as usize;
        Ok(match request.size {
            Size::TargetFpr(fpr) => Probabilistic::with_hashers(keys, fpr, hashers),
            Size::BitsPerKey(bits) => {
                let bits = (keys as f64 * bits).round() as usize;
                Probabilistic::from_item_count_with_hashers(bits, keys, hashers)
            }
        })
    }
    let name = "probabilistic-collections";
    let about = "The crate probabilistic-collections: its BloomFilter, one bit array, two \
                 SipHash-2-4 with the run's seed, combined by double hashing";
    let release = "probabilistic-collections 0.7.0";
    let entry = peer(name, release, about, CLASSIC, made::<Vec<u8>>);
    entry.timed(Family::Spread, |kind, request| {
        Ok(match kind {
            Kind::U64 => of_integers(made::<u64>(request)?),
            Kind::Url => of_bytes(made::<Vec<u8>>(request)?),
        })
    })
}

impl Peer for Probabilistic<Vec<u8>> {
    fn state(&self, keys: u64) -> State {
        let (bits, hashes) = (self.len() as u64, self.hasher_count() as u32);
        let memory = bits.div_ceil(8) + size_of::<Self>() as u64;
        classic(bits, hashes, memory, keys, Some(self.count_ones() as u64))
    }
}

struct Growable {
    filter: GrowableBloom,
    fpr: f64,
}

fn of_growable() -> Entry {
    let made = |request: &Request| {
        let fpr = target(request)?;
        let filter = GrowableBloom::new(fpr, request.capacity as usize);
        Ok(Growable { filter, fpr })
    };
    let about = "The crate growable-bloom-filter: stages that double, with FPRs that tighten by \
                 0.85. One fixed hash (xxh3), no seed";
    let release = "growable-bloom-filter 2.1.1";
    let entry = peer("growable-bloom-filter", release, about, PROMISED, made);
    let entry = entry.timed(Family::Spread, |kind, request| {
        let filter = GrowableBloom::new(target(request)?, request.capacity as usize);
        Ok(single(Growable { filter, fpr: 0.0 }, kind))
    });
    Entry {
        grows: true,
        ..entry
    }
}

impl<K: Hash + ?Sized> Insertable<K> for Growable {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        self.filter.insert(key);
        true
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        self.filter.contains(key)
    }
}

impl Peer for Growable {
    fn state(&self, _keys: u64) -> State {
        // The crate exposes nothing about the stages; only the length of the serialized filter is
        // known.
        let bytes = bincode::serialized_size(&self.filter).unwrap_or(0);
        state(bytes * 8, 0, bytes, self.fpr)
    }
}

/// A hash function, for a crate whose filters take hashes instead of keys.
trait Hashes: 'static {
    fn hash(bytes: &[u8], seed: u64) -> u64;
}

struct Xxh3;

impl Hashes for Xxh3 {
    #[inline(always)]
    fn hash(bytes: &[u8], seed: u64) -> u64 {
        xxh3_64_with_seed(bytes, seed)
    }
}

struct Rapid;

impl Hashes for Rapid {
    #[inline(always)]
    fn hash(bytes: &[u8], _: u64) -> u64 {
        rapidhash_v3(bytes)
    }
}

/// The split block filter of sbbf-rs-safe, the safe wrapper of sbbf-rs 0.2.8. sbbf-rs itself also
/// builds on stable Rust, but its interface consists of unsafe functions on a buffer of the
/// caller's.
struct SplitBlock<H> {
    filter: sbbf_rs_safe::Filter,
    seed: u64,
    hash: PhantomData<H>,
}

fn split_block<H>(request: &Request) -> Result<SplitBlock<H>> {
    let bits = match request.size {
        Size::BitsPerKey(bits) => bits.round(),
        Size::TargetFpr(fpr) => {
            let fewest = <BlockedBloom<Words32>>::geometry_for(&Spec::new(request.capacity, fpr)?)?;
            (fewest.size_bits() as f64 / request.capacity as f64).ceil()
        }
    };
    let filter = sbbf_rs_safe::Filter::new(bits.max(1.0) as usize, request.capacity as usize);
    Ok(SplitBlock {
        filter,
        seed: request.seed,
        hash: PhantomData,
    })
}

fn of_sbbf() -> [Entry; 2] {
    fn entry<H: Hashes>() -> Entry {
        let about = "The crate sbbf-rs-safe: Parquet's split block filter. It takes hashes, not \
                     keys: xxh3 with the run's seed here. It takes whole bits per key, not an \
                     FPR: the fewest that keep the target by theory";
        let theory = "Poisson mixture over the keys of a block (Putze, Sanders and Singler 2007)";
        let made = split_block::<H>;
        let entry = peer("sbbf-rs", "sbbf-rs-safe 0.3.2", about, theory, made);
        Entry {
            is_quick: true,
            ..entry.timed(Family::Blocked, |kind, request| {
                Ok(single(split_block::<H>(request)?, kind))
            })
        }
    }
    let about = "The crate sbbf-rs-safe 0.3.2: rapidhash of the key's bytes";
    [
        entry::<Xxh3>(),
        entry::<Rapid>().hashed("sbbf-rs-rapidhash", about),
    ]
}

/// Implements `Insertable` for filters that take hashes; `$bytes` gives the bytes to hash.
macro_rules! hashed {
    ($key:ty, $bytes:expr) => {
        impl<H: Hashes> Insertable<$key> for SplitBlock<H> {
            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                self.filter
                    .insert_hash(H::hash(&$bytes(key)[..], self.seed));
                true
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                self.filter
                    .contains_hash(H::hash(&$bytes(key)[..], self.seed))
            }
        }
    };
}
hashed!(u64, |key: &u64| key.to_le_bytes());
hashed!([u8], std::convert::identity::<&[u8]>);

impl<H: Hashes> Peer for SplitBlock<H> {
    fn state(&self, keys: u64) -> State {
        let bytes = self.filter.as_bytes();
        let bits = bytes.len() as u64 * 8;
        let ones: u64 = bytes.iter().map(|byte| u64::from(byte.count_ones())).sum();
        // The crate allocates whole cache lines, and each block is half a line.
        let memory = bytes.len().next_multiple_of(64) + size_of::<sbbf_rs_safe::Filter>() + 8;
        let blocks = Array {
            groups: (bits / 256).max(1),
            ranges: 8,
            slots: 32,
            throws: 1,
        };
        State {
            fill_ratio: ones as f64 / bits as f64,
            ..state(bits, 8, memory as u64, blocks.fpr(keys).mean)
        }
    }
}

/// The crate's key type must be sized, so every call copies the slice.
struct Compressed {
    filter: Bloom2<RandomState, CompressedBitmap, Vec<u8>>,
    size: FilterSize,
    /// The filter's size in bytes. It is saved after each insertion, because reading it needs
    /// `&mut`.
    bytes: u64,
}

/// Not timed: its `contains` returns true if any probe is set, which makes the FPR more than 90 %.
fn of_bloom2() -> Entry {
    let made = |request: &Request| {
        let fpr = target(request)?;
        let keeps = |size: &FilterSize| documented_fpr(*size, request.capacity) <= fpr;
        let sizes = [
            FilterSize::KeyBytes1,
            FilterSize::KeyBytes2,
            FilterSize::KeyBytes3,
            FilterSize::KeyBytes4,
        ];
        let size = sizes.into_iter().find(keeps);
        let size = size.context("no size keeps this target")?;
        Ok(Compressed {
            filter: BloomFilterBuilder::default().size(size).build(),
            size,
            bytes: 0,
        })
    };
    let about = "The crate bloom2: bits that are compressed while they are few. The parts of one \
                 SipHash-1-3 with random keys are the probes; of its sizes 2^8, 2^16, 2^24 and \
                 2^32 bits the smallest that keeps the target by the textbook form";
    let theory = "the textbook form for probes that must all be set; the crate takes any one";
    Entry {
        reproducible_by_seed: false,
        ..peer("bloom2", "bloom2 0.5.1", about, theory, made)
    }
}

/// The FPR according to its documentation, which splits a 64-bit hash into whole probes.
fn documented_fpr(size: FilterSize, keys: u64) -> f64 {
    let (bits, hashes) = (f64::powi(256.0, size as i32), 8 / size as u32);
    let fill = -f64::exp_m1(-f64::from(hashes) * keys as f64 / bits);
    fpr_at_fill(fill, hashes)
}

impl Insertable<[u8]> for Compressed {
    fn insert(&mut self, key: &[u8]) -> bool {
        self.filter.insert(&key.to_vec());
        self.bytes = self.filter.byte_size() as u64;
        true
    }

    fn contains(&self, key: &[u8]) -> bool {
        self.filter.contains(&key.to_vec())
    }
}

impl Peer for Compressed {
    fn state(&self, keys: u64) -> State {
        let expected = documented_fpr(self.size, keys);
        state(self.bytes * 8, 8 / self.size as u32, self.bytes, expected)
    }
}

/// The crate exposes neither m nor k of a filter, so they are computed as the crate does.
struct Broom<F> {
    filter: F,
    size_bits: u64,
    hashes: u32,
}

/// Implements the adapter for both filter types; `$size` rounds the wanted number of bits as the
/// type does.
macro_rules! brooms {
    ($($filter:ident, $make:ident: $size:expr;)*) => {$(
        fn $make(request: &Request) -> Result<Broom<broomfilter::$filter>> {
            let (fpr, keys) = (target(request)?, request.capacity as f64);
            let size_bits: u64 = $size((-keys * fpr.ln() / LN_2.powi(2)).ceil() as u64);
            let hashes = (size_bits as f64 / keys * LN_2).round().clamp(1.0, 30.0);
            Ok(Broom {
                filter: broomfilter::$filter::from_fpr(request.capacity as usize, fpr)?,
                size_bits,
                hashes: hashes as u32,
            })
        }

        impl Insertable<[u8]> for Broom<broomfilter::$filter> {
            fn insert(&mut self, key: &[u8]) -> bool {
                self.filter.insert(key);
                true
            }

            fn contains(&self, key: &[u8]) -> bool {
                self.filter.contains(key)
            }
        }

        impl Peer for Broom<broomfilter::$filter> {
            fn state(&self, keys: u64) -> State {
                let memory = self.size_bits / 8 + size_of::<broomfilter::$filter>() as u64;
                classic(self.size_bits, self.hashes, memory, keys, None)
            }
        }
    )*};
}
brooms! {
    Filter, broom: u64::next_power_of_two;
    BlockedFilter, blocked_broom: |wanted: u64| wanted.next_multiple_of(512);
}

fn of_broomfilter() -> [Entry; 2] {
    let release = "broomfilter 0.1.4";
    let about = "The crate broomfilter: its Filter, one bit array rounded up to a power of two, \
                 one xxh3 of 128 bits without a seed, combined by double hashing";
    let about_blocked = "The crate broomfilter: its BlockedFilter, all probes of a key in one \
                         cache line. Hashed as broomfilter is; sized by the classic form, which \
                         leaves blocks out";
    [
        peer("broomfilter", release, about, CLASSIC, broom),
        peer(
            "broomfilter-blocked",
            release,
            about_blocked,
            CLASSIC,
            blocked_broom,
        ),
    ]
}
