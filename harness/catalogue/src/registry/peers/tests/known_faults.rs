//! Tests that known faults of other crates are still present in the releases that are built. The
//! measured values are in experiments/known-faults.csv, which the guide and COMPARE.md quote;
//! `BOUQUET_FAULTS=write` updates the file.

use std::{env, hash::RandomState, path::Path};

use ::bloom2::{Bloom2, BloomFilterBuilder, CompressedBitmap, FilterSize};
use ::bloomfilter::Bloom;
use ::broomfilter::{BlockedFilter, Filter as PlainFilter};
use ::fastbloom::{AtomicBloomFilter, BloomFilter};
use ::probabilistic_collections::{SipHasherBuilder, bloom::BloomFilter as Probabilistic};
use ::qfilter::Filter as Quotient;
use bouquet_standard::StandardBloom;

use super::*;

const COLUMNS: [&str; 7] = [
    "crate", "where", "fault", "source", "figure", "at_least", "measured",
];
const OTHERS: u64 = 100_000;
const UNITED: &str = "united across seeds";
const UNITED_EQUALLY: &str = "united, equal hashers";
const WRITTEN: &str = "written, 10,000 keys";

const DIFFERENT_SEEDS: &str = "union needs equal hashers, says its documentation, and does not ask: of different seeds half of \
     the keys become false negatives";
const HALVES: &str = "the two halves of the seed key its two hashes: equal ones make one hash";
const ONE_HASH: &str = "two equal hashers make one hash";

