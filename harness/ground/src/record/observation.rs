//! A filter at a point.

use serde::{Deserialize, Serialize};

crate::named! {
    /// What differs from one point of an experiment to the next.
    #[derive(PartialOrd, Ord, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Sweep {
        /// The size of filters that are full.
        #[default]
        BitsPerKey = "bits-per-key",
        /// How full they are, at one size.
        Load = "load",
        /// The rate that full ones are sized for.
        TargetFpr = "target-fpr",
        /// How often keys were removed and others inserted.
        Churn = "churn",
        /// The rate that they are sized for; nothing is inserted.
        Memory = "memory",
    }
}

impl Sweep {
    /// How full filters are there: keys / capacity.
    pub fn load(self, x: f64) -> f64 {
        match self {
            Self::Load => x,
            Self::BitsPerKey | Self::TargetFpr | Self::Churn | Self::Memory => 1.0,
        }
    }
}

/// One filter, filled and asked, at one point in one replicate. What was not measured is 0 or
/// empty.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Observation {
    pub experiment: String,
    pub filter: String,
    pub key_set: String,
    pub sweep: Sweep,
    /// Where on the sweep: bits per key, keys / capacity, the target FPR, or the round.
    pub x: f64,
    pub capacity: u64,
    /// What was asked for; empty where bits per key were, and where rates are measured of a
    /// filter that leaves no choice.
    pub target_fpr: Option<f64>,
    /// m; for a cuckoo filter its slots times the bits of a slot.
    pub size_bits: u64,
    /// k; 0 where the filter has no such number.
    pub hashes: u32,
    /// Really allocated, the value itself included.
    pub memory_bytes: u64,
    /// The round of a churn; 0 is the first filling.
    pub step: u32,
    pub replicate: u32,
    pub seed: u64,
    /// Keys that were removed in this step, and how many of them the filter said it did not hold:
    /// these are not asked for again.
    pub removed: u64,
    pub removals_rejected: u64,
    /// Keys that were given to it in this step, and how many it rejected: these are not asked for,
    /// for it may have kept them or not.
    pub keys: u64,
    pub rejected: u64,
    /// Members looked up, and the false negatives among them.
    pub members: u64,
    pub false_negatives: u64,
    /// Non-members looked up, and the false positives among them; keys that were removed and not
    /// inserted again are among them.
    pub non_members: u64,
    pub false_positives: u64,
    /// The same keys looked up in batches: false negatives, false positives, and keys of either
    /// kind that are answered otherwise than by single calls. Empty where the filter has no
    /// batches or they were not asked.
    pub batch_false_negatives: Option<u64>,
    pub batch_false_positives: Option<u64>,
    pub batch_differ: Option<u64>,
    /// Share of slots in use.
    pub fill: Option<f64>,
    /// Mean and standard deviation of the fill by theory; empty where theory
    /// gives none.
    pub expected_fill: Option<f64>,
    pub expected_fill_sd: Option<f64>,
    /// The FPR that these bits give.
    pub fpr_given_bits: Option<f64>,
    /// The FPR that theory gives for the keys that it should hold, or at capacity where none were
    /// inserted, over all filters.
    pub expected_fpr: f64,
    /// Its standard deviation from one filter to the next; empty where theory
    /// gives none.
    pub expected_fpr_sd: Option<f64>,
    /// Why the target is not what it is sized for, where it is not.
    pub note: String,
    pub error: String,
}

impl Observation {
    /// What tells its point from others on the same keys; first what differs most.
    pub fn point(&self) -> (f64, u64, Option<f64>, Sweep, [&str; 2]) {
        let of = self;
        let whose = [&*of.filter, &*of.experiment];
        (of.x, of.capacity, of.target_fpr, of.sweep, whose)
    }

    /// Bits per key really allocated.
    pub fn bits_per_key(&self) -> f64 {
        8.0 * self.memory_bytes as f64 / self.capacity.max(1) as f64
    }
}
