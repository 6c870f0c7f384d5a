//! Sizing, rounded in the same way as Guava.

use core::f64::consts::LN_2;

use bouquet_core::{SpecError, math::Parameters};

use libm::log1p;

use crate::{
    log::log,
    scheme::{round_half_up, textbook_bits},
};

/// The releases of Guava whose sizing is implemented here. They differ only in k, in about one of
/// fifty filters, all of them small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Release {
    /// Release 31.1, which computes k from m and n.
    V31,
    /// Release 33.4.6, which computes k from p alone.
    V33,
}

impl Release {
    /// The m and k of `optimalNumOfBits` and `optimalNumOfHashFunctions`. A `capacity` of 0 is
    /// replaced by 1. m = trunc(-n ln p / ln(2)^2), not yet rounded up to whole longs, and
    /// k = round(ln(2) m / n) (31.1) or round(-ln p / ln 2) (33.4.6), with halves rounded up, and
    /// at least 1.
    ///
    /// m can be 0.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: `target_fpr` is not strictly between 0 and 1, or m is above 2^63.
    ///
    /// ```
    /// use bouquet_interop::guava::Release;
    ///
    /// let hashes = |release: Release| release.optimal(1, 0.25).map(|found| found.hashes);
    /// assert_eq!(hashes(Release::V31), Ok(1));
    /// assert_eq!(hashes(Release::V33), Ok(2));
    /// ```
    pub fn optimal(self, capacity: u64, target_fpr: f64) -> Result<Parameters, SpecError> {
        let capacity = capacity.max(1);
        let size_bits = textbook_bits(capacity, target_fpr)? as u64;
        let hashes = match self {
            Self::V31 => size_bits as f64 / capacity as f64 * LN_2,
            Self::V33 => -log(target_fpr) / LN_2,
        };
        Ok(Parameters {
            size_bits,
            hashes: (round_half_up(hashes) as u32).max(1),
        })
    }
}

/// -log1p(-ones/m) m/k, rounded to the nearest integer with halves up; `None` if the result is
/// infinite.
pub(super) fn approximate_element_count(size_bits: u64, hashes: u32, ones: u64) -> Option<u64> {
    let m = size_bits as f64;
    let keys = -log1p(-(ones as f64) / m) * m / f64::from(hashes);
    keys.is_finite().then(|| round_half_up(keys) as u64)
}
