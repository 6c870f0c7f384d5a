//! Facts that apply only to the filters that threads share, and tests of unusual arguments.

use std::{
    convert::Infallible,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use bouquet_sharded::{
    AtomicBloom, BitArray, ConcurrentInsert, Filter, Folded, Geometry, Incompatible, Inner,
    Inspect, KeyHash, KeyHasher, Locate, Parameter, Prehashed, ShardedBloom, Spec, SpecError,
    StandardBloom, TryInsert,
};

type Sharded = ShardedBloom<StandardBloom>;

bouquet_testkit::facts! {
    sharded: bouquet_sharded::ShardedBloom {
        with: |spec, hasher| ShardedBloom::<StandardBloom<_>>::with_hasher(spec, hasher),
        parts: |bits, hashes, seed| Sharded::from_parts(4, bits, hashes, Folded::with_seed(seed)),
        facts: [
            any_key_can_be_inserted,
            odd_specs_work(1e-12),
            a_target_below_the_hash_floor_needs_a_wider_hash,
            bits_per_key_choose_the_best(10.0 => 100_480, 7, 0.0083),
            from_keys_is_sized_for_the_keys,
            it_reports_when_it_is_full(80, 250),
            a_full_filter_contains_everything_and_reports_it(64, 4),
            a_rejected_union_names_the_parameter((640, 3, 1), [
                ((704, 3, 1), "size_bits"), ((640, 4, 1), "hashes"), ((640, 3, 2), "seed"),
            ]),
        ],
    }
    atomic: bouquet_sharded::AtomicBloom {
        with: |spec, hasher| AtomicBloom::with_hasher(spec, hasher),
        parts: |bits, hashes, seed| {
            AtomicBloom::from_parts(bits, hashes, Folded::with_seed(seed))
        },
        facts: [
            any_key_can_be_inserted,
            a_repeated_key_is_one_key(|filter| filter.to_bits()),
            odd_specs_work(1e-12),
            wrong_specs_say_what_to_do(1 << 48),
            a_target_below_the_hash_floor_needs_a_wider_hash,
            bits_per_key_choose_the_best(10.0 => 100_032, 7, 0.0083),
            from_keys_is_sized_for_the_keys,
            it_reports_when_it_is_full(20, 250),
            a_full_filter_contains_everything_and_reports_it(64, 4),
            a_rejected_union_names_the_parameter((640, 3, 1), [
                ((704, 3, 1), "size_bits"), ((640, 4, 1), "hashes"), ((640, 3, 2), "seed"),
            ]),
            memory_is_as_reported(160),
            out_of_cache_all_slots_are_tested((64 << 20) + 64, 20),
        ],
    }
}

fn sharded(capacity: u64, fpr: f64, shards: u32) -> Sharded {
    let spec = Spec::new(capacity, fpr).unwrap();
    Sharded::with_shards(spec, shards, Folded::default()).unwrap()
}

/// Inserts `keys` keys from four threads, each key from one of them. Returns how many inserts
/// returned `true`.
fn insert_from_four(filter: &impl ConcurrentInsert, keys: u64) -> usize {
    let deal = |thread: u64| (thread..keys).step_by(4);
    thread::scope(|scope| {
        let insert =
            |thread| move || deal(thread).filter(|k| filter.insert_shared(&k.to_le_bytes()));
        let threads: Vec<_> = (0..4)
            .map(|thread| scope.spawn(move || insert(thread)().count()))
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    })
}

#[test]
fn sixty_four_shards_have_the_fpr_of_one_filter() {
    let one = StandardBloom::new(64_000, 0.01).unwrap();
    let (mut hits, mut mean) = (0.0, 0.0);
    let mut expected = 0.0;
    for seed in 0..8 {
        let spec = Spec::new(64_000, 0.01).unwrap();
        let filter = Sharded::with_shards(spec, 64, Folded::with_seed(seed)).unwrap();
        (0..64_000u64).for_each(|key| {
            filter.insert(&key);
        });
        expected = filter.expected_fpr(64_000);
        let absent = (1u64 << 40..).take(50_000);
        hits += absent.filter(|key| filter.contains(key)).count() as f64;
        mean += 50_000.0 * expected;
    }
    // Five standard deviations of 4,000 hits are 8 %; filters of this size hardly differ from one
    // another.
    assert!((hits - mean).abs() < 5.0 * f64::sqrt(mean), "{hits} {mean}");
    // A shard has a whole number of words, and one word changes its FPR by 4 %.
    let ratio = expected / one.expected_fpr(64_000);
    assert!((0.95..=1.0).contains(&ratio), "{ratio}");
}

#[test]
fn expected_fpr_is_the_mean_over_loads_of_tiny_shards() {
    // 640 keys in 64 shards: a theory that ignores the random loads would give an FPR that is a
    // third too low.
    const SEEDS: u64 = 150;
    let parts = |seed| Sharded::from_parts(64, 96, 7, Folded::with_seed(seed)).unwrap();
    let rates: Vec<f64> = (0..SEEDS)
        .map(|seed| {
            let mut filter = parts(seed);
            filter.extend(0..640u64);
            filter.estimated_fpr()
        })
        .collect();
    let mean = rates.iter().sum::<f64>() / SEEDS as f64;
    let variance = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / (SEEDS - 1) as f64;
    let error = (variance / SEEDS as f64).sqrt();
    let expected = parts(0).expected_fpr(640);
    assert!(
        (mean - expected).abs() < 5.0 * error,
        "{mean} {expected} {error}"
    );
    let balanced = Sharded::expected_fpr(
        &Sharded::from_parts(1, 96, 7, Folded::default()).unwrap(),
        10,
    );
    assert!(expected > 1.3 * balanced, "{expected} {balanced}");
}

#[test]
fn threads_make_what_one_thread_makes() {
    let shared = sharded(10_000, 0.01, 7);
    insert_from_four(&shared, 10_000);
    // Inserts the rest of each hash into separate filters, shard by shard, in order.
    let mut alone: Vec<StandardBloom> = sharded(10_000, 0.01, 7).into_shards();
    for key in 0..10_000u64 {
        let (shard, rest) = shared.hash(&key).split(7);
        alone[shard as usize].insert_hash(rest);
    }
    assert!(shared.into_shards() == alone);

    let shared = AtomicBloom::new(10_000, 0.01).unwrap();
    insert_from_four(&shared, 10_000);
    let mut alone = StandardBloom::new(10_000, 0.01).unwrap();
    alone.extend(0..10_000u64);
    assert_eq!(shared.to_bits().unwrap(), *alone.bits());
    assert_eq!(shared.bits().count_ones(), alone.bits().count_ones());
    for key in 0..20_000u64 {
        assert_eq!(shared.contains(&key), alone.contains(&key));
    }
}

#[test]
fn any_number_of_shards() {
    for shards in [1, 2, 3, 64, 100, 1_000] {
        let filter = sharded(5_000, 0.01, shards);
        assert_eq!(filter.geometry().shards(), shards);
        (0..5_000u64).for_each(|key| {
            filter.insert(&key);
        });
        assert!((0..5_000u64).all(|key| filter.contains(&key)));
        assert!(filter.expected_fpr(5_000) <= 0.01, "{shards}");
        assert_eq!(filter.size_bits(), filter.geometry().slots());
        assert_eq!((filter.capacity(), filter.target_fpr()), (5_000, 0.01));
        assert_eq!(filter.into_shards().len(), shards as usize);
    }
    let default = |capacity| {
        let filter = ShardedBloom::new(capacity, 0.1).unwrap();
        filter.geometry().shards()
    };
    assert_eq!(
        [1, 1_999, 2_000, 64_000, 1_000_000].map(default),
        [1, 1, 2, 64, 64]
    );
}

#[test]
fn wrong_shards_say_what_to_do() {
    let spec = |capacity, fpr| Spec::new(capacity, fpr).unwrap();
    assert_eq!(
        ShardedBloom::new(0, 0.01).unwrap_err(),
        SpecError::ZeroCapacity
    );
    for fpr in [0.0, 1.0, f64::NAN] {
        let error = ShardedBloom::new(10, fpr).unwrap_err();
        assert!(error.to_string().contains("0.01 for 1 %"));
    }
    // The limits apply to all shards together, not to each shard.
    let huge = spec(100_000_000_000_000, 0.01);
    for error in [
        Sharded::with_shards(huge, 1_000, Folded::default()).unwrap_err(),
        Sharded::from_parts(1 << 20, 1 << 40, 7, Folded::default()).unwrap_err(),
        Sharded::from_parts(u32::MAX, 1 << 48, 1, Folded::default()).unwrap_err(),
    ] {
        assert!(matches!(error, SpecError::TooLarge { .. }), "{error}");
    }
    for error in [
        Sharded::with_shards(spec(10, 0.01), 0, Folded::default()).unwrap_err(),
        Sharded::from_parts(0, 64, 1, Folded::default()).unwrap_err(),
    ] {
        assert_eq!(error, SpecError::ZeroSizeBits);
    }
    assert!(AtomicBloom::from_parts(64, 0, Folded::default()).is_err());
    assert!(ShardedBloom::with_bits_per_key(10, -1.0).is_err());
}

#[test]
fn parts_are_kept_as_they_are() {
    let filter = Sharded::from_parts(4, 1_021, 3, Folded::with_seed(9)).unwrap();
    assert_eq!((filter.size_bits(), filter.hashes()), (4 * 1_021, 3));
    assert_eq!(filter.capacity(), 4 * 235);
    assert_eq!(filter.target_fpr(), filter.expected_fpr(4 * 235));
    let filter = AtomicBloom::from_parts(1_021, 3, Folded::with_seed(9)).unwrap();
    assert_eq!(
        (filter.size_bits(), filter.hashes(), filter.capacity()),
        (1_021, 3, 235)
    );
    assert_eq!(filter.locations("rose").count(), 3);
}

#[test]
fn a_rejected_union_names_the_shards() {
    let make = |shards, bits, seed| Sharded::from_parts(shards, bits, 3, Folded::with_seed(seed));
    let mut filter = make(4, 640, 1).unwrap();
    filter.insert("rose");
    let before = filter.clone();
    for (other, name) in [((5, 640, 1), "shards"), ((4, 704, 1), "size_bits")] {
        let other = make(other.0, other.1, other.2).unwrap();
        for result in [filter.union_with(&other), filter.intersect_with(&other)] {
            assert!(result.unwrap_err().to_string().contains(name));
        }
        assert!(filter == before);
    }
}

#[test]
fn a_million_shards_are_sized_once() {
    // This would take minutes if the size of each shard were computed separately.
    let filter = sharded(1, 0.01, 1_000_000);
    assert_eq!(filter.size_bits(), 64_000_000);
    let overhead = (filter.memory_bytes() as f64 - 8e6) / 1e6;
    assert!((128.0..129.0).contains(&overhead), "{overhead}");
    assert!(filter.insert("rose") && filter.contains("rose"));
}

#[test]
fn memory_of_shards_is_as_reported() {
    let filter = sharded(1_000_000, 0.01, 64);
    let overhead = filter.memory_bytes() as u64 - filter.size_bits() / 8;
    assert!(overhead <= 64 * 256 + 256, "{overhead}");
}

fn compare(left: &Sharded, right: &Sharded) -> usize {
    (0..5_000).filter(|_| left == right).count()
}

#[test]
fn comparing_beside_writers_ends() {
    let (one, two) = (sharded(100, 0.01, 2), sharded(100, 0.01, 2));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                one.insert("rose");
                two.insert("rose");
            }
        });
        let other = scope.spawn(|| compare(&one, &two));
        compare(&two, &one);
        assert_eq!(compare(&one, &one), 5_000);
        other.join().unwrap();
        done.store(true, Ordering::Relaxed);
    });
}

