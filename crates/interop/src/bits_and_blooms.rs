//! Go's `github.com/bits-and-blooms/bloom/v3`.
//!
//! Facts of v3.7.1 with bitset v1.24.2. Files of v3.1.0, v3.3.1, v3.5.0 and
//! v3.7.0 are the same.
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
//! - k is one more than most libraries take, because it is rounded up twice: a
//!   target of 0.5 gives k = 2.
//! - What the peer calls `Cap` is m, in bits, not keys.
//! - The length of the bit set is not always m: see [`GoBloom::bit_set_len`].
//! - `bitset.LittleEndian()` and `bitset.Base64StdEncoding()` switch the byte
//!   order of the words and the alphabet of the JSON for a whole process of the
//!   peer. A file does not show it; such files are not read here.
//! - A number is whatever bytes the Go program makes of it: see [`GoKey`].
//! - A huge length makes the peer's own reader allocate before it reads.

mod base64;
mod filter;
mod json;
mod key;
mod scheme;
mod text;

pub use bouquet_hash::{murmur3::four_words, scheme::BitsAndBlooms as Scheme};
pub use filter::GoBloom;
use filter::MAX_HASHES;
pub use key::GoKey;
pub use scheme::{approximated_size, estimate_parameters};
