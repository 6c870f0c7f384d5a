//! Sizing, rounded as a peer rounds.

use bouquet_core::{Spec, SpecError};
use libm::pow;

use crate::log::log;

/// Bytes in the largest filter that parquet-rs makes.
const MAX_BYTES: u64 = 128 << 20;

/// The number of blocks that parquet-rs makes for `capacity` different values
/// (its `ndv`) at `target_fpr`: trunc(-8 n / ln(1 - p^(1/8))) bits in whole
/// bytes, within 32 bytes and 128 MiB, then up to a power of two.
///
/// Past 128 MiB the target is silently missed.
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
