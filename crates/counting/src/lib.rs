#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;
mod view;

mod batch;
mod codec;
mod counts;
mod geometry;
mod inner;
mod inspect;
pub mod math;

pub use bouquet_bits::{BitArray, CounterArray, CounterBits};
pub use bouquet_core::{
    Fill, Filter, FilterExt, Hashed, Incompatible, Insert, Inspect, Intersect, Key, KeyHash,
    KeyHasher, KeyIterator, KeyParts, Locate, Parameter, Prehashed, Remove, SeededHasher, Spec,
    SpecError, TryInsert, Union,
};
#[cfg(feature = "std")]
pub use bouquet_format::LoadError;
#[cfg(feature = "mmap")]
pub use bouquet_format::Mapped;
pub use bouquet_format::{Decode, DecodeError, Encode, Limits, View};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};
pub use filter::CountingBloom;
pub use geometry::Geometry;
pub use view::CountingView;
