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
mod fold;
mod geometry;
mod inner;
mod inspect;

pub use bouquet_bits::BitArray;
pub use bouquet_core::{
    Fill, Filter, FilterExt, Fold, FoldError, Hashed, Incompatible, Insert, Inspect, Intersect,
    Key, KeyHash, KeyHasher, KeyIterator, KeyParts, Locate, Parameter, Prehashed, SeededHasher,
    Spec, SpecError, TryInsert, Union,
};
#[cfg(feature = "std")]
pub use bouquet_format::LoadError;
#[cfg(feature = "mmap")]
pub use bouquet_format::Mapped;
pub use bouquet_format::{Decode, DecodeError, Encode, Limits, View};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};
pub use filter::StandardBloom;
pub use geometry::Geometry;
pub use view::StandardView;
