//! go-zero's `core/bloom` (Go): a Redis string as a bitmap.
//!
//! Facts of its revision 11f21098d, of August 2026.
//!
//! - **Hash**: MurmurHash3 x64 128, seed 0, of the key followed by one byte i, for
//!   i from 0 to 13; the first word of each: [`GoZeroHash`].
//! - **Scheme**: [`Scheme`]: always 14 probes, each its own hash.
//! - **Filter and Redis string**: [`GoZeroBloom`].
//! - **Sizing**: none; the user gives the number of bits, or lets [`GoZeroBloom::for_target`]
//!   find it.
//!
//! # Pitfalls
//!
//! - The number of bits is not stored with the string. Another number gives
//!   other locations, and silently makes every key a false negative.
//! - A number is whatever bytes the Go program makes of it: see [`GoKey`](crate::GoKey).
//! - Redis counts the bits of a byte from the most significant.

mod filter;
mod scheme;
mod sizing;

pub use filter::GoZeroBloom;
pub use scheme::{GoZeroHash, HASHES, Scheme};
