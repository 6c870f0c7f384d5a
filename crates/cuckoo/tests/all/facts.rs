//! Facts that apply only to the cuckoo filter, and tests of unusual arguments.

use bouquet_cuckoo::{
    CuckooFilter, FingerprintBits, Folded, Full, Hashed, Inspect, KeyHash, Spec, SpecError,
    TryInsert, Xxh3Wide,
};

#[test]
fn any_key_can_be_inserted() {
    let mut filter = CuckooFilter::new(100, 0.001).unwrap();
    assert_eq!(filter.insert("text"), Ok(true));
    assert_eq!(filter.insert(&String::from("owned")), Ok(true));
    assert_eq!(filter.insert(&[1u8, 2, 3]), Ok(true));
    assert_eq!(filter.insert(&42u64), Ok(true));
    assert_eq!(filter.insert(&Hashed(&("a", 7))), Ok(true));
    assert_eq!(filter.insert(""), Ok(true));
    let long = vec![7u8; 1 << 20];
    assert_eq!(filter.insert(&long), Ok(true));
    assert!(filter.contains("") && filter.contains(&long) && filter.contains(&Hashed(&("a", 7))));
    assert!(filter.contains(&42u64.to_le_bytes()));
    assert!(filter.contains(&42u32) && !filter.contains(&42u128));
    assert_eq!(filter.keys(), 7);
    filter.clear();
    assert!(!filter.contains("") && filter.keys() == 0);
}

#[test]
fn odd_specs_work() {
    for (capacity, fpr) in [(1, 0.5), (1, 1e-8), (1_000, 0.999), (1_000, 2e-9)] {
        let mut filter = CuckooFilter::new(capacity, fpr).unwrap();
        for key in 0..capacity {
            filter.insert(&key).unwrap();
        }
        assert!((0..capacity).all(|key| filter.contains(&key)));
        assert!(filter.expected_fpr(capacity as u64) <= fpr);
    }
}

#[test]
fn wrong_specs_say_what_to_do() {
    let error = |capacity, fpr| CuckooFilter::new(capacity, fpr).unwrap_err();
    assert_eq!(error(0, 0.01), SpecError::ZeroCapacity);
    for fpr in [0.0, 1.0, -0.5, 2.0, f64::NAN, f64::INFINITY] {
        assert!(error(10, fpr).to_string().contains("0.01 for 1 %"));
    }
    let narrow = error(1_000, 1e-12);
    assert!(matches!(narrow, SpecError::BelowFingerprintFloor { .. }));
    assert!(
        narrow.to_string().contains("take a Bloom filter"),
        "{narrow}"
    );
    assert!(matches!(
        error(1_000_000_000_000_000, 0.01),
        SpecError::TooLarge { .. }
    ));
    // More keys than there are different hash values.
    assert!(matches!(
        error(usize::MAX, 0.5),
        SpecError::BelowHashFloor { .. }
    ));
    let parts =
        |buckets| CuckooFilter::from_parts(buckets, FingerprintBits::Eight, Folded::default());
    assert_eq!(parts(0).unwrap_err(), SpecError::ZeroSizeBits);
    assert!(matches!(
        parts(1 << 44).unwrap_err(),
        SpecError::TooLarge { .. }
    ));
    // 32 TiB is a valid size; whether so much memory can be allocated depends on the machine.
    match parts(1 << 43) {
        Ok(filter) => assert_eq!(filter.size_bits(), 1 << 48),
        Err(error) => assert!(matches!(error, SpecError::OutOfMemory { .. })),
    }
}

#[test]
fn a_target_below_the_hash_floor_needs_a_wider_hash() {
    let spec = Spec::new(1 << 40, 5e-9).unwrap();
    let error = CuckooFilter::with_hasher(spec, Folded::default()).unwrap_err();
    assert!(matches!(
        error,
        SpecError::BelowHashFloor { hash_bits: 64, .. }
    ));
    let spec = Spec::new(1_000, 5e-9).unwrap();
    assert!(CuckooFilter::with_hasher(spec, Xxh3Wide::default()).is_ok());
}

#[test]
fn parts_are_kept_as_they_are() {
    let parts = |buckets| {
        let hasher = Folded::with_seed(9);
        CuckooFilter::from_parts(buckets, FingerprintBits::Twelve, hasher).unwrap()
    };
    let mut filter = parts(1_021);
    assert_eq!(
        (filter.size_bits(), filter.slots(), filter.capacity()),
        (12 * 4 * 1_021, 4_084, 3_860)
    );
    assert_eq!((filter.hashes(), filter.geometry().buckets()), (2, 1_021));
    assert!(
        filter
            .buckets("rose")
            .into_iter()
            .all(|bucket| bucket < 1_021)
    );
    filter.insert("rose").unwrap();
    assert_eq!(filter.fill_ratio(), 1.0 / 4_084.0);
    assert_eq!(parts(1).capacity(), 1);
}

