//! `cargo bench -p bouquet-sharded`: a first impression of the speed of each operation.

#![allow(clippy::unwrap_used, reason = "a program for interactive use")]

use bouquet_sharded::{AtomicBloom, ShardedBloom};

bouquet_testkit::ops! {
    "AtomicBloom": |spec| AtomicBloom::new(spec.capacity() as usize, spec.target_fpr()).unwrap(),
    "ShardedBloom": |spec| ShardedBloom::new(spec.capacity() as usize, spec.target_fpr()).unwrap(),
}
