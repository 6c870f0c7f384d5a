//! Tests the cost of operations: they hash each key once and allocate no memory.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_partitioned::PartitionedBloom;

bouquet_testkit::thrift! {
    "PartitionedBloom": |spec, hasher| PartitionedBloom::with_hasher(spec, hasher).unwrap(),
}
