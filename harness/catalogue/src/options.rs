//! The options of a filter besides its size. `Facts::options` lists those that a filter supports.

/// The name of the option that all filters have.
pub const HASHER: &str = "hasher";
/// The names of the options that only some filters have.
pub const COUNTER_BITS: &str = "counter_bits";
pub const SHARDS: &str = "shards";
pub const STAGE_GROWTH: &str = "stage_growth";
pub const STAGE_TIGHTENING: &str = "stage_tightening";

/// The options of a filter; `None` stands for the default value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Options {
    /// The name of the hasher, one of [`hash::names`](crate::hash::names).
    pub hasher: Option<&'static str>,
    pub counter_bits: Option<u32>,
    pub shards: Option<u32>,
    /// In a scalable filter: a stage's capacity divided by the capacity of the previous stage.
    pub stage_growth: Option<u32>,
    /// In a scalable filter: a stage's FPR divided by the FPR of the previous stage.
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
