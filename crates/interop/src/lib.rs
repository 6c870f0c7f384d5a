#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod bitmap;
pub mod bits_and_blooms;
mod error;
mod filter;
pub mod go_zero;
pub mod guava;
mod log;
pub mod parquet;
pub mod rbloom;
mod read;
pub mod redisbloom;
#[cfg(feature = "redisson")]
pub mod redisson;
mod scheme;
mod write;

pub use bits_and_blooms::GoBloom;
pub use bouquet_core::{
    Filter, FilterExt, Insert, Key, Locate, Prehashed, SpecError, TryInsert, Union,
};
pub use error::{DecodeError, ReadError, Term};
pub use go_zero::GoZeroBloom;
pub use guava::GuavaBloom;
pub use parquet::ParquetBloom;
pub use redisbloom::RedisBloom;
#[cfg(feature = "redisson")]
pub use redisson::RedissonBloom;
