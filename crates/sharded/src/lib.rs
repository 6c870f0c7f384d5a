#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod atomic;
mod geometry;
pub mod math;
mod sharded;

pub use atomic::AtomicBloom;
pub use bouquet_bits::{AtomicBitArray, BitArray};
pub use bouquet_core::{
    ConcurrentInsert, Fill, Filter, FilterExt, Hashed, Incompatible, Inner, Insert, Inspect,
    Intersect, Key, KeyHash, KeyHasher, Locate, Parameter, Prehashed, Remove, Spec, SpecError,
    TryInsert, Union,
};
#[cfg(feature = "siphash")]
pub use bouquet_hash::SipKeyed;
pub use bouquet_hash::{Xxh3, Xxh3Wide};
pub use bouquet_standard::{Geometry, StandardBloom};
pub use geometry::{KEYS_PER_SHARD, MAX_DEFAULT_SHARDS, ShardedGeometry};
pub use sharded::ShardedBloom;
