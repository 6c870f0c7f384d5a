//! The policy: how a filter starts, grows and stops growing.

use bouquet_core::{Spec, SpecError};

use crate::{PolicyError, math::first_fpr};

/// The highest [tightening](Policy::tightening). Nearer to 1, the first stage's share of the
/// target would become very small, in favour of stages that no filter ever reaches.
pub const MAX_TIGHTENING: f64 = 0.99;

/// The highest FPR that a stage is sized for, however high the target is.
///
/// A stage counts the keys that set at least one of its bits, so it cannot count more keys than
/// it has bits. From an FPR of 1 - 1/e on, a stage has fewer bits than keys: it would answer
/// "may contain" for all keys before it has counted its capacity, and would never be full. At
/// an FPR of 0.5 it has 1.44 bits per key.
pub const MAX_STAGE_FPR: f64 = 0.5;

/// The highest ratio of a stage's capacity to that of the previous stage.
///
/// A filter that is read from a file grows as its file states, so this limits the effect of a
/// forged file when the first key is inserted: see [`MAX_KEYS_PER_BIT`].
pub const MAX_GROWTH: u32 = 1 << 10;

/// The largest number of keys per bit of its filter that a stage may be sized for; the bits are
/// counted in whole cache lines of 512.
///
/// A stage that claims more is wrong, or forged to make the next one huge: with this many keys,
/// a filter of one probe has one clear bit in nine million. Together with [`MAX_GROWTH`], the
/// next stage is for at most 2^14 keys per existing bit.
pub const MAX_KEYS_PER_BIT: u64 = 16;

/// How a [`ScalableBloom`](crate::ScalableBloom) starts, how it grows and where it stops
/// growing.
///
/// The first stage has the capacity of a [`Spec`]. Every further stage has
/// [`growth`](Self::growth) times the capacity of the previous one, at
/// [`tightening`](Self::tightening) times its FPR. The target FPR is that of all stages
/// together.
///
/// ```
/// use bouquet_scalable::{Folded, Policy, ScalableBloom, Spec};
///
/// // Stages for 1,000, 4,000, 16,000 keys, and an error instead of a fourth.
/// let policy = Policy::new(Spec::new(1_000, 0.01)?).growth(4)?.max_stages(3)?;
/// let filter: ScalableBloom = ScalableBloom::with_policy(policy, Folded::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Policy {
    pub(crate) spec: Spec,
    pub(crate) growth: u32,
    pub(crate) tightening: f64,
    pub(crate) max_stages: Option<u32>,
    pub(crate) max_bytes: Option<u64>,
}

impl Policy {
    /// A policy whose first stage has the capacity of `spec`, with the target FPR of `spec` for
    /// all stages together; growth 2, tightening 0.8, no limits.
    pub const fn new(spec: Spec) -> Self {
        Self {
            spec,
            growth: 2,
            tightening: 0.8,
            max_stages: None,
            max_bytes: None,
        }
    }

    /// Sets the ratio of a stage's capacity to that of the previous stage: 1 to [`MAX_GROWTH`].
    ///
    /// # Errors
    ///
    /// [`PolicyError::GrowthOutOfRange`].
    pub const fn growth(mut self, growth: u32) -> Result<Self, PolicyError> {
        if growth == 0 || growth > MAX_GROWTH {
            return Err(PolicyError::GrowthOutOfRange { growth });
        }
        self.growth = growth;
        Ok(self)
    }

    /// Sets the ratio (r) of a stage's FPR to that of the previous stage, above 0 and at most
    /// [`MAX_TIGHTENING`].
    ///
    /// The first stage gets (1 - r) of the target. So a low r makes the first stages small in
    /// memory and the late ones large: 0.5 is best if the first capacity usually suffices, 0.8
    /// to 0.9 (the paper's choice) if many stages follow.
    ///
    /// # Errors
    ///
    /// [`PolicyError::TighteningOutOfRange`].
    pub fn tightening(mut self, tightening: f64) -> Result<Self, PolicyError> {
        if !(tightening > 0.0 && tightening <= MAX_TIGHTENING) {
            return Err(PolicyError::TighteningOutOfRange { tightening });
        }
        self.tightening = tightening;
        Ok(self)
    }

    /// Sets the largest number of stages, at least 1. With 1 the filter does not grow, and its
    /// only stage gets the whole target FPR, up to [`MAX_STAGE_FPR`].
    ///
    /// # Errors
    ///
    /// [`PolicyError::ZeroStages`].
    pub const fn max_stages(mut self, stages: u32) -> Result<Self, PolicyError> {
        if stages == 0 {
            return Err(PolicyError::ZeroStages);
        }
        self.max_stages = Some(stages);
        Ok(self)
    }

