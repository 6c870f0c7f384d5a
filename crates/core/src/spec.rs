//! What a user requests of a filter.

use crate::{
    KeyHasher, SpecError,
    math::{hash_floor, with_hash_floor},
};

/// The most bits a filter may have: 2^48, that is 32 TiB. Locations are tested
/// for uniformity up to here; more is an error.
pub const MAX_SIZE_BITS: u64 = 1 << 48;

/// What a filter is sized for: `capacity` keys at `target_fpr`.
///
/// A `Spec` says what, each variant's geometry says how; the same `Spec` gives
/// the same m and k on every machine.
///
/// ```
/// use bouquet_core::{Spec, SpecError};
///
/// let spec = Spec::new(1_000_000, 0.01)?;
/// assert_eq!(spec.capacity(), 1_000_000);
/// assert_eq!(Spec::new(0, 0.01), Err(SpecError::ZeroCapacity));
/// assert!(Spec::new(1, 1.0).is_err());
/// # Ok::<(), SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spec {
    capacity: u64,
    target_fpr: f64,
}

impl Spec {
    /// A filter for `capacity` keys (n, at least 1) at `target_fpr` (strictly
    /// between 0 and 1; 0.01 is 1 %).
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroCapacity`], [`SpecError::FprOutOfRange`] (NaN included).
    pub fn new(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        if capacity == 0 {
            return Err(SpecError::ZeroCapacity);
        }
        if !(target_fpr > 0.0 && target_fpr < 1.0) {
            return Err(SpecError::FprOutOfRange { target_fpr });
        }
        Ok(Self {
            capacity,
            target_fpr,
        })
    }

    /// The spec of a filter that was made by its size: `capacity` keys at the
    /// FPR that it reaches with them.
    ///
    /// The target is kept inside (0, 1), where a filter of one bit, or one of
    /// 2^48 for a single key, would round out of it.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn reached(capacity: u64, fpr: f64) -> Result<Self, SpecError> {
        Self::new(capacity, fpr.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON))
    }

    /// [`reached`](Self::reached) by bits alone, to which the non-members are added that share a
    /// whole hash of `H` with a member.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn reached_by_bits<H: KeyHasher>(capacity: u64, fpr: f64) -> Result<Self, SpecError> {
        Self::reached(capacity, with_hash_floor(fpr, capacity, H::HASH_BITS))
    }

    /// Keys the filter is sized for (n).
    pub const fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The highest FPR allowed at capacity.
    pub const fn target_fpr(&self) -> f64 {
        self.target_fpr
    }

    /// What is left of the target for the bits, after the non-members that share a
    /// whole hash of `H` with a member are subtracted: the `Spec` to size
    /// by, so that both together meet this one.
    ///
    /// # Errors
    ///
    /// [`SpecError::BelowHashFloor`] if nothing is left.
    pub fn for_bits<H: KeyHasher>(&self) -> Result<Self, SpecError> {
        let floor = hash_floor(self.capacity, H::HASH_BITS);
        let target_fpr = (self.target_fpr - floor) / (1.0 - floor);
        if target_fpr > 0.0 {
            return Ok(Self {
                target_fpr,
                ..*self
            });
        }
        let target_fpr = self.target_fpr;
        Err(SpecError::BelowHashFloor {
            target_fpr,
            floor,
            hash_bits: H::HASH_BITS,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_stays_a_target() {
        let target = |fpr| Spec::reached(7, fpr).map(|spec| spec.target_fpr());
        assert_eq!(target(0.01), Ok(0.01));
        assert!(target(0.0).is_ok_and(|fpr| fpr > 0.0));
        assert!(target(1.0).is_ok_and(|fpr| fpr < 1.0));
        assert!(target(f64::NAN).is_err());
        assert_eq!(Spec::reached(0, 0.5), Err(SpecError::ZeroCapacity));
    }
}
