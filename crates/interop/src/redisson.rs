//! Redisson's `RBloomFilter` (Java): a Redis string as a bitmap, its settings in
//! a hash beside it.
//!
//! Facts of its revision 66863978b, before 4.7.1. The sizing and the walk over
//! the locations were taken from its description, the hash was run.
//!
//! - **Hash**: HighwayHash-128 with a fixed key, of what a *codec* makes of the
//!   object: [`RedissonHash`].
//! - **Scheme**: [`Scheme`].
//! - **Filter and Redis string**: [`RedissonBloom`].
//! - **Sizing**: [`optimal`].
//!
//! # Pitfalls
//!
//! - The codec is not stored. The default, Kryo, writes bytes that only Java
//!   makes; filters that can be used here are those with `StringCodec` (UTF-8 of the text) or
//!   `ByteArrayCodec`.
//! - With `StringCodec` a number is its decimal text: see [`RedisKey`](crate::RedisKey).
//! - Redis counts the bits of a byte from the most significant.

mod filter;
mod scheme;
mod sizing;

pub use filter::RedissonBloom;
pub use scheme::{RedissonHash, Scheme};
pub use sizing::{MAX_SIZE_BITS, count, optimal};
