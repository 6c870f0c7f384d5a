//! Checks that an operation hashes its key only once and allocates no memory.
//!
//! Both are counted per thread, so that tests can run in parallel.

mod allocator;

use std::cell::Cell;

use bouquet_core::{KeyHash, KeyHasher};

pub use allocator::CountingAllocator;

use crate::toy::ToyHasher;

thread_local! {
    static HASHES: Cell<u64> = const { Cell::new(0) };
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// A correct hasher that counts the keys it hashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountingHasher;

impl KeyHasher for CountingHasher {
    const ID: u16 = 0x8002;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        0
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        HASHES.set(HASHES.get() + 1);
        ToyHasher::with_seed(0).hash(key)
    }
}

/// The resources that an operation used in this thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spent {
    /// Number of keys hashed by a [`CountingHasher`].
    pub hashes: u64,
    /// Number of allocations by the [`CountingAllocator`], including reallocations; always 0 if the
    /// program uses another allocator.
    pub allocations: u64,
}

/// Runs `operation` and returns what it used.
pub fn spent<R>(operation: impl FnOnce() -> R) -> Spent {
    let before = (HASHES.get(), ALLOCATIONS.get());
    std::hint::black_box(operation());
    Spent {
        hashes: HASHES.get() - before.0,
        allocations: ALLOCATIONS.get() - before.1,
    }
}

/// Defines all of `tests/thrift.rs`: makes [`CountingAllocator`] the program's allocator, and tests
/// for each filter that `make` builds that its inherent operations and those of the traits hash a
/// key once and allocate nothing.
///
/// `make` gets a [`Spec`](bouquet_core::Spec) of 10,000 keys and a [`CountingHasher`]; the filter
/// must have room for 400 keys.
#[macro_export]
macro_rules! thrift {
    ($($name:literal: |$spec:ident, $hasher:ident| $make:expr),+ $(,)?) => {
        #[global_allocator]
        static ALLOCATOR: $crate::thrift::CountingAllocator = $crate::thrift::CountingAllocator;

        #[test]
        fn the_counts_are_counted() {
            use $crate::{core::KeyHasher, thrift::{CountingHasher, Spent, spent}};

            let wasteful = || {
                CountingHasher.hash_key("rose");
                CountingHasher.hash_key("rose");
                ::std::boxed::Box::new(::std::hint::black_box(7))
            };
            assert_eq!(spent(wasteful), Spent { hashes: 2, allocations: 1 });
        }

        #[test]
        fn operations_hash_once_and_allocate_nothing() {
            use $crate::{core::{Filter, Prehashed, Spec, TryInsert}, thrift::{CountingHasher, spent}};

            let bytes: ::std::vec::Vec<[u8; 8]> = (0..100u64).map(u64::to_le_bytes).collect();
            let keys: ::std::vec::Vec<&[u8]> = bytes.iter().map(|key| &key[..]).collect();
            let mut found = [false; 100];
            $({
                let make = |$spec: Spec, $hasher: CountingHasher| $make;
                let mut filter = make(Spec::new(10_000, 0.01).unwrap(), CountingHasher);
                let mut took = |what: &str, hashes, spent: $crate::thrift::Spent| {
                    assert_eq!(spent.hashes, hashes, "hashes: {what} of {}", $name);
                    assert_eq!(spent.allocations, 0, "allocations: {what} of {}", $name);
                };
                took("insert", 100, spent(|| keys.iter().for_each(|key| _ = filter.insert(*key))));
                took("contains", 100, spent(|| keys.iter().all(|key| filter.contains(*key))));
                took("insert_batch", 100, spent(|| _ = filter.insert_batch(&bytes)));
                took("contains_batch", 100, spent(|| filter.contains_batch(&bytes, &mut found)));
                took("try_insert_batch", 100, spent(|| _ = filter.try_insert_batch(&keys)));
                took("Filter::contains_batch", 100, spent(|| {
                    Filter::contains_bytes_batch(&filter, &keys, &mut found);
                }));
                assert!(found.iter().all(|found| *found), "{}", $name);
                let hashes = ::std::vec::Vec::from_iter(keys.iter().map(|key| filter.hash_key(key)));
                took("insert by hash", 0, spent(|| _ = filter.try_insert_hash_batch(&hashes)));
                took("contains by hash", 0, spent(|| filter.contains_hash_batch(&hashes, &mut found)));
            })+
        }
    };
}