/// A standard filter in which the insert of one particular key panics half-way.
struct Fragile(StandardBloom);

const DEADLY: &str = "deadly";

impl Filter for Fragile {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.0.contains(key)
    }
}

impl Prehashed for Fragile {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.0.hash(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.0.contains_hash(hash)
    }
}

impl TryInsert for Fragile {
    type Error = Infallible;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Infallible> {
        let deadly = Folded::default().hash(DEADLY.as_bytes());
        assert!(hash.probe != deadly.probe, "as intended");
        Ok(self.0.insert_hash(hash))
    }
}

impl Inspect for Fragile {
    fn capacity(&self) -> u64 {
        self.0.capacity()
    }
    fn size_bits(&self) -> u64 {
        self.0.size_bits()
    }
    fn hashes(&self) -> u32 {
        self.0.hashes()
    }
    fn fill_ratio(&self) -> f64 {
        self.0.fill_ratio()
    }
    fn memory_bytes(&self) -> usize {
        self.0.memory_bytes()
    }
    fn expected_fpr(&self, keys: u64) -> f64 {
        self.0.expected_fpr(keys)
    }
    fn estimated_fpr(&self) -> f64 {
        self.0.estimated_fpr()
    }
    fn estimated_keys(&self) -> f64 {
        self.0.estimated_keys()
    }
}

