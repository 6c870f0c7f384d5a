#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod bitmap;
pub mod bits_and_blooms;
mod error;
mod filter;
pub mod go_zero;
pub mod guava;
mod keys;
mod log;
pub mod parquet;
pub mod rbloom;
mod read;
pub mod redisbloom;
#[cfg(feature = "redisson")]
pub mod redisson;
mod scheme;
mod write;

pub use bits_and_blooms::{GoBloom, GoKey};
pub use bouquet_core::{Filter, Locate, Prehashed, SpecError, Union};
pub use error::{ForeignDecodeError, ReadError, Term};
pub use go_zero::GoZeroBloom;
pub use guava::{GuavaBloom, GuavaKey};
pub use parquet::{ParquetBloom, ParquetKey};
pub use redisbloom::{RedisBloom, RedisKey};
#[cfg(feature = "redisson")]
pub use redisson::RedissonBloom;
