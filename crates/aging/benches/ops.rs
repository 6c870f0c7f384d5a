//! `cargo bench -p bouquet-aging`: a first impression of the speed of each operation.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_aging::{AgingBloom, Folded};

bouquet_testkit::ops! {
    "AgingBloom": |spec| AgingBloom::with_hasher(spec, Folded::default()).unwrap(),
}
