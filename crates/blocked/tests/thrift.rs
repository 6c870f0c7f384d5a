//! Tests the cost of operations: they hash each key once and allocate no memory.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use bouquet_blocked::{BlockedBloom, Line, Words32, Words64};

bouquet_testkit::thrift! {
    "Words64": |spec, hasher| BlockedBloom::<Words64, _>::with_layout(spec, hasher).unwrap(),
    "Words32": |spec, hasher| BlockedBloom::<Words32, _>::with_layout(spec, hasher).unwrap(),
    "Line": |spec, hasher| BlockedBloom::<Line, _>::with_layout(spec, hasher).unwrap(),
}
