#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;

mod atomic;
mod geometry;
mod lock;
pub mod math;
mod sharded;
mod sorted;
mod view;

pub use atomic::AtomicBloom;
pub use bouquet_bits::{AtomicBitArray, BitArray};
pub use bouquet_core::{
    ConcurrentInsert, Fill, Filter, FilterExt, Fold, FoldError, Hashed, Incompatible, Inner,
    Insert, Inspect, Intersect, Key, KeyHash, KeyHasher, KeyIterator, KeyParts, Locate, Parameter,
    Prehashed, Remove, SeededHasher, Spec, SpecError, TryInsert, Union,
};
#[cfg(feature = "mmap")]
pub use bouquet_format::Mapped;
pub use bouquet_format::{Decode, DecodeError, Encode, InnerView, Limits, LoadError, View};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Folded, Xxh3, Xxh3Wide};
pub use bouquet_standard::{Geometry, StandardBloom, StandardView};
pub use geometry::{KEYS_PER_SHARD, MAX_DEFAULT_SHARDS, ShardedGeometry, shard_spec};
pub use sharded::ShardedBloom;
pub use view::ShardedView;
