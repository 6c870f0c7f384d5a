//! Filters of Go's `github.com/bits-and-blooms/bloom/v3`, called the peer below.
//!
//! This describes v3.7.1 with bitset v1.24.2. Files of v3.1.0, v3.3.1, v3.5.0 and v3.7.0 have the
//! same format.
//!
//! - **Hash**: MurmurHash3 x64 128, seed 0, of the key and of the key followed by
//!   the byte 1: four words ([`four_words`]).
//! - **Scheme**: [`Scheme`].
//! - **Filter and files**: [`GoBloom`], binary and JSON.
//! - **Sizing**: [`estimate_parameters`], the peer's `EstimateParameters` and
//!   `NewWithEstimates`.
//!
//! # Pitfalls
//!
//! - k is one more than in most libraries, because the peer rounds up twice: a target FPR of 0.5
//!   gives k = 2.
//! - The peer's `Cap` is m, a number of bits, not of keys.
//! - The length of the bit set is not always m: see [`GoBloom::bit_set_len`].
//! - `bitset.LittleEndian()` and `bitset.Base64StdEncoding()` change the byte order of the words
//!   and the alphabet of the JSON for the whole Go process. A file does not record this; files
//!   written with these settings cannot be read here.
//! - Each Go program chooses how it encodes a number as bytes: see [`GoKey`].
//! - If a file claims a huge length, the peer's own reader allocates that much memory before it
//!   reads the words.

// First, because rustdoc shows the methods of a type in the order of the modules.
mod filter;

mod base64;
mod json;
mod key;
mod scheme;
mod text;

pub use bouquet_hash::{murmur3::four_words, scheme::BitsAndBlooms as Scheme};
pub use filter::GoBloom;
use filter::MAX_HASHES;
pub use key::GoKey;
pub use scheme::{approximated_size, estimate_parameters};
