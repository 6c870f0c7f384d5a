//! Tests filters that can be shards: the contract of each of them, and that shards of blocked
//! filters behave like one blocked filter.

use std::{fmt::Debug, thread};

use bouquet_blocked::{BlockedBloom, Layout, Line, Words32, Words64};
use bouquet_counting::CountingBloom;
use bouquet_partitioned::PartitionedBloom;
use bouquet_sharded::{
    Folded, Inner, Inspect, KeyHash, Locate, ShardedBloom, Spec, SpecError, StandardBloom, Xxh3Wide,
};

fn spec(capacity: u64, fpr: f64) -> Spec {
    Spec::new(capacity, fpr).unwrap()
}

/// `with_hasher` makes the filter that the associated functions predict.
fn check_prediction<F: Inner<Hasher = Folded, Geometry: Debug>>() {
    for (capacity, fpr) in [(1, 0.9), (10, 0.01), (1_000, 1e-4), (50_000, 0.03)] {
        let spec = spec(capacity, fpr);
        let mut filter = F::with_hasher(spec, Folded::with_seed(7)).unwrap();
        let geometry = F::geometry_for(&spec).unwrap();
        assert_eq!(filter.geometry(), geometry);
        assert_eq!(filter.size_bits(), F::size_bits_of(geometry));
        assert_eq!(filter.capacity(), capacity);
        assert_eq!(*filter.hasher(), Folded::with_seed(7));
        let (own, of_bits) = (
            filter.expected_fpr(capacity),
            F::expected_fpr_of(geometry, capacity),
        );
        assert!(own <= fpr && own >= of_bits && own - of_bits < 1e-12);
        let Ok(_) = filter.try_insert(b"rose");
        filter.clear();
        assert!(filter.fill_ratio() == 0.0 && !filter.contains(b"rose"));
    }
    // The hash-collision floor for a million keys is 5e-14.
    let floor = F::geometry_for(&spec(1_000_000, 5e-14)).unwrap_err();
    assert!(
        matches!(floor, SpecError::BelowHashFloor { .. }),
        "{floor:?}"
    );
}

#[test]
fn a_filter_is_as_predicted() {
    check_prediction::<StandardBloom>();
    check_prediction::<CountingBloom>();
    check_prediction::<PartitionedBloom>();
    check_prediction::<BlockedBloom<Words64>>();
    check_prediction::<BlockedBloom<Words32>>();
    check_prediction::<BlockedBloom<Line>>();
}

#[test]
fn the_cap_on_bits_counts_storage() {
    // The number of slots is half of the maximum number of bits, but each slot has four bits.
    let keys = (1u64 << 48) / 20;
    let spec = spec(keys, 0.01);
    let made = ShardedBloom::<CountingBloom>::with_shards(spec, 1 << 20, Folded::default());
    let Err(SpecError::TooLarge { size_bits }) = made else {
        panic!("{made:?}");
    };
    let bits_per_key = size_bits / keys as f64;
    assert!(
        (bits_per_key / (4.0 * 9.585) - 1.0).abs() < 1e-3,
        "{bits_per_key}"
    );
}

fn locations(geometry: &impl Locate<Hash = KeyHash>, hash: KeyHash) -> Vec<u64> {
    let mut slots = Vec::new();
    geometry.locate(&hash, &mut |slot| slots.push(slot));
    slots
}

/// 64 shards of some number of blocks have the slots and the FPR of one filter of 64 times as many
/// blocks.
fn shards_of_blocks_are_blocks<L: Layout>() {
    let sharded =
        ShardedBloom::<BlockedBloom<L>>::with_shards(spec(64_000, 0.01), 64, Folded::default())
            .unwrap();
    let shard = *sharded.geometry().shard();
    let whole =
        BlockedBloom::from_parts(64 * shard.blocks(), shard.layout(), Folded::default()).unwrap();
    for key in 0..1_000u64 {
        let hash = whole.hash(&key);
        let want = locations(&whole.geometry(), hash);
        assert_eq!(locations(&sharded.geometry(), hash), want, "{}", L::NAME);
    }
    for keys in [1_000, 64_000, 100_000] {
        let (got, want) = (sharded.expected_fpr(keys), whole.expected_fpr(keys));
        assert!((got / want - 1.0).abs() < 1e-9, "{keys}: {got} {want}");
    }
}

#[test]
fn sixty_four_shards_of_blocks_have_the_fpr_of_blocks() {
    shards_of_blocks_are_blocks::<Words64>();
    shards_of_blocks_are_blocks::<Words32>();
    shards_of_blocks_are_blocks::<Line>();
}

#[test]
fn the_measured_fpr_of_sharded_blocks_is_the_expected_one() {
    let (mut hits, mut mean) = (0.0, 0.0);
    for seed in 0..4 {
        let hasher = Folded::with_seed(seed);
        let filter =
            ShardedBloom::<BlockedBloom>::with_shards(spec(64_000, 0.01), 64, hasher).unwrap();
        (0..64_000u64).for_each(|key| {
            filter.insert(&key);
        });
        let absent = (1u64 << 40..).take(50_000);
        hits += absent.filter(|key| filter.contains(key)).count() as f64;
        mean += 50_000.0 * filter.expected_fpr(64_000);
    }
    // Five standard deviations of 2,000 hits are 11 %; if place and probe were exchanged, there
    // would be several times as many hits.
    assert!((hits - mean).abs() < 5.0 * f64::sqrt(mean), "{hits} {mean}");
}

#[test]
fn threads_remove_what_they_inserted() {
    let filter =
        ShardedBloom::<CountingBloom>::with_shards(spec(4_000, 0.001), 7, Folded::default());
    let filter = filter.unwrap();
    let empty = filter.clone();
    let keys = |thread: u64| (thread * 1_000)..(thread + 1) * 1_000;
    thread::scope(|scope| {
        for thread in 0..4 {
            let filter = &filter;
            scope.spawn(move || {
                for key in keys(thread) {
                    filter.insert(&key);
                }
                let (kept, taken) = (keys(thread).step_by(2), keys(thread).skip(1).step_by(2));
                taken.for_each(|key| assert!(filter.remove(&key)));
                assert!(kept.into_iter().all(|key| filter.contains(&key)));
            });
        }
    });
    assert!((filter.estimated_keys() / 2_000.0 - 1.0).abs() < 0.05);
    (0..4_000u64)
        .step_by(2)
        .for_each(|key| assert!(filter.remove(&key)));
    assert!(filter == empty);
    assert!(!filter.remove(&7u64));
}

/// If the inner filter rejects a spec, it must also be rejected for shards.
#[test]
fn shards_that_would_waste_memory_are_rejected() {
    let spec = spec(1_000, 1e-15);
    let sharded = |shards| {
        ShardedBloom::<BlockedBloom<Words32, Xxh3Wide>>::with_shards(spec, shards, Xxh3Wide::new())
    };
    for shards in [1, 3] {
        let error = sharded(shards).err();
        assert!(
            matches!(error, Some(SpecError::Wasteful { .. })),
            "{error:?}"
        );
    }
}
