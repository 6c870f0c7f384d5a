//! The filters of those crates that are compiled only with the feature `peers`.

use std::{
    f64::consts::LN_2,
    hash::{BuildHasher, Hash, RandomState},
};

use anyhow::{Context, Result, anyhow};
use bloom2::{Bloom2, BloomFilterBuilder, CompressedBitmap, FilterSize};
use bloomfilter::Bloom;
use bouquet_blocked::{BlockedBloom, Words32};
use bouquet_core::{Inner, Key, Spec};
use bouquet_record::Way;
use bouquet_stats::reference::{Array, fpr_at_fill};
use broomfilter::{BlockedFilter, Filter as PlainFilter};
use fastbloom::{AtomicBloomFilter, BloomFilter};
use foldhash::fast::FixedState;
use growable_bloom_filter::GrowableBloom;
use probabilistic_collections::{SipHasherBuilder, bloom::BloomFilter as Probabilistic};
use qfilter::Filter as Quotient;
use rapidhash::v3::rapidhash_v3;
use scalable_cuckoo_filter::ScalableCuckooFilter;
use xorf::{BinaryFuse8, BinaryFuse16, DmaSerializable, Filter};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{
    Entry, Insertable, Inserted, Peer, Request, State, Target, peer, state, takes, untimed,
};
use crate::{
    Collected,
    Family::{Blocked, Fingerprints, Spread, Static},
    MakeShared, Shared, Stream, looked_up,
    registry::{Size, shared::singly},
};

const CLASSIC: &str = "the classic exact form for the m and k that the crate chose";
const PROMISED: &str = "the FPR that was asked for, which the crate promises at any load it takes";
pub const FASTBLOOM: &str = "fastbloom 0.17.0";

