//! Tests of properties that only the blocked filter has, and of unusual requests.

#![cfg(feature = "siphash")]

use std::collections::HashSet;

use bouquet_blocked::{
    BlockedBloom, Folded, Geometry, Inspect, Key, KeyHasher, Layout, Line, MAX_RATIO, SipKeyed,
    Spec, SpecError, Words32, Words64, Xxh3Wide,
};
use bouquet_core::{Inner, KeyHash, SeededHasher};
use bouquet_hash::Xxh3;

bouquet_testkit::facts! {
    words64: bouquet_blocked::BlockedBloom {
        with: |spec, hasher| BlockedBloom::<Words64, _>::with_layout(spec, hasher),
        parts: |blocks, _hashes, seed| {
            BlockedBloom::from_parts(blocks, Words64, Folded::with_seed(seed))
        },
        facts: [
            any_key_can_be_inserted,
            odd_specs_work(1e-8),
            wrong_specs_say_what_to_do(1 << 39),
            from_keys_is_sized_for_the_keys,
            it_reports_when_it_is_full(60, 250),
            a_full_filter_contains_everything_and_reports_it(2, 8),
            a_secret_key_is_neither_shown_nor_ignored("Words64"),
            memory_is_as_reported(160),
        ],
    }
    words32: bouquet_blocked::BlockedBloom {
        with: |spec, hasher| BlockedBloom::<Words32, _>::with_layout(spec, hasher),
        parts: |blocks, _hashes, seed| {
            BlockedBloom::from_parts(blocks, Words32, Folded::with_seed(seed))
        },
        facts: [odd_specs_work(1e-7), a_full_filter_contains_everything_and_reports_it(2, 8)],
    }
    line: bouquet_blocked::BlockedBloom {
        with: |spec, hasher| BlockedBloom::<Line, _>::with_layout(spec, hasher),
        parts: |blocks, hashes, seed| {
            let layout = Line::new(hashes).unwrap();
            BlockedBloom::from_parts(blocks, layout, Folded::with_seed(seed))
        },
        facts: [
            odd_specs_work(1e-12),
            a_target_below_the_hash_floor_needs_a_wider_hash,
            a_full_filter_contains_everything_and_reports_it(2, 4),
            a_rejected_union_names_the_parameter((10, 3, 1), [
                ((11, 3, 1), "size_bits"), ((10, 4, 1), "hashes"), ((10, 3, 2), "seed"),
            ]),
        ],
    }
}

/// For a target at which standard filters need 9 kB, blocks of 32-bit words would need 34 MB.
#[test]
fn a_target_that_blocks_reach_only_with_many_bits_is_rejected() {
    fn rejected<L: Layout>(capacity: u64, fpr: f64) -> Option<String> {
        let spec = Spec::new(capacity, fpr).unwrap();
        match BlockedBloom::<L, _>::with_layout(spec, Xxh3Wide::default()) {
            Ok(filter) => {
                let standard = -(capacity as f64) * fpr.ln() / std::f64::consts::LN_2.powi(2);
                let most = MAX_RATIO * (standard + 64.0) + L::BLOCK_BITS as f64;
                assert!(filter.size_bits() as f64 <= most, "{capacity} {fpr:e}");
                None
            }
            Err(error @ SpecError::Wasteful { .. }) => Some(error.to_string()),
            Err(error) => panic!("{error}"),
        }
    }
    for capacity in [1, 2, 10, 100, 1_000, 100_000] {
        for fpr in [0.99, 0.5, 0.01, 1e-4, 1e-6] {
            let spec = Spec::new(capacity, fpr).unwrap();
            assert!(BlockedBloom::<Words32, _>::with_layout(spec, Folded::default()).is_ok());
        }
        for fpr in [9e-7, 1e-8, 1e-10, 1e-12, 1e-15] {
            rejected::<Words64>(capacity, fpr);
            rejected::<Words32>(capacity, fpr);
            rejected::<Line>(capacity, fpr);
        }
    }
    let words = rejected::<Words32>(1_000, 1e-15).unwrap();
    assert!(
        words.contains("Words32") && words.contains("use StandardBloom"),
        "{words}"
    );
    assert!(rejected::<Words64>(1_000, 1e-15).is_some());
    assert!(rejected::<Line>(1_000, 1e-12).is_none());
}

