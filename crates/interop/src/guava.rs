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
//! The keys are those of the funnels: [`GuavaKey`].
//!
//! # Pitfalls
//!
//! - The divisor is 64 times the number of longs, not the m that was computed.
//! - `mitz 32` starts at the first step, not at 0, and reaches 2^31 bits.
//! - Java writes a lone surrogate as `?` in UTF-8; no Rust text has one.
//! - The two releases differ in k for small filters. A file has its k.

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
