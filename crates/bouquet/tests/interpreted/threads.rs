//! Tests the filters that threads share. With each seed the interpreter runs other interleavings,
//! and it lets relaxed reads return old values.

use std::thread;

use bouquet::{AtomicBloom, Folded, ShardedBloom, Spec, StandardBloom};

use crate::checks::members;

#[test]
fn atomic() {
    let filter = AtomicBloom::new(100, 0.01).unwrap();
    let keys = members();
    let (front, back) = keys.split_at(keys.len() / 2);
    thread::scope(|scope| {
        scope.spawn(|| {
            for key in front {
                filter.insert(key);
                assert!(filter.contains(key));
            }
        });
        scope.spawn(|| {
            filter.insert_batch(back);
            let mut found = vec![false; back.len()];
            filter.contains_batch(back, &mut found);
            assert!(found.iter().all(|found| *found));
        });
        scope.spawn(|| {
            // The copy contains the keys that were inserted before it was made.
            let copy = filter.clone();
            assert!(copy.bits().count_ones() <= filter.bits().count_ones());
            let stored = AtomicBloom::from_bytes(&filter.encode()).unwrap();
            assert!(stored.bits().count_ones() <= filter.bits().count_ones());
        });
    });
    assert!(keys.iter().all(|key| filter.contains(key)));
    let mut alone = StandardBloom::new(100, 0.01).unwrap();
    alone.extend(&keys);
    assert_eq!(filter.to_bits().unwrap(), *alone.bits());
}

#[test]
fn sharded() {
    let spec = Spec::new(100, 0.01).unwrap();
    let make = || ShardedBloom::<StandardBloom>::with_shards(spec, 3, Folded::default()).unwrap();
    let (filter, other) = (make(), make());
    let keys = members();
    let new: usize = thread::scope(|scope| {
        // Each key is inserted twice, once in a batch that is sorted by shard: exactly one of the
        // two inserts returns `true`.
        let one_by_one = scope.spawn(|| keys.iter().filter(|key| filter.insert(*key)).count());
        let batch = scope.spawn(|| filter.insert_batch(&keys));
        // Compares in both directions while other threads wait to write.
        scope.spawn(|| filter == other);
        scope.spawn(|| other == filter);
        scope.spawn(|| ShardedBloom::from_bytes(&filter.encode()).unwrap());
        one_by_one.join().unwrap() + batch.join().unwrap()
    });
    let mut alone = make();
    assert_eq!(new, alone.insert_batch(&keys));
    alone.union_with(&filter).unwrap();
    assert_eq!(filter, alone);
    assert!(keys.iter().all(|key| filter.contains(key)));
}
