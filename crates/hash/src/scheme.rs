//! Location schemes: they map a hash to k slots of one array of m slots.
//!
//! Each is a small value (m and k) that implements [`Locate`](bouquet_core::Locate), so that
//! uniformity tests and files can use it without a filter. Our own filters use [`RotateAdd`];
//! the other schemes are here to open other systems' filters and for comparison.
//!
//! Besides its running time, a scheme costs FPR in excess of that of independent probes. The
//! excess is about c/m whatever the target FPR, so it matters in small filters and at low
//! targets:
//!
//! | scheme | from | c |
//! | --- | --- | --- |
//! | [`RotateAdd`] | 128 bits | none measurable |
//! | [`BitsAndBlooms`] | 256 bits | 0.004 to 0.25 |
//! | [`EnhancedDoubleHashing`] | 128 bits | up to 0.06 |
//! | [`DoubleHashing`] | 128 bits | 0.8 to 1.4; at 20 bits per key and m = 1,000 that is 20 times the FPR |

pub mod array;
mod bits_and_blooms;
mod chunks;
mod double;
mod enhanced;
mod rotate_add;
mod rows;

pub use bits_and_blooms::BitsAndBlooms;
pub use chunks::{fill, query};
pub use double::DoubleHashing;
pub use enhanced::EnhancedDoubleHashing;
pub use rotate_add::{Probes, RotateAdd};
pub use rows::{Columns, Rows};

use bouquet_core::{MAX_SIZE_BITS, SpecError, math::MAX_HASHES};

use crate::reduce::Reciprocal;

/// Checks m and k for our own filters.
const fn checked(size_bits: u64, hashes: u32) -> Result<Reciprocal, SpecError> {
    if size_bits > MAX_SIZE_BITS {
        return Err(SpecError::TooLarge {
            size_bits: size_bits as f64,
        });
    }
    if hashes > MAX_HASHES {
        return Err(SpecError::HashesOutOfRange {
            hashes,
            max: MAX_HASHES,
        });
    }
    at_least_one(size_bits, hashes, MAX_HASHES)
}

/// Rejects a size of 0 bits and 0 hashes.
const fn at_least_one(size_bits: u64, hashes: u32, max: u32) -> Result<Reciprocal, SpecError> {
    if hashes == 0 {
        return Err(SpecError::HashesOutOfRange { hashes, max });
    }
    match Reciprocal::new(size_bits) {
        Some(reciprocal) => Ok(reciprocal),
        None => Err(SpecError::ZeroSizeBits),
    }
}
