//! [`StandardBloom`]: crate::StandardBloom
//! [`BlockedBloom`]: crate::BlockedBloom
//! [`CountingBloom`]: crate::CountingBloom
//! [`CuckooFilter`]: crate::CuckooFilter
//! [`FuseFilter`]: crate::FuseFilter
//! [`AgingBloom`]: crate::AgingBloom
//! [`SharedAging`]: crate::SharedAging
//! [`ScalableBloom`]: crate::ScalableBloom
//! [`SharedScalable`]: crate::SharedScalable
//! [`AtomicBloom`]: crate::AtomicBloom
//! [`ShardedBloom`]: crate::ShardedBloom
//! [`PartitionedBloom`]: crate::PartitionedBloom
//! [`BitSet`]: crate::BitSet
//! [`BitArray`]: crate::BitArray
//! [`interop`]: crate::interop
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![forbid(unsafe_code)]

pub use bouquet_core::{
    ConcurrentInsert, Filter, FilterExt, Fold, FoldError, Hashed, Incompatible, Insert, Inspect,
    Intersect, Key, KeyHash, KeyHasher, KeyIterator, KeyParts, Locate, Parameter, Prehashed,
    Remove, SeededHasher, Spec, SpecError, TryInsert, Union,
};
#[cfg(feature = "derive")]
pub use bouquet_derive::Key;
#[cfg(feature = "std")]
pub use bouquet_format::LoadError;
#[cfg(feature = "mmap")]
pub use bouquet_format::Mapped;
pub use bouquet_format::{Decode, DecodeError, Encode, Limits, View};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Folded, StdHasher, Xxh3, Xxh3Wide};

// Each crate is also a module, for items without a name at the top level: geometries, policies,
// errors.
#[cfg(feature = "aging")]
pub use bouquet_aging as aging;
#[cfg(feature = "bits")]
pub use bouquet_bits as bits;
#[cfg(feature = "blocked")]
pub use bouquet_blocked as blocked;
#[cfg(feature = "counting")]
pub use bouquet_counting as counting;
#[cfg(feature = "cuckoo")]
pub use bouquet_cuckoo as cuckoo;
#[cfg(feature = "fuse")]
pub use bouquet_fuse as fuse;
#[cfg(feature = "interop")]
pub use bouquet_interop as interop;
#[cfg(feature = "partitioned")]
pub use bouquet_partitioned as partitioned;
#[cfg(feature = "scalable")]
pub use bouquet_scalable as scalable;
#[cfg(feature = "sharded")]
pub use bouquet_sharded as sharded;
#[cfg(feature = "standard")]
pub use bouquet_standard as standard;

#[cfg(feature = "aging")]
pub use bouquet_aging::AgingBloom;
#[cfg(all(feature = "aging", feature = "std", target_has_atomic = "64"))]
pub use bouquet_aging::SharedAging;
#[cfg(feature = "bits")]
pub use bouquet_bits::{BitArray, BitSet};
#[cfg(feature = "blocked")]
pub use bouquet_blocked::{BlockedBloom, BlockedView, Line, Words32, Words64};
#[cfg(feature = "counting")]
pub use bouquet_counting::{CounterBits, CountingBloom, CountingView};
#[cfg(feature = "cuckoo")]
pub use bouquet_cuckoo::{CuckooFilter, CuckooView, FingerprintBits};
#[cfg(feature = "fuse")]
pub use bouquet_fuse::{Bits12, FuseFilter, FuseView};
#[cfg(feature = "partitioned")]
pub use bouquet_partitioned::{PartitionedBloom, PartitionedView};
#[cfg(all(feature = "scalable", feature = "std"))]
pub use bouquet_scalable::SharedScalable;
#[cfg(feature = "scalable")]
pub use bouquet_scalable::{Policy, ScalableBloom, ScalableView};
#[cfg(feature = "sharded")]
pub use bouquet_sharded::{AtomicBloom, ShardedBloom, ShardedView};
#[cfg(feature = "standard")]
pub use bouquet_standard::{StandardBloom, StandardView};

/// The name that filters have in other crates, for the compiler's message.
#[cfg(feature = "standard")]
#[doc(hidden)]
#[deprecated(note = "the filter is `StandardBloom`: `StandardBloom::new(1_000, 0.001)?`")]
pub type BloomFilter = StandardBloom;
