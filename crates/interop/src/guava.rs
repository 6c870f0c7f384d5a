//! Guava's `com.google.common.hash.BloomFilter` (Java).
//!
//! Facts of 31.1-jre and 33.4.6-jre, whose filters differ only in their sizing
//! ([`Release`]).
//!
//! - **Hash**: MurmurHash3 x64 128, seed 0, of what a *funnel* makes of the key:
//!   [`GuavaHash`]. The funnel is not in the file.
//! - **Scheme**: [`Mitz64`], which the public `create` makes, and [`Mitz32`],
//!   which only old files have.
//! - **Filter and file**: [`GuavaBloom`].
//! - **Sizing**: [`Release::optimal`].
//!
//! | funnel | bytes | as a key here |
//! | --- | --- | --- |
//! | `byteArrayFunnel` | as they are | bytes |
//! | `stringFunnel(UTF_8)` | UTF-8 | text |
//! | `longFunnel` | 8, little-endian | `i64` |
//! | `integerFunnel` | 4, little-endian | `i32` |
//! | `unencodedCharsFunnel` | UTF-16, 2 a unit, little-endian | [`GuavaHash::of_chars`] |
//!
//! # Pitfalls
//!
//! - The divisor is 64 times the number of longs, not the m that was computed.
//! - `mitz 32` starts at the first step, not at 0, and reaches 2^31 bits.
//! - Java writes a lone surrogate as `?` in UTF-8; no Rust text has one.
//! - The two releases differ in k for small filters. A file has its k.

mod filter;
mod funnel;
mod scheme;
mod sizing;

pub use filter::{GuavaBloom, Strategy};
pub use funnel::GuavaHash;
pub use scheme::{Mitz32, Mitz64};
pub use sizing::Release;
