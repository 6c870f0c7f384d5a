//! `cargo bench -p bouquet-standard`: a first impression of the speed of operations.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_standard::{Folded, StandardBloom};

bouquet_testkit::ops! {
    "StandardBloom": |spec| StandardBloom::with_hasher(spec, Folded::default()).unwrap(),
}
