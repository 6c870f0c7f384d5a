//! The request from which a filter is sized.

use crate::{
    KeyHasher, SpecError,
    math::{hash_floor, with_hash_floor},
};

/// The largest number of bits of a filter: 2^48, that is 32 TiB. Locations are tested for
/// uniformity up to this size; a larger size is an error.
pub const MAX_SIZE_BITS: u64 = 1 << 48;

/// What a filter is sized for: `capacity` keys at `target_fpr`.
///
/// A `Spec` states the requirement; each variant's geometry determines m and k from it. The
/// same `Spec` gives the same m and k on every machine.
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
    /// Requests a filter for `capacity` keys (n, at least 1) at `target_fpr` (strictly between
    /// 0 and 1; 0.01 is 1 %).
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroCapacity`] and [`SpecError::FprOutOfRange`] (also for NaN).
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

    /// The spec of a filter that was created with a given size: `capacity` keys at the FPR that
    /// the filter reaches with them.
    ///
    /// The target is clamped to the inside of (0, 1): the FPR of a filter of one bit, or of one
    /// with 2^48 bits for a single key, rounds to 1 or 0.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
    pub fn reached(capacity: u64, fpr: f64) -> Result<Self, SpecError> {
        Self::new(capacity, fpr.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON))
    }

    /// Like [`reached`](Self::reached), for an `fpr` that is due to the bits alone: the
    /// hash-collision floor is added, the share of non-members whose whole hash by `H` equals
    /// that of a member.
    ///
    /// # Errors
    ///
    /// Those of [`new`](Self::new).
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

    /// The part of the target FPR that remains for the bits after the hash-collision floor is
    /// subtracted, which is the share of non-members whose whole hash by `H` equals that of a
    /// member. A filter sized for the returned `Spec` meets `self` with both together.
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
