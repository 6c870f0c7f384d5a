//! Filters of go-zero's package `core/bloom` (Go), called the peer below. A filter is a Redis
//! string used as a bitmap.
//!
//! This describes its revision 11f21098d of August 2026.
//!
//! - **Hash**: MurmurHash3 x64 128 with seed 0 of the key followed by one byte i, for each i from 0
//!   to 13. The first word of each result is used: [`GoZeroHash`].
//! - **Scheme**: [`Scheme`]: always 14 probes, each with a hash of its own.
//! - **Filter and Redis string**: [`GoZeroBloom`].
//! - **Sizing**: the peer has none. The user gives the number of bits, or
//!   [`GoZeroBloom::for_target`] computes it.
//!
//! # Pitfalls
//!
//! - The number of bits is not stored with the string. With a wrong number all probes go to other
//!   bits, so that every member becomes a false negative, without any error.
//! - Each Go program chooses how it encodes a number as bytes: see [`GoKey`](crate::GoKey).
//! - Redis counts the bits of a byte from the most significant one.

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;

mod scheme;
mod sizing;

pub use filter::GoZeroBloom;
pub use scheme::{GoZeroHash, HASHES, Scheme};
