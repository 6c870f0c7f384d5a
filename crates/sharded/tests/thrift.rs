//! Checks the cost of operations: one hash per key, and no allocation.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_sharded::{AtomicBloom, ShardedBloom, StandardBloom};

bouquet_testkit::thrift! {
    "AtomicBloom": |spec, hasher| AtomicBloom::with_hasher(spec, hasher).unwrap(),
    "ShardedBloom": |spec, hasher| {
        ShardedBloom::<StandardBloom<_>>::with_hasher(spec, hasher).unwrap()
    },
}