pub fn peers() -> Vec<Entry> {
    let about = "The crate fastbloom: one bit array. SipHash-1-3, its default, with the run's seed \
                 (given none it draws one for each filter)";
    let words = ["fastbloom", FASTBLOOM, about];
    let mut fast = peer(words, Spread, CLASSIC, plain, plain);
    fast.is_quick = true;
    let about = "The crate fastbloom 0.17.0: foldhash in place of its own hash";
    let words = ["fastbloom-foldhash", FASTBLOOM, about];
    let mut foldhash = peer(words, Spread, CLASSIC, folded, folded);
    (foldhash.is_quick, foldhash.is_evaluated) = (true, false);
    let about = "The crate fastbloom: one array of atomic words, filled by many threads";
    let words = ["fastbloom-atomic", FASTBLOOM, about];
    let mut of_threads = peer(words, Spread, CLASSIC, atomic, atomic);
    of_threads.facts.concurrent = true;

    let about = "The crate bloomfilter: one bit array, two SipHash-1-3 with the run's seed, \
                 combined by double hashing";
    let words = ["bloomfilter", "bloomfilter 3.0.2", about];
    let bloom = peer(words, Spread, CLASSIC, siphashes::<[u8]>, siphashes::<u64>);

    let about = "The crate probabilistic-collections: its BloomFilter, one bit array, two \
                 SipHash-2-4 with the run's seed, combined by double hashing";
    let release = "probabilistic-collections 0.7.0";
    let words = ["probabilistic-collections", release, about];
    let bytes = collected::<Vec<u8>>;
    let collections = peer(words, Spread, CLASSIC, bytes, collected::<u64>);

    let about = "The crate growable-bloom-filter: stages that double, with FPRs that tighten by \
                 0.85. One fixed hash (xxh3), no seed";
    let release = "growable-bloom-filter 2.1.1";
    let words = ["growable-bloom-filter", release, about];
    let mut growable = peer(words, Spread, PROMISED, doubled, doubled);
    growable.facts.grows = true;

    let about = "The crate sbbf-rs-safe: Parquet's split block filter, of xxh3 with the run's seed, \
                 with the fewest whole bits per key that keep the target by theory";
    let theory = "Poisson mixture over the keys of a block (Putze, Sanders and Singler 2007)";
    let words = ["sbbf-rs", "sbbf-rs-safe 0.3.2", about];
    let make = SplitBlock::<false>::new;
    let mut split_block = peer(words, Blocked, theory, make, make);
    split_block.is_quick = true;
    let about = "The crate sbbf-rs-safe 0.3.2: rapidhash of the key's bytes";
    let words = ["sbbf-rs-rapidhash", "sbbf-rs-safe 0.3.2", about];
    let make = SplitBlock::<true>::new;
    let mut rapidhash = peer(words, Blocked, theory, make, make);
    (rapidhash.is_quick, rapidhash.is_evaluated) = (true, false);

    let about = "The crate bloom2: bits that are compressed while they are few, probed by the parts \
                 of one SipHash-1-3; its smallest size that keeps the target by the textbook form";
    let theory = "the textbook form for probes that must all be set; the crate takes any one";
    let words = ["bloom2", "bloom2 0.5.1", about];
    let mut compressed = untimed(words, Spread, theory, Compressed::new);
    compressed.reproducible_by_seed = false;

    let about = "The crate broomfilter: its Filter, one bit array rounded up to a power of two, \
                 one xxh3 of 128 bits without a seed, combined by double hashing";
    let words = ["broomfilter", "broomfilter 0.1.4", about];
    let broom = untimed(words, Spread, CLASSIC, |request| {
        let keys = request.capacity as usize;
        Ok(PlainFilter::from_fpr(keys, request.target_fpr()?)?)
    });
    let about = "The crate broomfilter: its BlockedFilter, all probes of a key in one cache line. \
                 Hashed as broomfilter is; sized by the classic form, which leaves blocks out";
    let words = ["broomfilter-blocked", "broomfilter 0.1.4", about];
    let blocked_broom = untimed(words, Spread, CLASSIC, |request| {
        let keys = request.capacity as usize;
        Ok(BlockedFilter::from_fpr(keys, request.target_fpr()?)?)
    });

    let about = "The crate scalable_cuckoo_filter: cuckoo filters that double, with FPRs that \
                 halve. SipHash-1-3 with fixed keys; what to evict is drawn at random";
    let release = "scalable_cuckoo_filter 0.5.1";
    let words = ["scalable_cuckoo_filter", release, about];
    let make = doubling::<[u8]>;
    let mut cuckoo = peer(words, Fingerprints, PROMISED, make, doubling::<u64>);
    (cuckoo.facts.removes, cuckoo.facts.grows) = (true, true);
    cuckoo.reproducible_by_seed = false;

    let about = "The crate qfilter: a quotient filter of one size, slots rounded up to a power of \
                 two. foldhash with a fixed seed; another hasher can be given";
    let theory = "1 - exp(-load / 2^r), r = bits of a remainder: what the crate reports";
    let words = ["qfilter", "qfilter 0.3.1", about];
    let mut quotients = peer(words, Fingerprints, theory, quotient, quotient);
    quotients.facts.removes = true;
    let about = "The crate qfilter: a quotient filter that doubles up to ten times its capacity, \
                 keeping the target FPR. Hashed as qfilter is";
    let words = ["qfilter-resizeable", "qfilter 0.3.1", about];
    // The crate must know how far the filter will grow; the harness fills growing filters up to ten
    // times their capacity.
    let mut resizeable = untimed(words, Fingerprints, theory, |request| {
        let (keys, fpr) = (request.capacity, request.target_fpr()?);
        Ok(Quotient::new_resizeable(keys, keys * 10, fpr)?)
    });
    (resizeable.facts.removes, resizeable.facts.grows) = (true, true);

    let about = "The crate xorf: BinaryFuse8, one-byte fingerprints, built from all keys at once. \
                 It takes hashes, not keys: integers as they are and the xxh3 of others";
    let fuse8 = fuse::<BinaryFuse8>("xorf-fuse8", about, "one byte a fingerprint");
    let about = "The crate xorf: BinaryFuse16, two-byte fingerprints. Built and hashed as \
                 xorf-fuse8 is";
    let fuse16 = fuse::<BinaryFuse16>("xorf-fuse16", about, "two bytes a fingerprint");

    let fast = [fast, foldhash, of_threads, bloom, collections, growable];
    let rest = [split_block, rapidhash, compressed, broom, blocked_broom];
    let built = [cuckoo, quotients, resizeable, fuse8, fuse16];
    fast.into_iter().chain(rest).chain(built).collect()
}

