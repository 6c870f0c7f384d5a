//! Checks the cost of operations: one hash per key, and no allocation.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_cuckoo::CuckooFilter;

bouquet_testkit::thrift! {
    "CuckooFilter": |spec, hasher| CuckooFilter::with_hasher(spec, hasher).unwrap(),
}
