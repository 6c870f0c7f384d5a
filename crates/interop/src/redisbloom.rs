//! RedisBloom, the `BF.` commands of Redis.
//!
//! Facts of its revision b28c2945 and of 2.8.
//!
//! - **Hash**: MurmurHash2, in its 64-bit form 64A, twice: [`RedisBloomHash::wide`].
//!   Filters made before 64 bits came have the 32-bit form:
//!   [`RedisBloomHash::narrow`].
//! - **Scheme**: [`Scheme`], for one *link* of the chain. A filter that grows is a
//!   chain of links, all probed with one hash.
//! - **Filter and chunks**: [`RedisBloom`], what `BF.SCANDUMP` gives and
//!   `BF.LOADCHUNK` takes.
//! - **Sizing**: [`Sizing`] for one link, [`Sizing::first_link`] for what
//!   `BF.RESERVE` makes.
//!
//! The keys are what clients send: [`RedisKey`].
//!
//! # Pitfalls
//!
//! - A number is its decimal text: clients send it so, and the server compares bytes.
//! - The first link of a filter that may grow is sized for half the requested error.
//! - The divisor is the number of bits rounded up to 64, not the one computed.
//! - An error above 0.25 is silently lowered to 0.25 by newer servers.
//! - A dump states how far its filter grows. One that was read is limited in bytes:
//!   [`RedisBloom::set_max_bytes`].

mod chunks;
mod filter;
mod header;
mod key;
mod limit;
mod link;
mod murmur2;
mod scheme;
mod sizing;

pub use filter::{Full, MAX_EXPANSION, RedisBloom};
pub use key::RedisKey;
pub use scheme::{RedisBloomHash, Scheme};
pub use sizing::{Rounding, Sizing};
