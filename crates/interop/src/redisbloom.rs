//! Filters of RedisBloom, the `BF.` commands of Redis, called the peer below.
//!
//! This describes its revision b28c2945 and release 2.8.
//!
//! - **Hash**: two MurmurHash2 values in the 64-bit form 64A: [`RedisBloomHash::wide`]. Old
//!   filters, from before the option `FORCE64`, use the 32-bit form: [`RedisBloomHash::narrow`].
//! - **Scheme**: [`Scheme`], for one *link* of the chain. A filter that grows is a chain of links;
//!   a lookup probes them all with the same hash.
//! - **Filter and chunks**: [`RedisBloom`] reads and writes the chunks that `BF.SCANDUMP` returns
//!   and `BF.LOADCHUNK` takes.
//! - **Sizing**: [`Sizing`] for one link, [`Sizing::first_link`] for the first link that
//!   `BF.RESERVE` makes.
//!
//! A key is what a client sends to the server: [`RedisKey`].
//!
//! # Pitfalls
//!
//! - A number as a key is its decimal text: clients send it in this form, and the server compares
//!   bytes.
//! - The first link of a filter that can grow is sized for half the requested error rate.
//! - Probes are taken modulo the number of bits rounded up to a multiple of 64, not modulo the
//!   computed number.
//! - Newer servers lower an error rate above 0.25 to 0.25 without any error.
//! - A dump states how far its filter may grow. A filter read from a dump gets a limit in bytes in
//!   addition: [`RedisBloom::set_max_bytes`].

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;

mod chunks;
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
