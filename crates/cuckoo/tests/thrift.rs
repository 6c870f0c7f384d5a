//! What operations cost: one hash per key, and no memory.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_cuckoo::CuckooFilter;

bouquet_testkit::thrift! {
    "CuckooFilter": |spec, hasher| CuckooFilter::with_hasher(spec, hasher).unwrap(),
}
