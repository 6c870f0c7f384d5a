//! `cargo bench -p bouquet-cuckoo`: a first impression of the speed of each operation.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_cuckoo::{CuckooFilter, Folded};

bouquet_testkit::ops! {
    "CuckooFilter": |spec| CuckooFilter::with_hasher(spec, Folded::default()).unwrap(),
}
