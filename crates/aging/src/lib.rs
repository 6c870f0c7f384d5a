#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;
#[cfg(all(feature = "std", target_has_atomic = "64"))]
mod shared;

mod age;
mod batch;
mod codec;
mod geometry;
mod inspect;
pub mod math;

pub use bouquet_core::{
    Filter, FilterExt, Hashed, Insert, Inspect, Key, KeyHash, KeyHasher, KeyParts, Prehashed,
    SeededHasher, Spec, SpecError, TryInsert,
};
#[cfg(feature = "std")]
pub use bouquet_format::LoadError;
pub use bouquet_format::{Decode, DecodeError, Encode, Limits};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};
pub use filter::AgingBloom;
pub use geometry::Geometry;
#[cfg(all(feature = "std", target_has_atomic = "64"))]
pub use shared::SharedAging;
