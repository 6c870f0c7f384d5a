//! Sizing, rounded in the same way as parquet-rs.

use bouquet_core::{Spec, SpecError};
use libm::pow;

use crate::log::log;

/// Size in bytes of the largest filter that parquet-rs makes.
const MAX_BYTES: u64 = 128 << 20;

/// The number of blocks that parquet-rs chooses for `capacity` distinct values (its `ndv`) at
/// `target_fpr`: trunc(-8 n / ln(1 - p^(1/8))) bits in whole bytes, limited to the range from 32
/// bytes to 128 MiB, and rounded up to a power of two.
///
/// If more than 128 MiB would be needed, the filter misses the target without any error.
///
/// # Errors
///
/// [`SpecError::FprOutOfRange`].
///
/// ```
/// use bouquet_interop::parquet::blocks_for;
///
/// assert_eq!(blocks_for(1_000, 0.01), Ok(64));
/// ```
pub fn blocks_for(capacity: u64, target_fpr: f64) -> Result<u32, SpecError> {
    Spec::new(capacity.max(1), target_fpr)?;
    let bits = -8.0 * capacity as f64 / log(1.0 - pow(target_fpr, 1.0 / 8.0));
    let bytes = (bits as u64 / 8).clamp(32, MAX_BYTES).next_power_of_two();
    Ok((bytes / 32) as u32)
}