#[test]
fn bits_per_key_choose_the_width() {
    let filter = CuckooFilter::with_bits_per_key(10_000, 13.0).unwrap();
    assert_eq!(filter.fingerprint_bits(), FingerprintBits::Twelve);
    assert_eq!((filter.size_bits(), filter.capacity()), (129_984, 10_000));
    assert!(filter.target_fpr() < 0.0019);
    assert!(CuckooFilter::with_bits_per_key(10, -1.0).is_err());
}

#[test]
fn from_keys_is_sized_for_the_different_keys() {
    let filter = CuckooFilter::from_keys((0..5_000u32).map(|i| i * 3), 0.01).unwrap();
    assert_eq!((filter.capacity(), filter.keys()), (5_000, 5_000));
    assert!((0..5_000u32).all(|i| filter.contains(&(i * 3))));
    let empty = CuckooFilter::from_keys(Vec::<String>::new(), 0.01).unwrap();
    assert!(!empty.contains("anything"));
    let repeated = CuckooFilter::from_keys((0..1_000u32).map(|i| i % 10), 0.01).unwrap();
    assert_eq!(repeated.keys(), 10);
}

#[test]
fn it_reports_how_many_keys_are_left() {
    let mut filter = CuckooFilter::new(10_000, 0.01).unwrap();
    assert_eq!(filter.keys_left(), 10_000);
    assert_eq!(
        filter.try_extend(0..9_000u64).map(|new| new > 8_800),
        Ok(true)
    );
    assert_eq!((filter.keys(), filter.keys_left()), (9_000, 1_000));
    filter.try_extend(9_000..10_000u64).unwrap();
    assert!(!filter.is_over_capacity());
    filter.insert("one more").unwrap();
    assert!(filter.is_over_capacity() && filter.keys_left() == 0);
    assert!(filter.remove("one more") && !filter.is_over_capacity());
}

/// Like the law `agreement`, with keys that are inserted twice.
#[test]
fn bytes_hashes_and_batches_are_one_api() {
    for keys in [10, 100, 1_000u64] {
        let make = || CuckooFilter::new((2 * keys) as usize, 0.01).unwrap();
        let (mut by_key, mut by_hash, mut by_batch, mut by_extend) =
            (make(), make(), make(), make());
        let keys: Vec<[u8; 8]> = (0..keys).map(|i| (i / 2).to_le_bytes()).collect();
        let mut new = 0;
        for key in &keys {
            let was_new = by_key.insert(key).unwrap();
            assert_eq!(by_hash.try_insert_hash(by_key.hash(key)), Ok(was_new));
            assert!(by_key == by_hash);
            new += u64::from(was_new);
        }
        let slices: Vec<&[u8]> = keys.iter().map(<[u8; 8]>::as_slice).collect();
        assert_eq!(by_batch.try_insert_batch(&slices), Ok(new as usize));
        assert_eq!(by_extend.try_extend(keys.iter()), Ok(new));
        assert!(by_key == by_batch && by_key == by_extend);
        assert!(new <= keys.len() as u64 / 2 && new as f64 > 0.48 * keys.len() as f64);
    }
}

/// The error names the index of the first key that finds no room, in any chunk of the batch.
#[test]
fn the_error_of_a_batch_names_the_key_that_was_rejected() {
    let keys: Vec<u64> = (0..2_000).collect();
    let mut single = CuckooFilter::new(500, 0.01).unwrap();
    let full = keys.iter().position(|key| single.insert(key).is_err());
    let full = full.unwrap();
    assert!(full > 500);
    for skipped in 0..40 {
        let mut filter = CuckooFilter::new(500, 0.01).unwrap();
        assert!(filter.insert_batch(&keys[..skipped]).is_ok());
        let error = filter.insert_batch(&keys[skipped..]).unwrap_err();
        assert_eq!(error.index, full - skipped);
        assert!(filter == single);
    }
}

/// Tests a filter that is larger than the nearest caches and one that fits in them.
#[test]
fn a_batch_is_answered_as_its_keys_are() {
    for capacity in [1_000, 400_000] {
        let mut filter = CuckooFilter::new(capacity, 0.01).unwrap();
        let keys: Vec<usize> = (0..capacity).collect();
        let new = filter.insert_batch(&keys).unwrap();
        assert!(new as f64 > 0.98 * capacity as f64);
        let asked: Vec<usize> = (capacity - 500..capacity + 5_000).collect();
        let hashes: Vec<KeyHash> = asked.iter().map(|key| filter.hash(key)).collect();
        for len in [0, 1, 31, 32, 33, 5_500] {
            let want: Vec<bool> = asked[..len]
                .iter()
                .map(|key| filter.contains(key))
                .collect();
            let mut found: Vec<bool> = want.iter().map(|found| !found).collect();
            filter.contains_batch(&asked[..len], &mut found);
            assert_eq!(found, want);
            let mut found: Vec<bool> = want.iter().map(|found| !found).collect();
            filter.contains_hash_batch(&hashes[..len], &mut found);
            assert_eq!(found, want);
        }
    }
}