takes! {
    [K: Hash + ?Sized, S: BuildHasher] BloomFilter<S>: K, insert, contains;
    [K: Hash + ?Sized, S: BuildHasher] AtomicBloomFilter<S>: K, insert, contains;
    [K: Hash + ?Sized] Bloom<K>: K, set, check;
    [] Probabilistic<u64>: u64, insert, contains;
    [] Probabilistic<Vec<u8>>: [u8], insert, contains;
    [K: Hash + ?Sized] GrowableBloom: K, insert, contains;
    [] PlainFilter: [u8], insert, contains;
    [] BlockedFilter: [u8], insert, contains;
    [] ScalableCuckooFilter<u64>: u64, insert, contains;
    [] ScalableCuckooFilter<[u8]>: [u8], insert, contains;
    [K: Hash + ?Sized] Quotient: K, insert, contains, true;
}

/// Expands a seed to as many bytes as a crate needs; no two of its 8-byte words are equal.
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

/// Implements `Peer` for a filter type of fastbloom, which exposes m, k and the words of bits.
macro_rules! fast {
    ($filter:ident, $make:ident) => {
        fn $make(request: &Request) -> Result<$filter> {
            let keys = request.capacity as usize;
            let seed = u128::from_le_bytes(wide_seed(request.seed));
            if let Size::BitsPerKey(bits) = request.size {
                let sized = $filter::with_num_bits((keys as f64 * bits).round() as usize);
                return Ok(sized.seed(&seed).expected_items(keys));
            }
            let sized = $filter::with_false_pos(request.target_fpr()?);
            Ok(sized.seed(&seed).expected_items(keys))
        }

        impl<S: BuildHasher + 'static> Peer for $filter<S> {
            fn state(&self, _: Target, keys: u64) -> State {
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

fn folded(request: &Request) -> Result<BloomFilter<FixedState>> {
    let filter = BloomFilter::with_false_pos(request.target_fpr()?).hasher(FixedState::default());
    Ok(filter.expected_items(request.capacity as usize))
}

/// The filters of fastbloom that threads can share: name, description and constructor.
pub fn sharings() -> [(&'static str, &'static str, MakeShared); 2] {
    let about = "The crate fastbloom: AtomicBloomFilter with its own hash";
    let own: MakeShared = Box::new(|capacity, fpr, _| {
        let filter = AtomicBloomFilter::with_false_pos(fpr).seed(&1);
        Ok(Box::new(filter.expected_items(capacity as usize)))
    });
    let about_folded = "The crate fastbloom: AtomicBloomFilter with foldhash";
    let folded: MakeShared = Box::new(|capacity, fpr, _| {
        let filter = AtomicBloomFilter::with_false_pos(fpr).hasher(FixedState::default());
        Ok(Box::new(filter.expected_items(capacity as usize)))
    });
    [
        ("fastbloom-atomic", about, own),
        ("fastbloom-atomic-foldhash", about_folded, folded),
    ]
}

impl<S: BuildHasher + Send + Sync> Shared for AtomicBloomFilter<S> {
    fn insert(&self, _: usize, _: Way, stream: &Stream) -> u64 {
        singly(stream, |key| self.insert(key))
    }

    fn look_up(&self, _: Way, stream: &Stream) -> u64 {
        singly(stream, |key| self.contains(key))
    }
}

fn siphashes<K: ?Sized>(request: &Request) -> Result<Bloom<K>> {
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

impl Peer for Bloom<[u8]> {
    fn state(&self, _: Target, keys: u64) -> State {
        let (bits, hashes) = (self.len(), self.number_of_hash_functions());
        let memory = self.as_slice().len() + size_of::<Self>();
        classic(bits, hashes, memory as u64, keys, None)
    }
}

fn collected<K: Hash>(request: &Request) -> Result<Probabilistic<K>> {
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

impl Peer for Probabilistic<Vec<u8>> {
    fn state(&self, _: Target, keys: u64) -> State {
        let (bits, hashes) = (self.len() as u64, self.hasher_count() as u32);
        let memory = bits.div_ceil(8) + size_of::<Self>() as u64;
        classic(bits, hashes, memory, keys, Some(self.count_ones() as u64))
    }
}

fn doubled(request: &Request) -> Result<GrowableBloom> {
    let (keys, fpr) = (request.capacity as usize, request.target_fpr()?);
    Ok(GrowableBloom::new(fpr, keys))
}

impl Peer for GrowableBloom {
    fn state(&self, (_, fpr): Target, _keys: u64) -> State {
        // The crate exposes nothing about the stages; only the length of the serialized filter is
        // known.
        let bytes = bincode::serialized_size(self).unwrap_or(0);
        state(bytes * 8, 0, bytes, fpr)
    }
}

/// The split block filter of the crate sbbf-rs-safe. It takes hashes in place of keys: rapidhash if
/// `RAPID` is true, otherwise xxh3 with the seed.
struct SplitBlock<const RAPID: bool> {
    filter: sbbf_rs_safe::Filter,
    seed: u64,
}

impl<const RAPID: bool> SplitBlock<RAPID> {
    fn new(request: &Request) -> Result<Self> {
        let bits = match request.size {
            Size::BitsPerKey(bits) => bits.round(),
            Size::TargetFpr(fpr) => {
                let spec = Spec::new(request.capacity, fpr)?;
                let fewest = <BlockedBloom<Words32>>::geometry_for(&spec)?;
                (fewest.size_bits() as f64 / request.capacity as f64).ceil()
            }
        };
        let (bits, seed) = (bits.max(1.0) as usize, request.seed);
        let filter = sbbf_rs_safe::Filter::new(bits, request.capacity as usize);
        Ok(Self { filter, seed })
    }

    #[inline(always)]
    fn hash(&self, bytes: &[u8]) -> u64 {
        match RAPID {
            true => rapidhash_v3(bytes),
            false => xxh3_64_with_seed(bytes, self.seed),
        }
    }
}

impl<K: Key + ?Sized, const RAPID: bool> Insertable<K> for SplitBlock<RAPID> {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        let hash = key.with_bytes(|bytes| self.hash(bytes));
        !self.filter.insert_hash(hash)
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        let hash = key.with_bytes(|bytes| self.hash(bytes));
        self.filter.contains_hash(hash)
    }
}

impl<const RAPID: bool> Peer for SplitBlock<RAPID> {
    fn state(&self, _: Target, keys: u64) -> State {
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

/// The filter of the crate bloom2. Its key type must be sized, so every call copies the slice. It
/// is not timed, because its `contains` returns true as soon as one of the key's bits is set, so
/// that the FPR is above 90 %.
struct Compressed {
    filter: Bloom2<RandomState, CompressedBitmap, Vec<u8>>,
    size: FilterSize,
    /// The filter's size in bytes, saved after each insertion: `byte_size` needs `&mut self`.
    bytes: u64,
}

impl Compressed {
    fn new(request: &Request) -> Result<Self> {
        let fpr = request.target_fpr()?;
        let keeps = |size: &FilterSize| documented_fpr(*size, request.capacity) <= fpr;
        use FilterSize::{KeyBytes1, KeyBytes2, KeyBytes3, KeyBytes4};
        let mut sizes = [KeyBytes1, KeyBytes2, KeyBytes3, KeyBytes4].into_iter();
        let size = sizes.find(keeps).context("no size keeps this target")?;
        let (filter, bytes) = (BloomFilterBuilder::default().size(size).build(), 0);
        Ok(Self {
            filter,
            size,
            bytes,
        })
    }
}

/// The FPR according to bloom2's documentation: the bytes of a 64-bit hash are split into probes of
/// `size` bytes each.
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
    fn state(&self, _: Target, keys: u64) -> State {
        let expected = documented_fpr(self.size, keys);
        state(self.bytes * 8, 8 / self.size as u32, self.bytes, expected)
    }
}

/// broomfilter does not expose m and k, so they are computed here by the crate's formulas.
fn broom((capacity, fpr): Target, keys: u64, round: fn(u64) -> u64, own: usize) -> State {
    let capacity = capacity as f64;
    let bits = round((-capacity * fpr.ln() / LN_2.powi(2)).ceil() as u64);
    let hashes = (bits as f64 / capacity * LN_2).round().clamp(1.0, 30.0);
    classic(bits, hashes as u32, bits / 8 + own as u64, keys, None)
}

impl Peer for PlainFilter {
    fn state(&self, target: Target, keys: u64) -> State {
        broom(target, keys, u64::next_power_of_two, size_of::<Self>())
    }
}

impl Peer for BlockedFilter {
    fn state(&self, target: Target, keys: u64) -> State {
        let whole_lines = |bits: u64| bits.next_multiple_of(512);
        broom(target, keys, whole_lines, size_of::<Self>())
    }
}

fn doubling<K: Hash + ?Sized>(request: &Request) -> Result<ScalableCuckooFilter<K>> {
    let fpr = request.target_fpr()?;
    Ok(ScalableCuckooFilter::new(request.capacity as usize, fpr))
}

impl Peer for ScalableCuckooFilter<[u8]> {
    fn remove(&mut self, key: &[u8]) -> bool {
        ScalableCuckooFilter::remove(self, key)
    }

    fn state(&self, _: Target, _keys: u64) -> State {
        let bits = self.bits();
        let memory = bits.div_ceil(8) + size_of::<Self>() as u64;
        state(bits, 0, memory, self.false_positive_probability())
    }
}

fn quotient(request: &Request) -> Result<Quotient> {
    Ok(Quotient::new(request.capacity, request.target_fpr()?)?)
}

impl Peer for Quotient {
    /// Stores a fingerprint once for each key that has it. Otherwise, removing one of these keys
    /// would remove the fingerprint of all of them.
    fn insert_to_remove(&mut self, key: &[u8]) -> bool {
        self.insert_duplicated(key).is_ok()
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        Quotient::remove(self, key)
    }

    fn state(&self, _: Target, _keys: u64) -> State {
        let bytes = self.memory_usage() as u64;
        let memory = bytes + size_of::<Self>() as u64;
        state(bytes * 8, 0, memory, self.current_error_ratio())
    }
}

/// A binary fuse filter with fingerprints of 8 or 16 bits.
trait Fuse:
    Filter<u64> + DmaSerializable + for<'a> TryFrom<&'a [u64], Error = &'static str> + 'static
{
    const FPR: f64;
}

impl Fuse for BinaryFuse8 {
    const FPR: f64 = 1.0 / 256.0;
}

impl Fuse for BinaryFuse16 {
    const FPR: f64 = 1.0 / 65_536.0;
}

fn fuse<F: Fuse>(name: &'static str, about: &'static str, fixed_size: &'static str) -> Entry {
    let theory = "1/2^b for fingerprints of b bits (Graf and Lemire 2022)";
    let (words, make) = ([name, "xorf 0.13.0", about], Fused::<F>::new);
    let mut entry = peer(words, Static, theory, make, make);
    entry.reproducible_by_seed = false;
    entry.fixed_size = Some(fixed_size);
    entry
}

/// A binary fuse filter built from at most `capacity` collected integers; `None` if there are none.
struct Fused<F> {
    capacity: usize,
    collected: Collected<Vec<u64>, Option<F>>,
}

impl<F: Fuse> Fused<F> {
    fn new(request: &Request) -> Result<Self> {
        let capacity = request.capacity as usize;
        let collected = Collected::new(Vec::with_capacity(capacity));
        Ok(Self {
            capacity,
            collected,
        })
    }

    fn built(&self) -> Result<&Option<F>> {
        self.collected.built(|mut integers| {
            if integers.is_empty() {
                return Ok(None);
            }
            // The crate requires distinct hashes. Equal ones are rare, so they are removed only if
            // building fails.
            let built = F::try_from(&integers).or_else(|_| {
                integers.sort_unstable();
                integers.dedup();
                F::try_from(&integers)
            });
            built.map(Some).map_err(|error| anyhow!(error))
        })
    }
}

macro_rules! fused {
    ($key:ty, $integer:expr) => {
        impl<F: Fuse> Insertable<$key> for Fused<F> {
            const REJECTS: bool = true;

            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                let capacity = self.capacity;
                self.collected.insert(|integers| {
                    let fits = integers.len() < capacity;
                    if fits {
                        integers.push($integer(key));
                    }
                    fits
                })
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                let filter = looked_up(self.built()).as_ref();
                filter.is_some_and(|filter| filter.contains(&$integer(key)))
            }

            fn finish(&mut self) -> Result<()> {
                self.built().map(drop)
            }
        }
    };
}
fused!(u64, |key: &u64| *key);
fused!([u8], xxh3_64);

impl<F: Fuse> Peer for Fused<F> {
    fn state(&self, _: Target, _keys: u64) -> State {
        let filter = looked_up(self.built()).as_ref();
        let bytes = filter.map_or(0, |filter| filter.dma_fingerprints().len());
        let memory = bytes + size_of::<Self>();
        state(bytes as u64 * 8, 0, memory as u64, F::FPR)
    }
}
