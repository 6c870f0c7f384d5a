//! Threads that make a filter grow.

use std::thread;

use bouquet_scalable::{
    Decode, Folded, Inspect, ScalableBloom, SharedScalable, Spec, StandardBloom,
};

const THREADS: u64 = 8;
const FIRST: u64 = 20_000;

/// Each of eight threads inserts its own keys, ten times as many in all as there is room for at first.
fn grown(filter: &SharedScalable) -> u64 {
    thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for i in 0..10 * FIRST / THREADS {
                    let key = i * THREADS + thread;
                    filter.insert(&key);
                    assert!(filter.contains(&key));
                }
            });
        }
    });
    10 * FIRST
}

#[test]
fn eight_threads_make_it_ten_times_as_large_and_lose_no_key() {
    let filter = SharedScalable::new(FIRST as usize, 0.01).unwrap();
    let before = filter.size_bits();
    let keys = grown(&filter);
    assert!((0..keys).all(|key| filter.contains(&key)));
    assert!(filter.size_bits() > 5 * before && filter.capacity() >= filter.keys());
    assert!(filter.keys() <= keys && filter.keys() > keys - keys / 50);
    let asked = 400_000;
    let found = (keys..keys + asked)
        .filter(|key| filter.contains(key))
        .count();
    let fpr = found as f64 / asked as f64;
    assert!(fpr <= 0.01 && filter.expected_fpr(keys) <= 0.01, "{fpr}");
    assert!((fpr / filter.estimated_fpr() - 1.0).abs() < 0.2, "{fpr}");
}

#[test]
fn what_is_encoded_while_threads_insert_has_all_keys_of_before() {
    let filter = SharedScalable::new(1_000, 0.01).unwrap();
    let before = || (0..5_000_u64).map(|key| u64::MAX - key);
    assert_eq!(
        filter.insert_batch(&before().collect::<Vec<_>>()),
        filter.keys() as usize
    );
    thread::scope(|scope| {
        let growing = scope.spawn(|| grown(&filter));
        while !growing.is_finished() {
            let again = SharedScalable::from_bytes(&filter.encode()).unwrap();
            assert!(before().all(|key| again.contains(&key)));
        }
    });
    let again = SharedScalable::from_bytes(&filter.encode()).unwrap();
    assert!(again == filter && again.encode() == filter.encode());
}

#[test]
fn a_file_of_shards_of_another_kind_is_an_error() {
    let shard = ScalableBloom::new(100, 0.01).unwrap();
    let error = SharedScalable::from_bytes(&shard.encode()).unwrap_err();
    assert!(error.to_string().contains("ScalableBloom"), "{error}");
    let spec = Spec::new(100, 0.01).unwrap();
    let shards = |count| {
        SharedScalable::<StandardBloom>::with_shards(spec, count, Folded::new())
            .map(|all| all.encode())
    };
    assert!(shards(0).is_err());
    // Cut anywhere, it is an error and no panic.
    let bytes = shards(2).unwrap();
    for end in 0..bytes.len() {
        assert!(<SharedScalable>::decode(&bytes[..end]).is_err(), "{end}");
    }
}
