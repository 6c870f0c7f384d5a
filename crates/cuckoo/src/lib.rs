#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod batch;
mod error;
mod filter;
mod fingerprint;
mod geometry;
pub mod math;
mod room;
mod table;

pub use bouquet_core::{
    Filter, FilterExt, Hashed, Inspect, Key, KeyHash, KeyHasher, Locate, Prehashed, Refused,
    Remove, Spec, SpecError, TryInsert,
};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Xxh3, Xxh3Wide};
pub use error::Full;
pub use filter::CuckooFilter;
pub use fingerprint::FingerprintBits;
pub use geometry::Geometry;
