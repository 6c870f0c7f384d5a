//! How sure a judgement is.

/// The chance that a clean run fails: by its tests of locations, all together,
/// and as much by its rates and fills.
pub const FAMILY_ALPHA: f64 = 1e-3;
/// How often a rate may be looked at: after the first stage, and after the second if that
/// left it undecided. Both share the family's alpha and the confidence of a pass.
pub const LOOKS: usize = 2;
/// The confidence of every interval that is shown.
pub const CONFIDENCE: f64 = 0.95;
/// That of the interval which must lie within the band for a pass, so that both looks
/// together pass a rate at its edge as seldom as one look at [`CONFIDENCE`] would.
pub const PASSING: f64 = 1.0 - (1.0 - CONFIDENCE) / LOOKS as f64;
/// How far a measured FPR may lie from theory, as a share of theory.
pub const DELTA: f64 = 0.1;
/// By how much, of itself, an expected FPR may be off as it is computed.
pub const COMPUTED: f64 = 1e-8;
