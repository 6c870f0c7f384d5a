#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;
mod view;

mod batch;
mod codec;
mod error;
mod fingerprint;
mod geometry;
mod inspect;
pub mod math;
mod room;
mod table;
mod union;

pub use bouquet_core::{
    BatchError, Filter, FilterExt, Hashed, Incompatible, Inspect, Key, KeyHash, KeyHasher,
    KeyParts, Locate, Parameter, Prehashed, Remove, SeededHasher, Spec, SpecError, TryInsert,
};
#[cfg(feature = "std")]
pub use bouquet_format::LoadError;
#[cfg(feature = "mmap")]
pub use bouquet_format::Mapped;
pub use bouquet_format::{Decode, DecodeError, Encode, Limits, View};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};
pub use error::{Full, UnionError};
pub use filter::CuckooFilter;
pub use fingerprint::FingerprintBits;
pub use geometry::Geometry;
pub use view::CuckooView;
