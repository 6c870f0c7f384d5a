//! The crate's tests in one program: each test program would have to be linked separately.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod codec;
mod facts;
mod forged;
mod inner;
mod limits;
mod shared;
mod union;
