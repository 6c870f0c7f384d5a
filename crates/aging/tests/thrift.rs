//! Checks the cost of operations: one hash per key, and no allocation.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_aging::AgingBloom;

bouquet_testkit::thrift! {
    "AgingBloom": |spec, hasher| AgingBloom::with_hasher(spec, hasher).unwrap(),
}
