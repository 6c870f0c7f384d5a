//! Tests the cost of operations: they hash each key once and allocate no memory.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_counting::CountingBloom;

bouquet_testkit::thrift! {
    "CountingBloom": |spec, hasher| CountingBloom::with_hasher(spec, hasher).unwrap(),
}
