//! The tests of the crate in one program, because each costs a link.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod codec;
mod facts;
mod frozen;
mod iter;
#[cfg(target_os = "linux")]
mod mapped;
mod saving;
