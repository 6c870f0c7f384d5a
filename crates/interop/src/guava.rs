//! Filters of Guava's `com.google.common.hash.BloomFilter` (Java), called the peer below.
//!
//! This describes 31.1-jre and 33.4.6-jre, which differ only in their sizing ([`Release`]).
//!
//! - **Hash**: MurmurHash3 x64 128 with seed 0 of the bytes to which a *funnel* converts the key:
//!   [`GuavaHash`]. The file does not say which funnel was used.
//! - **Scheme**: [`Mitz64`], which Guava's public `create` uses, and [`Mitz32`], which only old
//!   files have.
//! - **Filter and file**: [`GuavaBloom`].
//! - **Sizing**: [`Release::optimal`].
//!
//! A key has one of the types that the funnels accept: [`GuavaKey`].
//!
//! # Pitfalls
//!
//! - The hash is reduced modulo 64 times the number of longs, not modulo the m that the sizing
//!   computed.
//! - `Mitz32` starts its probes with i = 1, not 0, and reaches only the first 2^31 bits.
//! - Java encodes a lone surrogate as `?` in UTF-8. Rust strings cannot contain one.
//! - The two releases choose different k for some small filters. A file contains its k.

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;

mod funnel;
mod key;
mod scheme;
mod sizing;

pub use filter::{GuavaBloom, Strategy};
pub use funnel::GuavaHash;
pub use key::{GuavaKey, Unencoded};
pub use scheme::{Mitz32, Mitz64};
pub use sizing::Release;
