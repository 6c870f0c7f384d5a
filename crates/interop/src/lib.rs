#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

pub mod bits_and_blooms;
pub mod go_zero;
pub mod guava;
mod log;
pub mod parquet;
pub mod rbloom;
pub mod redisbloom;
#[cfg(feature = "redisson")]
pub mod redisson;
mod scheme;

pub use bouquet_core::{Filter, FilterExt, Insert, Locate, Prehashed, SpecError, TryInsert};
