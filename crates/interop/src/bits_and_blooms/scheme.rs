//! Sizing and the estimate of the number of keys, rounded in the same way as the peer.

use core::f64::consts::LN_2;

use bouquet_core::{Spec, SpecError, math::Parameters};
use libm::{ceil, floor};

use crate::{log::log, scheme::textbook_bits};

/// The m and k that `EstimateParameters(n, p)` and `NewWithEstimates` choose: m = ceil(-n ln p /
/// ln(2)^2) and k = ceil(ln(2) m / n), where m is already rounded.
///
/// The FPR at `capacity` is above the target: by at most 1 % in filters of a few thousand keys, and
/// by more in smaller ones.
///
/// # Errors
///
/// [`SpecError`]: `capacity` is 0, for which the peer's k is undefined, `target_fpr` is not
/// strictly between 0 and 1, or m is above 2^63.
///
/// ```
/// use bouquet_interop::bits_and_blooms::estimate_parameters;
///
/// let parameters = estimate_parameters(1_000, 0.001)?;
/// assert_eq!((parameters.size_bits, parameters.hashes), (14_378, 10));
/// # Ok::<(), bouquet_interop::SpecError>(())
/// ```
pub fn estimate_parameters(capacity: u64, target_fpr: f64) -> Result<Parameters, SpecError> {
    Spec::new(capacity, target_fpr)?;
    let size_bits = ceil(textbook_bits(capacity, target_fpr)?);
    Ok(Parameters {
        size_bits: size_bits as u64,
        hashes: ceil(LN_2 * size_bits / capacity as f64) as u32,
    })
}

/// The number of keys that the peer's `ApproximatedSize` estimates from the number of set bits,
/// `ones`: floor(1/2 - m/k ln(1 - ones/m)), where m is `size_bits` and k is `hashes`.
///
/// `None` if every bit is set, or if m or k is 0. (With every bit set the peer converts an infinity
/// to an integer: the result is 0 on amd64 and differs elsewhere.)
pub fn approximated_size(size_bits: u64, hashes: u32, ones: u64) -> Option<u32> {
    let m = size_bits as f64;
    let keys = -m / f64::from(hashes) * log(1.0 - ones as f64 / m);
    // The cast saturates where the result of the peer is undefined.
    keys.is_finite().then(|| floor(keys + 0.5) as u32)
}
