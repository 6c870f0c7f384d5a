//! What of a filter is chosen beside its size. Which of these a filter has, its own file
//! says.

/// What all have.
pub const HASHER: &str = "hasher";
/// The names of those that some filters have and others have not.
pub const COUNTER_BITS: &str = "counter_bits";
pub const SHARDS: &str = "shards";
pub const STAGE_GROWTH: &str = "stage_growth";
pub const STAGE_TIGHTENING: &str = "stage_tightening";

/// Where nothing is given a filter is as it is judged otherwise.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Options {
    /// By its name in the list of [`hash`](crate::hash).
    pub hasher: Option<&'static str>,
    /// Bits of a counter.
    pub counter_bits: Option<u32>,
    pub shards: Option<u32>,
    /// How many times the keys of a stage the next one holds.
    pub stage_growth: Option<u32>,
    /// The FPR of a stage over that of the one before.
    pub stage_tightening: Option<f64>,
}

impl Options {
    /// The names of those that are given.
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