/// A scalable filter does not stop growing at a stage that needs more bits.
#[test]
fn a_part_of_another_filter_may_take_more() {
    let spec = Spec::new(1_000, 1e-9).unwrap();
    assert!(BlockedBloom::<Words32>::with_layout(spec, Folded::default()).is_err());
    // The spec is rejected by every constructor that takes one.
    let one = <BlockedBloom<Words32> as Inner>::with_hasher(spec, Folded::default());
    assert!(matches!(one, Err(SpecError::Wasteful { .. })));
    let geometry = <BlockedBloom<Words32> as Inner>::geometry_for(&spec).unwrap();
    let part = <BlockedBloom<Words32> as Inner>::with_geometry(geometry, spec, Folded::default());
    assert!(part.is_ok());
}

#[test]
fn what_is_small_enough_for_a_classic_filter_may_be_too_large() {
    let spec = Spec::new(1_000_000_000_000, 1e-18).unwrap();
    let huge = BlockedBloom::with_hasher(spec, Xxh3Wide::default()).unwrap_err();
    assert!(matches!(huge, SpecError::TooLarge { .. }));
}

#[test]
fn a_wide_hash_does_not_widen_the_probe() {
    let mut one = BlockedBloom::from_parts(1, Line::new(64).unwrap(), Xxh3Wide::default()).unwrap();
    one.insert_hash(KeyHash {
        place: 1,
        probe: 77,
    });
    assert!(one.contains_hash(KeyHash {
        place: 2,
        probe: 77
    }));
    let floor = 2f64.powi(-64);
    assert!((one.expected_fpr(1) / floor - 1.0).abs() < 1e-9);
    // Only with more blocks can a lower target be reached.
    let spec = Spec::new(1, 1e-24).unwrap();
    let geometry = BlockedBloom::<Line, Xxh3Wide>::geometry_for(&spec).unwrap();
    let fpr = BlockedBloom::<Line, Xxh3Wide>::expected_fpr_of(geometry, 1);
    assert!(fpr <= 1e-24 && geometry.blocks() as f64 >= floor / 1e-24);
    // Up to seven slots, keys have the same slots only if their words are equal.
    let seven = BlockedBloom::from_parts(1, Line::new(7).unwrap(), Xxh3Wide::default()).unwrap();
    let classic = bouquet_core::math::expected_fpr(512, 7, 1);
    assert!((seven.expected_fpr(1) / classic - 1.0).abs() < 1e-12);
}

#[test]
fn parts_are_kept_as_they_are() {
    fn check<L: Layout>(layout: L, capacity: u64) {
        let mut filter = BlockedBloom::from_parts(21, layout, Folded::with_seed(9)).unwrap();
        assert_eq!(filter.size_bits(), 21 * L::BLOCK_BITS);
        assert_eq!(
            (filter.capacity(), filter.hashes()),
            (capacity, layout.hashes())
        );
        filter.insert("rose");
        let slots: HashSet<u64> = filter.locations("rose").collect();
        assert_eq!(filter.bits().iter_ones().collect::<HashSet<_>>(), slots);
        assert_eq!(filter.locations("rose").count() as u32, layout.hashes());
        let blocks: HashSet<u64> = slots.iter().map(|slot| slot / L::BLOCK_BITS).collect();
        assert_eq!(blocks.len(), 1);
    }
    check(Words64, 931);
    check(Words32, 465);
    check(Line::new(5).unwrap(), 1_490);
}

#[test]
fn bits_per_key_choose_the_blocks_and_hashes() {
    let filter = BlockedBloom::with_bits_per_key(10_000, 10.0).unwrap();
    assert_eq!((filter.size_bits(), filter.hashes()), (196 * 512, 8));
    assert!(filter.target_fpr() < 0.0105);
    assert!(BlockedBloom::with_bits_per_key(10, -1.0).is_err());
    let line = |capacity, bits| {
        Geometry::<Line>::with_bits_per_key(capacity, bits).map(|g| (g.blocks(), g.hashes()))
    };
    assert_eq!(line(51_200, 10.0), Ok((1_000, 6)));
    assert_eq!(line(51_200, 10.001), Ok((1_001, 6)));
    assert_eq!(line(51_200, 16.0), Ok((1_600, 9)));
    // The smallest number of hashes, because one key in a block gains nothing from more.
    assert_eq!(line(1, 0.1), Ok((1, 28)));
    assert_eq!(line(0, 1.0), Err(SpecError::ZeroCapacity));
    for bits in [0.0, f64::NAN, f64::INFINITY] {
        assert!(line(1, bits).is_err());
    }
    assert!(line(u64::MAX, 1.0).is_err());
    // No request is rejected merely because it is impractical.
    let full = BlockedBloom::with_bits_per_key(1_000_000_000, 1e-6).unwrap();
    assert!(full.size_bits() == 1_024 && full.target_fpr() < 1.0);
}

