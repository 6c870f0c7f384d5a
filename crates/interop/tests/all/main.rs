//! All integration tests are one program, because linking several programs takes longer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

mod bits_and_blooms;
mod common;
mod guava;
mod keys;
mod parquet;
mod redis_strings;
mod redisbloom;
mod schemes;
mod sizing;
