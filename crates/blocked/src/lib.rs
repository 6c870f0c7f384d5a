#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;
mod split;
mod view;

mod batch;
mod block;
mod codec;
mod fold;
mod geometry;
mod inner;
mod inspect;
mod layout;
mod loads;
mod math;
mod sizing;

pub use block::SALTS;
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
pub use filter::BlockedBloom;
pub use geometry::{Geometry, MAX_RATIO};
pub use layout::{Layout, Line, Words32, Words64};
pub use split::SplitBlocks;
pub use view::BlockedView;
