//! The tests of the crate in one program, because each costs a link.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod array;
mod atomic;
mod counters;
mod many;
mod oracle;
mod rows;
mod set;
mod sharded_bitmap;
