//! How sure a judgement is.

/// The chance that a clean run fails: by its tests of locations, all together,
/// and as much by its rates and fills.
pub const FAMILY_ALPHA: f64 = 1e-3;
/// The confidence of every interval that is shown.
pub const CONFIDENCE: f64 = 0.95;
/// By how much, of itself, an expected FPR may be off as it is computed.
pub const COMPUTED: f64 = 1e-8;