    /// Sets the largest number of bytes that the bits of all stages may take. If the first
    /// stage takes more, no filter can be created.
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// The capacity of the first stage.
    pub const fn first_capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// The highest FPR allowed for all stages together.
    pub const fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// The largest number of stages, if it is limited.
    pub const fn stage_cap(&self) -> Option<u32> {
        self.max_stages
    }

    /// The largest number of bytes of all stages' bits, if it is limited.
    pub const fn byte_cap(&self) -> Option<u64> {
        self.max_bytes
    }

    /// The spec of the first stage: its FPR is its share of the target, or [`MAX_STAGE_FPR`] if
    /// that is lower.
    ///
    /// # Errors
    ///
    /// [`SpecError::FprOutOfRange`] if its share of the target is too small for a
    /// floating-point number.
    pub fn first_stage(&self) -> Result<Spec, SpecError> {
        let target_fpr = match self.max_stages {
            Some(1) => self.target_fpr(),
            _ => first_fpr(self.target_fpr(), self.tightening),
        };
        Spec::new(self.first_capacity(), target_fpr.min(MAX_STAGE_FPR))
    }

    /// The spec of the stage that follows a stage with the spec `last`; its FPR is at most
    /// [`MAX_STAGE_FPR`] too.
    ///
    /// # Errors
    ///
    /// [`SpecError::TooLarge`] if its capacity would exceed `u64`, [`SpecError::FprOutOfRange`]
    /// if its FPR is too small for a floating-point number.
    pub fn next_stage(&self, last: &Spec) -> Result<Spec, SpecError> {
        let capacity = last.capacity().checked_mul(self.growth.into());
        let Some(capacity) = capacity else {
            // An estimate from below: a key needs more than one bit.
            let size_bits = last.capacity() as f64 * f64::from(self.growth);
            return Err(SpecError::TooLarge { size_bits });
        };
        let target_fpr = last.target_fpr() * self.tightening;
        Spec::new(capacity, target_fpr.min(MAX_STAGE_FPR))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(capacity: u64, fpr: f64) -> Policy {
        Policy::new(Spec::new(capacity, fpr).unwrap())
    }

    #[test]
    fn stages_grow_and_tighten() {
        let policy = policy(100, 0.01).growth(3).unwrap();
        let first = policy.first_stage().unwrap();
        let second = policy.next_stage(&first).unwrap();
        let third = policy.next_stage(&second).unwrap();
        assert_eq!(
            [first, second, third].map(|s| s.capacity()),
            [100, 300, 900]
        );
        for (stage, want) in [(first, 0.002), (second, 0.0016), (third, 0.00128)] {
            assert!((stage.target_fpr() / want - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_single_stage_gets_the_whole_target() {
        let policy = policy(100, 0.01).max_stages(1).unwrap();
        assert_eq!(policy.first_stage(), Spec::new(100, 0.01));
    }

    #[test]
    fn no_stage_is_sized_for_more_than_a_half() {
        let lone = policy(100, 0.999).max_stages(1).unwrap();
        assert_eq!(lone.first_stage(), Spec::new(100, MAX_STAGE_FPR));
        let loose = policy(100, 0.9).tightening(0.05).unwrap();
        assert_eq!(loose.first_stage(), Spec::new(100, MAX_STAGE_FPR));
        // The previous stage was not created by this policy.
        let last = Spec::new(100, 0.999).unwrap();
        let next = policy(100, 0.9).next_stage(&last);
        assert_eq!(next, Spec::new(200, MAX_STAGE_FPR));
    }

    #[test]
    fn wrong_values_are_rejected() {
        let policy = policy(1, 0.5);
        for growth in [0, MAX_GROWTH + 1, u32::MAX] {
            let error = PolicyError::GrowthOutOfRange { growth };
            assert_eq!(policy.growth(growth), Err(error));
        }
        assert!(policy.growth(MAX_GROWTH).is_ok());
        assert_eq!(policy.max_stages(0), Err(PolicyError::ZeroStages));
        for tightening in [0.0, -0.5, 0.991, 1.0, f64::NAN, f64::INFINITY] {
            assert!(policy.tightening(tightening).is_err(), "{tightening}");
        }
        assert!(policy.tightening(MAX_TIGHTENING).is_ok());
    }

    #[test]
    fn the_end_of_numbers_is_an_error() {
        let huge = Spec::new(u64::MAX, 0.5).unwrap();
        let tiny = Spec::new(1, f64::from_bits(1)).unwrap();
        let policy = policy(1, f64::from_bits(1)).tightening(0.5).unwrap();
        assert!(matches!(
            policy.next_stage(&huge),
            Err(SpecError::TooLarge { .. })
        ));
        for error in [policy.first_stage(), policy.next_stage(&tiny)] {
            assert!(matches!(error, Err(SpecError::FprOutOfRange { .. })));
        }
    }
}