/// Compares the reported FPR with the exact one, found by querying every pair of a fingerprint and
/// a first bucket.
#[test]
fn the_estimated_fpr_is_the_share_of_hashes_answered_with_true() {
    for buckets in [1u64, 2, 3, 16, 33] {
        let hasher = Folded::with_seed(buckets);
        let mut filter = CuckooFilter::from_parts(buckets, FingerprintBits::Eight, hasher).unwrap();
        let mut key = 0u64;
        while !filter.is_full() {
            let total = 255 * buckets;
            let hits = (0..total).filter(|code| filter.contains_hash(place(&filter, *code)));
            let share = hits.count() as f64 / total as f64;
            assert!((filter.estimated_fpr() - share).abs() < 1e-12, "{filter:?}");
            let _ = filter.insert(&key);
            // Every key is inserted twice.
            let _ = filter.insert(&(key / 2));
            key += 1;
        }
    }
}

/// The hash for the pair of a fingerprint and a first bucket with the number `code`.
fn place(filter: &CuckooFilter, code: u64) -> KeyHash {
    let buckets = filter.geometry().buckets();
    let first_of = |index: u64, n: u64| (u128::from(index) << 64).div_ceil(n.into()) as u64;
    let hash = KeyHash::new(
        first_of(code % buckets, buckets),
        first_of(code / buckets, 255),
    );
    let geometry = filter.geometry();
    assert_eq!(geometry.buckets_of(hash)[0], code % buckets);
    assert_eq!(u64::from(geometry.fingerprint(hash)), code / buckets + 1);
    hash
}

#[cfg(feature = "siphash")]
#[test]
fn a_secret_key_is_not_shown() {
    use bouquet_cuckoo::SipKeyed;

    let spec = Spec::new(100, 0.01).unwrap();
    let with = |key: [u8; 16]| CuckooFilter::with_hasher(spec, SipKeyed::with_key(key)).unwrap();
    let (mut a, b) = (with([7; 16]), with([8; 16]));
    assert_ne!(a, b);
    a.insert("rose").unwrap();
    assert!(a.contains("rose"));
    let shown = format!("{a:?}");
    assert!(
        !shown.contains("7, 7") && !shown.contains("0707"),
        "{shown}"
    );
    assert!(shown.contains("fingerprint_bits: Ten"), "{shown}");
}

#[test]
fn errors_say_what_to_do() {
    let slots = Full::Slots { keys: 8, slots: 8 };
    assert!(slots.to_string().contains("larger capacity"), "{slots}");
    let copies = Full::Copies { copies: 8 };
    assert!(copies.to_string().contains("8 times"), "{copies}");
}

#[test]
fn memory_is_as_reported() {
    let filter = CuckooFilter::new(1_000_000, 0.01).unwrap();
    let overhead = filter.memory_bytes() - filter.size_bits() as usize / 8;
    assert!(
        (size_of_val(&filter)..=240).contains(&overhead),
        "{overhead}"
    );
}

#[test]
fn a_key_with_a_single_bucket_has_room_for_four_copies() {
    let make = || CuckooFilter::from_parts(101, FingerprintBits::Twelve, Folded::default());
    let lone = |key: &u64| {
        let [first, second] = make().unwrap().buckets(key);
        first == second
    };
    let keys = (0..2_000u64).filter(lone);
    assert!((5..60).contains(&keys.clone().count()));
    for (key, room) in keys.take(3).map(|key| (key, 4)).chain([(0, 8)]) {
        let mut filter = make().unwrap();
        // One more copy may be stored beside the slots.
        let taken = (0..20).filter(|_| filter.insert(&key).is_ok()).count();
        assert!((room..=room + 1).contains(&taken), "{key}: {taken}");
    }
}

#[test]
fn small_capacities_take_more_bits_than_requested() {
    let bits = |keys: u64| {
        let filter = CuckooFilter::with_bits_per_key(keys as usize, 1.0).unwrap();
        filter.size_bits() as f64 / keys as f64
    };
    assert_eq!(bits(1), 64.0);
    assert!((bits(200) - 9.3).abs() < 0.05, "{}", bits(200));
    assert!((bits(1_000_000) - 8.42).abs() < 0.01);
}
