//! Tests the cost of operations: they hash each key once and allocate no memory.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_standard::StandardBloom;

bouquet_testkit::thrift! {
    "StandardBloom": |spec, hasher| StandardBloom::with_hasher(spec, hasher).unwrap(),
}
