#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod batch;
mod error;
mod filter;
pub mod math;
mod policy;
mod stage;

pub use bouquet_core::{
    Filter, FilterExt, Hashed, Inner, Inspect, Key, KeyHash, KeyHasher, Locate, Prehashed, Refused,
    Spec, SpecError, TryInsert,
};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Xxh3, Xxh3Wide};
pub use bouquet_standard::StandardBloom;
pub use error::{Full, PolicyError};
pub use filter::ScalableBloom;
pub use policy::{MAX_STAGE_FPR, MAX_TIGHTENING, Policy};
pub use stage::Stage;
