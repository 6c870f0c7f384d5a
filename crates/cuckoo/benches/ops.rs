//! `cargo bench -p bouquet-cuckoo`: a first impression of what operations take.

#![allow(clippy::unwrap_used, reason = "a program for one who looks on")]

use bouquet_cuckoo::{CuckooFilter, Folded};

bouquet_testkit::ops! {
    "CuckooFilter": |spec| CuckooFilter::with_hasher(spec, Folded::default()).unwrap(),
}
