//! A quick benchmark of the operations: `cargo bench -p bouquet-standard`.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_standard::{Folded, StandardBloom};

bouquet_testkit::ops! {
    "StandardBloom": |spec| StandardBloom::with_hasher(spec, Folded::default()).unwrap(),
}
