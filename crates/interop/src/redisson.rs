//! Filters of Redisson's `RBloomFilter` (Java), called the peer below. A filter is a Redis string
//! used as a bitmap; its settings are in a Redis hash beside it.
//!
//! This describes revision 66863978b, before release 4.7.1. The sizing and the probe sequence were
//! implemented from its description; the hash was compared with the running program.
//!
//! - **Hash**: HighwayHash-128 with a fixed key of the bytes to which a *codec* encodes the object:
//!   [`RedissonHash`].
//! - **Scheme**: [`Scheme`].
//! - **Filter and Redis string**: [`RedissonBloom`].
//! - **Sizing**: [`optimal`].
//!
//! # Pitfalls
//!
//! - The filter does not record its codec. The default codec, Kryo, writes bytes that only Java can
//!   make. Only filters with `StringCodec` (the text in UTF-8) or `ByteArrayCodec` can be used
//!   here.
//! - `StringCodec` encodes a number as its decimal text: see [`RedisKey`](crate::RedisKey).
//! - Redis counts the bits of a byte from the most significant one.

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;

mod scheme;
mod sizing;

pub use filter::RedissonBloom;
pub use scheme::{RedissonHash, Scheme};
pub use sizing::{MAX_SIZE_BITS, count, optimal};