/// Compares batches with single calls, in a filter that fits in the caches and one that does
/// not, for keys that need little work and others.
#[test]
fn a_batch_of_any_size_is_its_keys_one_by_one() {
    fn check<L: Layout, H: SeededHasher, K: Key>(layout: L, key: impl Fn(u64) -> K) {
        for megabytes in [1, 9] {
            let blocks = (megabytes << 23) / L::BLOCK_BITS;
            let make = || BlockedBloom::from_parts(blocks, layout, H::from_seed(7)).unwrap();
            let (mut one, mut many) = (make(), make());
            let keys: Vec<K> = (0..3_000).map(|i| key(i % 2_900)).collect();
            let new = keys.iter().filter(|key| one.insert(*key)).count();
            assert_eq!(many.insert_batch(&keys), new);
            assert!(one == many);
            let asked: Vec<K> = (2_000..5_001).map(&key).collect();
            let want: Vec<bool> = asked.iter().map(|key| one.contains(key)).collect();
            let mut found = vec![false; asked.len()];
            many.contains_batch(&asked, &mut found);
            assert_eq!(found, want);
            found.fill(false);
            let hashes: Vec<KeyHash> = asked.iter().map(|key| one.hash(key)).collect();
            many.contains_hash_batch(&hashes, &mut found);
            assert_eq!(found, want);
        }
    }
    check::<_, Folded, _>(Words64, |i| i);
    check::<_, Folded, _>(Words32, |i| i);
    check::<_, Folded, _>(Words64, |i| format!("a key of many bytes, number {i}"));
    check::<_, Xxh3, _>(Words64, |i| i);
    check::<_, Xxh3Wide, _>(Words32, |i| i as u32);
    check::<_, Folded, _>(Line::new(6).unwrap(), |i| i);
}

/// Sixty-four shards, each a blocked filter that gets the remaining part of the hash, have
/// together exactly the bits of one filter with all their blocks. So they have its FPR, whatever
/// the number of shards.
#[test]
fn sharded_blocks_are_the_blocks_of_one_filter() {
    const SHARDS: u64 = 64;
    fn check<L: Layout, H: KeyHasher>(layout: L, hasher: H) {
        let make = |blocks| BlockedBloom::from_parts(blocks, layout, hasher.clone()).unwrap();
        let mut one = make(20 * SHARDS);
        let mut shards = vec![make(20); SHARDS as usize];
        let keys = one.capacity();
        for key in 0..keys {
            let hash = one.hash(&key);
            let (shard, rest) = hash.split(SHARDS);
            let new = shards[shard as usize].insert_hash(rest);
            assert_eq!(new, one.insert_hash(hash));
        }
        let words: Vec<u64> = shards
            .iter()
            .flat_map(|s| s.bits().words())
            .copied()
            .collect();
        assert_eq!(words, one.bits().words(), "{layout:?}");

        const ABSENT: u64 = 500_000;
        let found = |key: &u64| {
            let (shard, rest) = one.hash(key).split(SHARDS);
            shards[shard as usize].contains_hash(rest)
        };
        let hits = (keys..keys + ABSENT).filter(found).count() as f64;
        let expected = one.expected_fpr(keys) * ABSENT as f64;
        // Five standard deviations of the sample, and as many for the variation between
        // filters.
        let allowed = 5.0 * expected.sqrt() + 0.03 * expected;
        assert!(
            (hits - expected).abs() < allowed,
            "{layout:?}: {hits} {expected}"
        );
    }
    check(Words64, Folded::with_seed(1));
    check(Words32, Folded::with_seed(2));
    check(Line::new(8).unwrap(), Folded::with_seed(3));
    check(Words64, Xxh3Wide::with_seed(4));
    check(Line::new(8).unwrap(), SipKeyed::with_key([5; 16]));
}

/// Hits are rare here and there are many probes, so that a dependence between probes would be
/// visible.
#[test]
fn hits_are_those_that_the_bits_predict() {
    fn check<L: Layout>(layout: L) {
        const ABSENT: u64 = 2_000_000;
        let mut filter = BlockedBloom::from_parts(400, layout, Folded::with_seed(6)).unwrap();
        let keys = filter.size_bits() / 20;
        filter.extend(0..keys);
        let absent = 1 << 40..(1 << 40) + ABSENT;
        let hits = absent.filter(|key| filter.contains(key)).count() as f64;
        let promised = filter.estimated_fpr() * ABSENT as f64;
        assert!(
            (hits - promised).abs() < 5.0 * promised.sqrt(),
            "{layout:?}: {hits} {promised}"
        );
    }
    check(Words64);
    check(Words32);
    for hashes in [3, 7, 8, 11, 15, 24] {
        check(Line::new(hashes).unwrap());
    }
}

