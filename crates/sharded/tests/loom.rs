//! Runs the filters that threads share under every interleaving of two threads, with every value
//! that a relaxed read may see: `scripts/proofs loom`.

#![allow(unexpected_cfgs, reason = "set for this run alone")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
#![cfg(loom)]

use bouquet_counting::CountingBloom;
use bouquet_sharded::{AtomicBloom, Folded, ShardedBloom, Spec, StandardBloom};
use loom::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// Runs `work` in another thread; `join` returns its result.
fn beside<T: 'static, F: Send + Sync + 'static>(
    filter: &Arc<F>,
    work: impl FnOnce(&F) -> T + Send + 'static,
) -> thread::JoinHandle<T> {
    let filter = filter.clone();
    thread::spawn(move || work(&filter))
}

fn atomic(size_bits: u64) -> AtomicBloom {
    AtomicBloom::from_parts(size_bits, 2, Folded::default()).unwrap()
}

/// The filter, with its bits, that a single thread would make.
fn alone<const N: usize>(size_bits: u64, keys: [&str; N]) -> StandardBloom {
    let mut alone = StandardBloom::from_parts(size_bits, 2, Folded::default()).unwrap();
    alone.extend(keys);
    alone
}

/// A test in which two threads insert one of these keys each.
fn results_of(keys: [&'static str; 2], size_bits: u64) -> impl Fn() + Sync + Send + 'static {
    move || {
        let filter = Arc::new(atomic(size_bits));
        let other = beside(&filter, move |filter| {
            let new = filter.insert(keys[0]);
            assert!(filter.contains(keys[0]));
            new
        });
        let mine = filter.insert(keys[1]);
        assert!(filter.contains(keys[1]));
        let other = other.join().unwrap();
        assert!(mine || other, "an absent key, and no thread got true");
        assert_eq!(filter.to_bits().unwrap(), *alone(size_bits, keys).bits());
    }
}

#[test]
fn one_key_in_one_word() {
    loom::model(results_of(["rose", "rose"], 64));
}

#[test]
fn one_key_in_two_words() {
    loom::model(results_of(["rose", "rose"], 128));
}

#[test]
fn two_keys() {
    loom::model(results_of(["rose", "tulip"], 64));
}

#[test]
fn batches_of_atomic() {
    loom::model(|| {
        let filter = Arc::new(atomic(64));
        let other = beside(&filter, |filter| {
            filter.insert_batch(&["rose", "tulip"]);
            let mut found = [false; 2];
            filter.contains_batch(&["tulip", "rose"], &mut found);
            assert_eq!(found, [true; 2]);
        });
        filter.insert("rose");
        assert!(filter.contains("rose"));
        other.join().unwrap();
        let alone = alone(64, ["rose", "tulip"]);
        assert_eq!(filter.to_bits().unwrap(), *alone.bits());
    });
}

/// After a thread knows that an insert has returned, every copy that it makes contains the key.
#[test]
fn copies_of_atomic() {
    loom::model(|| {
        let filter = Arc::new(atomic(128));
        let signal = Arc::new(AtomicBool::new(false));
        let other = beside(&filter, {
            let signal = signal.clone();
            move |filter| {
                filter.insert("rose");
                signal.store(true, Ordering::Release);
                filter.insert("tulip");
            }
        });
        if signal.load(Ordering::Acquire) {
            assert!(filter.contains("rose"));
            let bits = filter.to_bits().unwrap();
            assert!(filter.locations("rose").all(|slot| bits.test(slot)));
            assert!((*filter).clone().contains("rose"));
            let mut united = atomic(128);
            united.union_with(&filter).unwrap();
            assert!(united.contains("rose"));
        }
        other.join().unwrap();
    });
}

fn sharded(shards: u32) -> ShardedBloom {
    let spec = Spec::new(100, 0.01).unwrap();
    ShardedBloom::with_shards(spec, shards, Folded::default()).unwrap()
}

#[test]
fn exactly_one_thread_inserts_a_key_into_shards() {
    loom::model(|| {
        let filter = Arc::new(sharded(2));
        let other = beside(&filter, |filter| filter.insert("rose"));
        let own = filter.insert("rose");
        assert!(filter.contains("rose"));
        assert!(own != other.join().unwrap(), "both or none");
    });
}

/// A batch is sorted by shard: every key is inserted, and new to exactly one of the two threads. (A
/// test in `sharded/batch.rs` checks that a locked shard is visited last. The model checker never
/// changes threads while a lock is held.)
#[test]
fn batches_of_shards() {
    loom::model(|| {
        let filter = Arc::new(sharded(2));
        let keys: Vec<u64> = (0..40).collect();
        let other = beside(&filter, {
            let keys = keys.clone();
            move |filter| filter.insert_batch(&keys)
        });
        let own = filter.insert_batch(&keys);
        let mut found = vec![false; keys.len()];
        filter.contains_batch(&keys, &mut found);
        assert!(found.iter().all(|found| *found));
        let alone = sharded(2);
        assert_eq!(own + other.join().unwrap(), alone.insert_batch(&keys));
        assert!(*filter == alone);
    });
}

#[test]
fn copies_of_shards() {
    loom::model(|| {
        let filter = Arc::new(sharded(2));
        let signal = Arc::new(AtomicBool::new(false));
        let other = beside(&filter, {
            let signal = signal.clone();
            move |filter| {
                filter.insert("rose");
                // Only the shard's lock makes the key visible to the other thread.
                signal.store(true, Ordering::Relaxed);
                filter.insert("tulip");
            }
        });
        if signal.load(Ordering::Relaxed) {
            assert!(filter.contains("rose"));
            let copy = (*filter).clone();
            assert!(copy.contains("rose"));
            let mut united = sharded(2);
            united.union_with(&filter).unwrap();
            assert!(united.contains("rose"));
        }
        other.join().unwrap();
        assert!(filter.contains("rose") && filter.contains("tulip"));
    });
}

/// A key is inserted twice, and removed once it is present.
#[test]
fn keys_removed_from_shards() {
    loom::model(|| {
        let spec = Spec::new(100, 0.01).unwrap();
        let filter = ShardedBloom::<CountingBloom>::with_shards(spec, 1, Folded::default());
        let filter = Arc::new(filter.unwrap());
        let other = beside(&filter, |filter| {
            filter.insert("rose");
            assert!(filter.remove("rose"));
        });
        filter.insert("rose");
        assert!(filter.contains("rose"));
        other.join().unwrap();
        assert!(filter.contains("rose") && filter.remove("rose") && !filter.contains("rose"));
    });
}
