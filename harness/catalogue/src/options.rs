//! The options of a filter besides its size. The file of a filter says which of them it has.

/// The option that all filters have.
pub const HASHER: &str = "hasher";
/// The options that only some filters have.
pub const COUNTER_BITS: &str = "counter_bits";
pub const SHARDS: &str = "shards";
pub const STAGE_GROWTH: &str = "stage_growth";
pub const STAGE_TIGHTENING: &str = "stage_tightening";

/// The options that are set. A filter without options is made as it is evaluated by default.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Options {
    /// The name of the hasher in the list of [`hash`](crate::hash).
    pub hasher: Option<&'static str>,
    /// Bits per counter.
    pub counter_bits: Option<u32>,
    pub shards: Option<u32>,
    /// The capacity of a stage as a multiple of that of the stage before.
    pub stage_growth: Option<u32>,
    /// The FPR of a stage divided by that of the stage before.
    pub stage_tightening: Option<f64>,
}

impl Options {
    /// The names of the options that are set.
    pub fn given(&self) -> impl Iterator<Item = &'static str> + use<> {
        let all = [
            (HASHER, self.hasher.is_some()),
            (COUNTER_BITS, self.counter_bits.is_some()),
            (SHARDS, self.shards.is_some()),
            (STAGE_GROWTH, self.stage_growth.is_some()),
            (STAGE_TIGHTENING, self.stage_tightening.is_some()),
        ];
        let given = all.into_iter().filter(|(_, is_given)| *is_given);
        given.map(|(name, _)| name)
    }
}
