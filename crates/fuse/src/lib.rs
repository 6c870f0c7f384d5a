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
mod build;
mod codec;
mod error;
mod fingerprint;
mod geometry;
mod inspect;
mod peel;
mod table;

pub use bouquet_core::{
    Filter, FilterExt, Hashed, Inspect, Key, KeyHash, KeyHasher, KeyParts, Prehashed, SeededHasher,
    Spec,
};
#[cfg(feature = "std")]
pub use bouquet_format::LoadError;
#[cfg(feature = "mmap")]
pub use bouquet_format::Mapped;
pub use bouquet_format::{Decode, DecodeError, Encode, Limits, View};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};
pub use build::Builder;
pub use error::BuildError;
pub use filter::FuseFilter;
pub use fingerprint::{Bits12, Fingerprint};
pub use geometry::Geometry;
pub use view::FuseView;
