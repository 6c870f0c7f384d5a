//! The records of the scoreboard.

use serde::{Deserialize, Serialize};

crate::named! {
    /// What the bytes of a filter's seed look like.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SeedForm {
        /// Drawn from the run's seed, without visible structure.
        #[default]
        Drawn = "drawn",
        Zeros = "zeros",
        /// All bits set.
        Ones = "ones",
        /// Drawn, and its second half is its first again.
        EqualHalves = "equal-halves",
    }
}

impl SeedForm {
    /// A seed of this form, in place of one that was drawn.
    pub fn of<const BYTES: usize>(self, drawn: [u8; BYTES]) -> [u8; BYTES] {
        match self {
            Self::Drawn => drawn,
            Self::Zeros => [0; BYTES],
            Self::Ones => [0xff; BYTES],
            Self::EqualHalves => std::array::from_fn(|at| drawn[at % BYTES.div_ceil(2)]),
        }
    }
}

/// One phase of one filter, in one replicate.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PeerRow {
    pub experiment: String,
    pub filter: String,
    /// Crate and version.
    pub release: String,
    /// `seeded` (the user may set a seed), `fixed` (the same in every filter)
    /// or `random` (a new one for every filter).
    pub hashing: String,
    /// Built from all keys at once.
    pub is_static: bool,
    /// `false`: the target was asked for all the same, the filter has but one.
    pub chooses_fpr: bool,
    pub dataset: String,
    /// `load` (filled with `load` times its capacity, then asked), `union` (two
    /// filters of different seeds, half the keys each), `reload` (full, written
    /// down and read back), `size` (full, only what it holds is counted),
    /// `capacity` (full at another capacity, then asked) or `seed` (full, with a
    /// seed of `seed_form`, then asked).
    pub phase: String,
    pub load: f64,
    pub capacity: u64,
    pub target_fpr: f64,
    pub replicate: u32,
    pub seed: u64,
    /// Missing in records from before others were asked for.
    #[serde(default)]
    pub seed_form: SeedForm,
    /// Keys that were given to it, and how many it rejected.
    pub keys: u64,
    pub rejected: u64,
    /// Keys looked up that it had accepted, and the false negatives among them. After
    /// `reload`: keys that were present before, and those that no longer are.
    pub members_asked: u64,
    pub false_negatives: u64,
    /// Non-members looked up, and the false positives among them.
    pub non_members_asked: u64,
    pub false_positives: u64,
    /// On the heap, the value itself included, as the allocator counted.
    pub allocated_bytes: Option<u64>,
    /// What it was written as.
    pub serialized_bytes: Option<u64>,
    /// `done`, `not offered` by the crate, or `rejected: ` and why.
    pub outcome: String,
    pub error: String,
}

crate::named! {
    /// The figure by which a known fault is seen.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum FaultFigure {
        Fpr = "fpr",
        /// As a share of the members asked for.
        FalseNegatives = "false-negatives",
        /// Allocated.
        BitsPerKey = "bits-per-key",
    }
}

/// A known fault of a crate of others, which the run must find: one that does not
/// would find no unknown fault of the kind either, and is invalid.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PeerFaultRow {
    pub filter: String,
    /// Crate and version that it was seen in.
    pub release: String,
    /// Under what it shows, as in [`PeerRow`]; a load is 1.
    pub phase: String,
    pub capacity: u64,
    pub seed_form: SeedForm,
    pub target_fpr: f64,
    pub figure: FaultFigure,
    /// What the figure must come to.
    pub at_least: f64,
    pub fault: String,
    /// How it is known.
    pub source: String,
}

impl PeerFaultRow {
    /// Whether the row was measured under what the fault shows under.
    pub fn shows_in(&self, row: &PeerRow) -> bool {
        let made_for = |capacity: u64, fpr: f64| (capacity, fpr.to_bits());
        self.filter == row.filter
            && self.phase == row.phase
            && row.load == 1.0
            && self.seed_form == row.seed_form
            && made_for(self.capacity, self.target_fpr) == made_for(row.capacity, row.target_fpr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_have_their_form() {
        let drawn = [1, 2, 3, 4, 5, 6, 7, 8];
        assert_eq!(SeedForm::Drawn.of(drawn), drawn);
        assert_eq!(SeedForm::Zeros.of(drawn), [0; 8]);
        assert_eq!(SeedForm::Ones.of(drawn), [255; 8]);
        assert_eq!(SeedForm::EqualHalves.of(drawn), [1, 2, 3, 4, 1, 2, 3, 4]);
        assert_eq!(SeedForm::EqualHalves.of([7]), [7]);
    }
}
