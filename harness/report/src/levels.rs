//! Significance and confidence levels.

/// The probability that a correct run fails by its tests of locations, all together; and the same
/// again by its rates and fill ratios.
pub const FAMILY_ALPHA: f64 = 1e-3;
/// The confidence level of every interval shown.
pub const CONFIDENCE: f64 = 0.95;
/// The relative error that the computation of an expected FPR may have.
pub const COMPUTED: f64 = 1e-8;