/// A hasher that takes the XXH64 hash of a Parquet value, and computes Parquet's block and bit
/// numbers from it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OfParquet;

impl KeyHasher for OfParquet {
    const ID: u16 = 0x8000;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        0
    }

    fn hash(&self, xxh64: &[u8]) -> KeyHash {
        const SALTS: [u32; 8] = [
            0x47b6_137b,
            0x4497_4d91,
            0x8824_ad5b,
            0xa2b7_289d,
            0x7054_95c7,
            0x2df1_424b,
            0x9efc_4947,
            0x5c6b_fb31,
        ];
        let hash = u64::from_le_bytes(xxh64.try_into().unwrap());
        let bit = |salt: &u32| u64::from((hash as u32).wrapping_mul(*salt) >> 27);
        let bits = SALTS.iter().map(bit).zip(0..);
        let probe = bits.fold(0, |probe, (bit, word)| probe | bit << (5 * word));
        KeyHash::new(hash >> 32 << 32, probe)
    }
}

/// The filter that parquet-rs 60.1.0 created from 101 keys in seven blocks: a header of 16
/// bytes, then the blocks.
#[test]
fn words32_is_the_block_of_parquet() {
    let file = include_bytes!("../data/parquet-7-blocks.bin");
    let mut filter = BlockedBloom::from_parts(7, Words32, OfParquet).unwrap();
    for line in include_str!("../data/parquet-7-blocks.xxh64").lines() {
        filter.insert(&u64::from_str_radix(line, 16).unwrap());
    }
    let bytes: Vec<u8> = filter
        .bits()
        .words()
        .iter()
        .flat_map(|w| w.to_le_bytes())
        .collect();
    assert_eq!(bytes, file[16..]);
}

/// The bits per key, and the number of hashes, in a filter of very many keys.
fn bits_a_key<L: Layout>(fpr: f64) -> (String, u32) {
    const KEYS: u64 = 1_000_000_000;
    let geometry = Geometry::<L>::from_spec(&Spec::new(KEYS, fpr).unwrap()).unwrap();
    let bits = geometry.size_bits() as f64 / KEYS as f64;
    (format!("{bits:.2}"), geometry.hashes())
}

#[test]
fn the_readme_s_table_is_what_the_closed_forms_say() {
    // The tables before this text are measured, not computed.
    let (_, theory) = include_str!("../../README.md")
        .split_once("by the closed forms:")
        .unwrap();
    let rows = theory.lines().filter(|line| line.contains(" % | "));
    let mut checked = 0;
    for row in rows {
        let cell: Vec<&str> = row.split('|').map(str::trim).collect();
        let fpr = cell[1].trim_end_matches(" %").parse::<f64>().unwrap() / 100.0;
        let (line, hashes) = bits_a_key::<Line>(fpr);
        let classic = bouquet_core::math::min_bits_in_steps(1_000_000_000, fpr, 64).unwrap();
        let want = [
            bits_a_key::<Words64>(fpr).0,
            bits_a_key::<Words32>(fpr).0,
            line,
            hashes.to_string(),
            format!("{:.2}", classic.size_bits as f64 / 1e9),
        ];
        assert_eq!(cell[2..7], want, "{row}");
        checked += 1;
    }
    assert_eq!(checked, 5);
}

#[test]
fn the_readme_s_price_of_a_low_fpr() {
    fn fpr<L: Layout>(layout: L) -> f64 {
        let blocks = 20_000_000 / L::BLOCK_BITS;
        let filter = BlockedBloom::from_parts(blocks, layout, Folded::default()).unwrap();
        filter.expected_fpr(1_000_000)
    }
    let classic = bouquet_core::math::expected_fpr(20_000_000, 14, 1_000_000);
    let times = |fpr: f64| format!("{:.2} times", fpr / classic);
    let best = Geometry::<Line>::with_bits_per_key(1_000_000, 20.0).unwrap();
    let readme = include_str!("../../README.md");
    for times in [
        times(fpr(best.layout())),
        times(fpr(Words64)),
        times(fpr(Words32)),
    ] {
        assert!(readme.contains(&times), "{times}");
    }
}

/// Every type in the signature of a public function is exported by this crate.
#[test]
fn what_the_functions_show_can_be_named() {
    use bouquet_blocked::{BitArray, Parameter};
    let filter = BlockedBloom::new(100, 0.01).unwrap();
    let _: &BitArray = filter.bits();
    let other = BlockedBloom::new(1_000, 0.01).unwrap();
    let mismatch = filter.clone().union_with(&other).unwrap_err();
    let named: Parameter = mismatch.parameter;
    assert_eq!(named, Parameter::SizeBits);
}
