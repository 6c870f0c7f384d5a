//! Sizing and the estimate of the number of keys, rounded in the same way as the peer.

use core::f64::consts::LN_2;

use bouquet_core::{Spec, SpecError, math::Parameters};

use crate::{
    log::log,
    scheme::{round_half_up, textbook_bits},
};

/// The maximum number of bits of a filter: 2^32 - 2.
pub const MAX_SIZE_BITS: u64 = 4_294_967_294;

/// The m and k that `tryInit(capacity, target_fpr)` chooses: m = trunc(-n ln p / ln(2)^2) and
/// k = round(ln(2) m / n) with halves rounded up, and at least 1.
///
/// # Errors
///
/// [`SpecError`]: `capacity` is 0, `target_fpr` is not strictly between 0 and 1, or m is 0 or above
/// [`MAX_SIZE_BITS`]. The peer rejects these as well.
///
/// ```
/// use bouquet_interop::redisson::optimal;
///
/// let parameters = optimal(100, 0.01)?;
/// assert_eq!((parameters.size_bits, parameters.hashes), (958, 7));
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
pub fn optimal(capacity: u64, target_fpr: f64) -> Result<Parameters, SpecError> {
    Spec::new(capacity, target_fpr)?;
    let size_bits = textbook_bits(capacity, target_fpr)? as u64;
    if size_bits == 0 {
        return Err(SpecError::ZeroSizeBits);
    }
    if size_bits > MAX_SIZE_BITS {
        return Err(SpecError::AboveLimit {
            size_bits: size_bits as f64,
            max: MAX_SIZE_BITS,
            of: "a filter of Redisson",
        });
    }
    let hashes = round_half_up(size_bits as f64 / capacity as f64 * LN_2);
    Ok(Parameters {
        size_bits,
        hashes: (hashes as u32).max(1),
    })
}

/// The number of keys that the peer's `count` estimates from the number of set bits, `ones`:
/// round(-m/k ln(1 - ones/m)). `None` if every bit is set, or if m or k is 0.
pub fn count(size_bits: u64, hashes: u32, ones: u64) -> Option<u64> {
    let m = size_bits as f64;
    let keys = -m / f64::from(hashes) * log(1.0 - ones as f64 / m);
    keys.is_finite().then(|| round_half_up(keys) as u64)
}
