//! A quick benchmark of the operations: `cargo bench -p bouquet-partitioned`.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_partitioned::{Folded, PartitionedBloom};

bouquet_testkit::ops! {
    "PartitionedBloom": |spec| PartitionedBloom::with_hasher(spec, Folded::default()).unwrap(),
}
