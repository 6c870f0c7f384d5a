//! Go's `github.com/bits-and-blooms/bloom/v3`.
//!
//! Facts of v3.7.1 with bitset v1.24.2. Files of v3.1.0, v3.3.1, v3.5.0 and
//! v3.7.0 are the same.
//!
//! - **Hash**: MurmurHash3 x64 128, seed 0, of the key and of the key followed by
//!   the byte 1: four words ([`four_words`]).
//! - **Scheme**: [`Scheme`].
//! - **Sizing**: [`estimate_parameters`], the peer's `EstimateParameters` and
//!   `NewWithEstimates`.
//!
//! # Pitfalls
//!
//! - k is one more than most libraries take, for it is rounded up twice: a
//!   target of 0.5 gives k = 2.
//! - What the peer calls `Cap` is m, in bits, not keys.

mod scheme;

pub use bouquet_hash::{murmur3::four_words, scheme::BitsAndBlooms as Scheme};
pub use scheme::{approximated_size, estimate_parameters};
