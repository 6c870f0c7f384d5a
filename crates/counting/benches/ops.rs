//! `cargo bench -p bouquet-counting`: a first impression of what operations take.

#![allow(clippy::unwrap_used, reason = "a program for one who looks on")]

use bouquet_counting::{CountingBloom, Folded};

bouquet_testkit::ops! {
    "CountingBloom": |spec| CountingBloom::with_hasher(spec, Folded::default()).unwrap(),
}
