//! `cargo bench -p bouquet-partitioned`: a first impression of what operations take.

#![allow(clippy::unwrap_used, reason = "a program for one who looks on")]

use bouquet_partitioned::{Folded, PartitionedBloom};

bouquet_testkit::ops! {
    "PartitionedBloom": |spec| PartitionedBloom::with_hasher(spec, Folded::default()).unwrap(),
}
