//! `cargo bench -p bouquet-standard`: a first impression of what operations take.

#![allow(clippy::unwrap_used, reason = "a program for one who looks on")]

use bouquet_standard::{Folded, StandardBloom};

bouquet_testkit::ops! {
    "StandardBloom": |spec| StandardBloom::with_hasher(spec, Folded::default()).unwrap(),
}
