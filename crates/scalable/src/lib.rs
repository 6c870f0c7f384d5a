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
mod inspect;
pub mod math;
mod policy;
#[cfg(feature = "std")]
mod shared;
mod stage;
mod union;

pub use bouquet_core::{
    BatchError, Filter, FilterExt, Hashed, Inner, Inspect, Key, KeyHash, KeyHasher, KeyParts,
    Locate, Prehashed, SeededHasher, Spec, SpecError, TryInsert,
};
#[cfg(feature = "std")]
pub use bouquet_format::LoadError;
#[cfg(feature = "mmap")]
pub use bouquet_format::Mapped;
pub use bouquet_format::{Decode, DecodeError, Encode, InnerView, Limits, View};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};
pub use bouquet_standard::{StandardBloom, StandardView};
pub use error::{Full, PolicyError, UnionError};
pub use filter::ScalableBloom;
pub use policy::{MAX_GROWTH, MAX_KEYS_PER_BIT, MAX_STAGE_FPR, MAX_TIGHTENING, Policy};
#[cfg(feature = "std")]
pub use shared::SharedScalable;
pub use stage::Stage;
pub use view::ScalableView;