/// The release, the circumstances in which the fault shows, the fault, and the source.
type Words = [&'static str; 4];
/// The metric that shows the fault, its smallest value to expect, and its measured value.
type Figure = (&'static str, f64, f64);

fn false_negatives(at_least: f64, members: u64, contains: impl Fn(u64) -> bool) -> Figure {
    let missing = (0..members).filter(|key| !contains(*key)).count();
    let measured = missing as f64 / members as f64;
    ("false-negatives", at_least, measured)
}

fn fpr(at_least: f64, members: u64, contains: impl Fn(u64) -> bool) -> Figure {
    let others = members..members + OTHERS;
    let found = others.filter(|key| contains(*key)).count();
    ("fpr", at_least, found as f64 / OTHERS as f64)
}

/// The filter of an entry, filled with as many keys as it is sized for.
struct Full {
    filter: Box<dyn Subject>,
    accepted: Vec<u64>,
    keys: u64,
}

impl Full {
    fn of(entry: &Entry, keys: u64) -> Self {
        let mut filter = (entry.build)(&Request::of_target(keys, 0.01, 1)).unwrap();
        let accepted = (0..keys).filter(|key| filter.insert(&key.to_le_bytes()));
        let accepted = accepted.collect();
        Self {
            filter,
            accepted,
            keys,
        }
    }

    fn contains(&self, key: u64) -> bool {
        self.filter.contains(&key.to_le_bytes())
    }

    fn fpr(&self, at_least: f64) -> Figure {
        fpr(at_least, self.keys, |key| self.contains(key))
    }

    fn bits(&self, at_least: f64) -> Figure {
        let bytes = self.filter.state(self.keys).memory_bytes;
        (
            "bits-per-key",
            at_least,
            8.0 * bytes as f64 / self.keys as f64,
        )
    }

    fn missing(&self, at_least: f64) -> Figure {
        let missing = self.accepted.iter().filter(|key| !self.contains(**key));
        let measured = missing.count() as f64 / self.accepted.len() as f64;
        ("false-negatives", at_least, measured)
    }
}

/// The union of two filters that each have half of the keys.
fn united<F>(
    [mut left, mut right]: [F; 2],
    insert: impl Fn(&mut F, u64),
    unite: impl Fn(&mut F, &F),
) -> F {
    (0..CAPACITY / 2).for_each(|key| insert(&mut left, key));
    (CAPACITY / 2..CAPACITY).for_each(|key| insert(&mut right, key));
    unite(&mut left, &right);
    left
}

/// The false negatives of such a union of filters with the methods `insert` and `union`.
macro_rules! missing_of_union {
    ($filters:expr, $at_least:expr) => {{
        let union = united(
            $filters,
            |filter, key| _ = filter.insert(&key),
            |left, right| left.union(right),
        );
        false_negatives($at_least, CAPACITY, |key| union.contains(&key))
    }};
}

/// The FPR of a full filter.
macro_rules! full {
    ($filter:expr, $at_least:expr) => {{
        let mut filter = $filter;
        (0..CAPACITY).for_each(|key| _ = filter.insert(&key));
        fpr($at_least, CAPACITY, |key| filter.contains(&key))
    }};
}

type OfBloom2 = Bloom2<RandomState, CompressedBitmap, u64>;

fn bloom2(hasher: RandomState) -> OfBloom2 {
    let builder = BloomFilterBuilder::hasher(hasher);
    builder.size(FilterSize::KeyBytes3).build()
}

fn plain(seed: u128) -> BloomFilter {
    let filter = BloomFilter::with_false_pos(0.01).seed(&seed);
    filter.expected_items(CAPACITY as usize)
}

fn atomic(seed: u128) -> AtomicBloomFilter {
    let filter = AtomicBloomFilter::with_false_pos(0.01).seed(&seed);
    filter.expected_items(CAPACITY as usize)
}

fn of_one_seed(seed: [u8; 32]) -> Bloom<u64> {
    Bloom::new_for_fp_rate_with_seed(CAPACITY as usize, 0.01, &seed).unwrap()
}

fn of_equal_hashers(key: u64) -> Probabilistic<u64> {
    let hasher = || SipHasherBuilder::from_seed(key, key);
    Probabilistic::with_hashers(CAPACITY as usize, 0.01, [hasher(), hasher()])
}

fn of_fastbloom() -> Vec<(Words, Figure)> {
    let words = |name| [name, UNITED, DIFFERENT_SEEDS, "its source (union)"];
    vec![
        (
            words("fastbloom 0.17.0"),
            missing_of_union!([1, 2].map(plain), 0.4),
        ),
        (
            words("fastbloom-atomic 0.17.0"),
            missing_of_union!([1, 2].map(atomic), 0.4),
        ),
    ]
}

fn of_bloom2() -> Vec<(Words, Figure)> {
    let words = |place, fault, source| ["bloom2 0.5.1", place, fault, source];
    let of_its_own = || bloom2(RandomState::new());
    let mut filter = of_its_own();
    (0..CAPACITY).for_each(|key| filter.insert(&key));
    let again: OfBloom2 = bincode::deserialize(&bincode::serialize(&filter).unwrap()).unwrap();
    let any = "contains is true if any probe is set";
    let drawn = "each filter draws its own hash and union does not ask for it";
    let skipped = "the hash is drawn at random and not written";
    vec![
        (
            words("10,000 keys", any, "its source (contains)"),
            full!(filter, 0.1),
        ),
        (
            words(UNITED, drawn, "its source (union)"),
            missing_of_union!([of_its_own(), of_its_own()], 0.3),
        ),
        (
            words(
                "written and read back",
                skipped,
                "its source (serde skips the hasher)",
            ),
            false_negatives(0.5, CAPACITY, |key| again.contains(&key)),
        ),
    ]
}

fn of_seeds() -> Vec<(Words, Figure)> {
    let bloomfilter = |seed| ["bloomfilter 3.0.2", seed, HALVES, "its source (bloom_hash)"];
    let probabilistic = |seed| {
        let name = "probabilistic-collections 0.7.0";
        [name, seed, ONE_HASH, "measured here"]
    };
    let (equal, zeros) = ("a seed of equal halves", "a seed of zeros");
    let halves: [u8; 16] = wide_seed(1);
    let halves: [u8; 32] = std::array::from_fn(|at| halves[at % 16]);
    vec![
        (bloomfilter(equal), full!(of_one_seed(halves), 0.02)),
        (bloomfilter(zeros), full!(of_one_seed([0; 32]), 0.02)),
        (probabilistic(equal), full!(of_equal_hashers(7), 0.015)),
        (probabilistic(zeros), full!(of_equal_hashers(0), 0.015)),
    ]
}

fn of_sizes() -> Vec<(Words, Figure)> {
    let peers = peers();
    let full = |name, keys| {
        let entry = peers.iter().find(|one| one.name == name).unwrap();
        Full::of(entry, keys)
    };
    let cuckoo = full("cuckoofilter", 16_384);
    let one_more = full("cuckoofilter", 16_385);
    let rounded = full("broomfilter", 16_384);
    let blocked = full("broomfilter-blocked", 27_349);
    let quotient = full("qfilter", 16_384);
    let slots = "slots are rounded up to a power of two";
    let step = "of 2^9 blocks the block's index fixes the step of the probes";
    let of_cuckoo = |place, fault, source| ["cuckoofilter 0.5.0", place, fault, source];
    let missing = "full it has false negatives for accepted keys";
    let byte = "fingerprints have one byte whatever is asked for";
    let (at, past) = ("16,384 keys", "16,385 keys");
    vec![
        (
            of_cuckoo(at, missing, "its documentation of add"),
            cuckoo.missing(0.005),
        ),
        (
            of_cuckoo(at, byte, "its source (FINGERPRINT_SIZE)"),
            cuckoo.fpr(0.02),
        ),
        (
            of_cuckoo(past, slots, "its source (with_capacity)"),
            one_more.bits(15.0),
        ),
        (
            [
                "broomfilter 0.1.4",
                at,
                "bits are rounded up to a power of two",
                "its documentation of from_fpr",
            ],
            rounded.bits(15.0),
        ),
        (
            [
                "broomfilter-blocked 0.1.4",
                "27,349 keys",
                step,
                "its source (probe_masks)",
            ],
            blocked.fpr(0.15),
        ),
        (
            [
                "qfilter 0.3.1",
                at,
                slots,
                "its source (calculate_needed_slots)",
            ],
            quotient.bits(17.0),
        ),
    ]
}

/// Not a fault: a union of filters with equal hashers, of each crate that unites filters.
fn equal_hashers() -> Vec<(Words, Figure)> {
    let keys = CAPACITY as usize;
    let bytes = u64::to_le_bytes;
    let state = RandomState::new();
    let of_fastbloom = united(
        [1, 1].map(plain),
        |f, key| _ = f.insert(&key),
        |l, r| l.union(r),
    );
    let of_atomic = united(
        [1, 1].map(atomic),
        |f, key| _ = f.insert(&key),
        |l, r| l.union(r),
    );
    let of_bloom2 = united(
        [state.clone(), state].map(bloom2),
        |f, key| f.insert(&key),
        |l, r| l.union(r),
    );
    let of_broom = united(
        [0, 0].map(|_| PlainFilter::from_fpr(keys, 0.01).unwrap()),
        |f, key| f.insert(bytes(key)),
        |l, r| l.union(r).unwrap(),
    );
    let of_blocks = united(
        [0, 0].map(|_| BlockedFilter::from_fpr(keys, 0.01).unwrap()),
        |f, key| f.insert(bytes(key)),
        |l, r| l.union(r).unwrap(),
    );
    let of_quotients = united(
        [0, 0].map(|_| Quotient::new(CAPACITY, 0.01).unwrap()),
        |f, key| _ = f.insert(key).unwrap(),
        |l, r| l.merge(false, r).unwrap(),
    );
    let ours = united(
        [0, 0].map(|_| StandardBloom::new(keys, 0.01).unwrap()),
        |f: &mut StandardBloom, key| _ = f.insert(&key),
        |l, r| l.union_with(r).unwrap(),
    );
    let unions: [(&'static str, &dyn Fn(u64) -> bool); 7] = [
        ("standard", &|key| ours.contains(&key)),
        ("fastbloom 0.17.0", &|key| of_fastbloom.contains(&key)),
        ("fastbloom-atomic 0.17.0", &|key| of_atomic.contains(&key)),
        ("bloom2 0.5.1", &|key| of_bloom2.contains(&key)),
        ("broomfilter 0.1.4", &|key| of_broom.contains(bytes(key))),
        ("broomfilter-blocked 0.1.4", &|key| {
            of_blocks.contains(bytes(key))
        }),
        ("qfilter 0.3.1", &|key| of_quotients.contains(key)),
    ];
    let rows = unions.map(|(name, contains)| {
        let words = [name, UNITED_EQUALLY, "", "measured here"];
        let (_, _, missing) = false_negatives(0.0, CAPACITY, contains);
        assert_eq!(missing, 0.0, "{name}");
        let (_, _, fpr) = fpr(0.0, CAPACITY, contains);
        [
            (words, ("missing-in-union", 0.0, missing)),
            (words, ("fpr-of-union", 0.0, fpr)),
        ]
    });
    rows.concat()
}

/// Not a fault: the encoded size of the crate that writes the fewest bytes, and of ours for
/// comparison.
fn written() -> Vec<(Words, Figure)> {
    let figure = |bytes: usize| ("bytes-per-key", 0.0, bytes as f64 / CAPACITY as f64);
    let words = |name| [name, WRITTEN, "", "measured here"];
    let ours: StandardBloom = StandardBloom::new(CAPACITY as usize, 0.01).unwrap();
    let theirs = of_one_seed([1; 32]);
    vec![
        (words("bloomfilter 3.0.2"), figure(theirs.to_bytes().len())),
        (words("standard"), figure(ours.encode().len())),
    ]
}

#[test]
fn known_faults_are_still_there() {
    let all = [
        of_sizes(),
        of_fastbloom(),
        of_seeds(),
        of_bloom2(),
        equal_hashers(),
        written(),
    ]
    .concat();
    for (words, (figure, at_least, measured)) in &all {
        assert!(measured >= at_least, "{words:?}: {figure} {measured}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments/known-faults.csv");
    if env::var_os("BOUQUET_FAULTS").is_some_and(|what| what == "write") {
        let mut csv = csv::Writer::from_path(&path).unwrap();
        csv.write_record(COLUMNS).unwrap();
        for (words, (figure, at_least, measured)) in &all {
            csv.serialize((words, figure, at_least, format!("{measured:.5}")))
                .unwrap();
        }
        csv.flush().unwrap();
    }
    // Some crates use random numbers, so the measured values differ from run to run.
    let mut csv = csv::Reader::from_path(path).unwrap();
    let rows: Vec<([String; 4], String, f64, f64)> =
        csv.deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), all.len());
    for ((words, figure, at_least, measured), (known, (by, least, _))) in rows.iter().zip(&all) {
        assert_eq!((words, &figure[..]), (&known.map(String::from), *by));
        assert!(at_least == least && measured >= least, "{words:?}");
    }
}
