//! A quick benchmark of the operations: `cargo bench -p bouquet-counting`.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_counting::{CountingBloom, Folded};

bouquet_testkit::ops! {
    "CountingBloom": |spec| CountingBloom::with_hasher(spec, Folded::default()).unwrap(),
}