impl Inner for Fragile {
    type Hasher = Folded;
    type Geometry = Geometry;

    fn geometry_for(spec: &Spec) -> Result<Geometry, SpecError> {
        StandardBloom::<Folded>::geometry_for(spec)
    }
    fn size_bits_of(geometry: Geometry) -> u64 {
        geometry.size_bits()
    }
    fn expected_fpr_of(geometry: Geometry, keys: u64) -> f64 {
        <StandardBloom as Inner>::expected_fpr_of(geometry, keys)
    }
    fn with_geometry(geometry: Geometry, spec: Spec, hasher: Folded) -> Result<Self, SpecError> {
        StandardBloom::with_geometry(geometry, spec, hasher).map(Self)
    }
    fn geometry(&self) -> Geometry {
        self.0.geometry()
    }
    fn hasher(&self) -> &Folded {
        self.0.hasher()
    }
    fn clear(&mut self) {
        self.0.clear();
    }
}

#[test]
fn a_writer_that_panics_loses_no_key() {
    let spec = Spec::new(1_000, 0.01).unwrap();
    let mut filter = ShardedBloom::<Fragile>::with_shards(spec, 2, Folded::default()).unwrap();
    (0..500u64).for_each(|key| {
        filter.insert(&key);
    });
    let died = thread::scope(|scope| scope.spawn(|| filter.insert(DEADLY)).join());
    assert!(died.is_err());
    assert!((0..500u64).all(|key| filter.contains(&key)));
    (500..1_000u64).for_each(|key| {
        filter.insert(&key);
    });
    assert!((0..1_000u64).all(|key| filter.contains(&key)));
    assert!((filter.estimated_keys() / 1_000.0 - 1.0).abs() < 0.1);
    // A panic during access through `&mut`, where there is no lock, has the same result.
    let died = catch_unwind(AssertUnwindSafe(|| filter.extend([DEADLY])));
    assert!(died.is_err());
    filter.extend(0..1_000u64);
    assert!((0..1_000u64).all(|key| filter.contains(&key)));
    filter.clear();
    assert_eq!(filter.fill_ratio(), 0.0);
    assert_eq!(filter.into_shards().len(), 2);
}

#[test]
fn the_allowance_is_as_in_the_table() {
    let readme = include_str!("../../README.md");
    for (keys, shown, digits) in [(100, "100", 2), (1_000, "1,000", 2), (10_000, "10,000", 3)] {
        let classic = StandardBloom::new(64 * keys, 0.01).unwrap().size_bits();
        let own = sharded(64 * keys as u64, 0.01, 64).size_bits();
        let more = 100.0 * (own as f64 / classic as f64 - 1.0);
        let row = format!("| {shown} | {more:.digits$} % |");
        assert!(readme.contains(&row), "{row}");
    }
}

/// Every type that a public function takes or returns can be named.
#[test]
fn what_the_functions_show_can_be_named() {
    let filter = AtomicBloom::new(100, 0.01).unwrap();
    let bits: Result<BitArray, SpecError> = filter.to_bits();
    assert!(bits.is_ok());
    let named = |mismatch: Incompatible| -> Parameter { mismatch.parameter };
    let other = AtomicBloom::new(1_000, 0.01).unwrap();
    let mismatch = filter.clone().union_with(&other).unwrap_err();
    assert_eq!(named(mismatch), Parameter::SizeBits);
}
