//! Tests batches, in filters that fit in the caches and in larger ones, with one thread and with
//! two.

use std::{sync::Barrier, thread};

use bouquet_sharded::{
    AtomicBloom, Encode, Folded, ShardedBloom, ShardedView, Spec, StandardBloom, StandardView, View,
};

type Sharded = ShardedBloom<StandardBloom>;

fn sharded(capacity: u64, shards: u32) -> Sharded {
    let spec = Spec::new(capacity, 0.01).unwrap();
    Sharded::with_shards(spec, shards, Folded::default()).unwrap()
}

/// Tests batches from too few keys to sort up to several sorts, and from one shard up to more
/// shards than are sorted.
#[test]
fn sorted_by_shard_or_not_a_batch_is_its_keys_one_by_one() {
    for shards in [1, 2, 3, 64, 2_048, 2_049, 5_000] {
        for keys in [0, 1, 5, 127, 256, 257, 4_096, 4_097, 10_000] {
            let (by_batch, by_key) = (sharded(10_000, shards), sharded(10_000, shards));
            // A third of the keys are repeated.
            let members: Vec<u64> = (0..keys).map(|i| i * i % (keys - keys / 3)).collect();
            let new = members.iter().filter(|key| by_key.insert(*key)).count();
            assert_eq!(by_batch.insert_batch(&members), new, "{shards} {keys}");
            assert!(by_batch == by_key, "{shards} {keys}");
            let asked: Vec<u64> = (0..keys).map(|i| i * 7).collect();
            let mut found = vec![false; asked.len()];
            by_batch.contains_batch(&asked, &mut found);
            // A view of bytes at an odd address.
            let mut stored = vec![0];
            by_batch.encode_to(&mut stored).unwrap();
            let view = ShardedView::<StandardView<'_>>::open(&stored[1..]).unwrap();
            let mut seen = vec![false; asked.len()];
            view.contains_batch(&asked, &mut seen);
            for (key, (found, seen)) in asked.iter().zip(found.into_iter().zip(seen)) {
                let contains = by_key.contains(key);
                assert_eq!((found, seen), (contains, contains), "{shards} {keys} {key}");
            }
        }
    }
}

/// Both threads insert all keys in batches that are sorted by shard. For each key exactly one of
/// them must be first.
#[test]
fn of_two_threads_of_batches_one_reports_a_key_as_new() {
    let (shared, alone) = (sharded(400_000, 16), sharded(400_000, 16));
    let keys: Vec<u64> = (0..40_000).collect();
    let start = Barrier::new(2);
    let reported: usize = thread::scope(|scope| {
        let insert = || {
            start.wait();
            let batches = keys.chunks(1_000);
            batches
                .map(|batch| shared.insert_batch(batch))
                .sum::<usize>()
        };
        let threads = [scope.spawn(insert), scope.spawn(insert)];
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    // A few keys are false positives when they are inserted; which ones depends on the order.
    let new = alone.insert_batch(&keys);
    assert!(reported.abs_diff(new) <= 10, "{reported} and {new}");
    assert!(shared == alone);
}

/// A shard that another thread has locked is visited later, but never skipped.
#[test]
fn batches_beside_a_writer_miss_no_key_and_no_answer() {
    let filter = sharded(1_000_000, 16);
    let start = Barrier::new(2);
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let keys: Vec<u64> = (0..400_000).collect();
            start.wait();
            for batch in keys.chunks(4_000) {
                filter.insert_batch(batch);
            }
        });
        start.wait();
        let mut found = [false; 4_000];
        for first in (400_000..).step_by(found.len()) {
            let batch: Vec<u64> = (first..).take(found.len()).collect();
            filter.insert_batch(&batch);
            found.fill(false);
            filter.contains_batch(&batch, &mut found);
            assert!(found.iter().all(|found| *found));
            if writer.is_finished() {
                break;
            }
        }
    });
}

/// Half of the keys are in the batches of both threads. The filter is so large that batches
/// prefetch memory.
#[test]
fn two_threads_of_batches_make_the_filter_that_one_makes() {
    let make = || AtomicBloom::new(400_000, 0.01).unwrap();
    let (shared, alone) = (make(), make());
    let keys: Vec<u64> = (0..30_000).collect();
    let start = Barrier::new(2);
    thread::scope(|scope| {
        for part in [&keys[..20_000], &keys[10_000..]] {
            let (shared, start) = (&shared, &start);
            scope.spawn(move || {
                start.wait();
                let mut found = vec![false; 100];
                for batch in part.chunks(100) {
                    shared.insert_batch(batch);
                    shared.contains_batch(batch, &mut found);
                    assert!(found.iter().all(|found| *found));
                }
            });
        }
    });
    alone.insert_batch(&keys);
    assert!(shared == alone);
}
