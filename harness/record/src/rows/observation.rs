//! The measurements of one filter at one point of an experiment.

use serde::{Deserialize, Serialize};

use super::{Cells, Row, Run};

crate::named! {
    /// The parameter that an experiment varies from point to point.
    #[derive(PartialOrd, Ord, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Sweep {
        /// The size, of filters that are filled to capacity.
        #[default]
        BitsPerKey = "bits-per-key",
        /// The load, at one size.
        Load = "load",
        /// The target FPR, of filters that are filled to capacity.
        TargetFpr = "target-fpr",
        /// The number of rounds in which keys are removed and others inserted.
        Churn = "churn",
        /// The target FPR, of empty filters.
        Memory = "memory",
    }
}

impl Sweep {
    /// The load (keys / capacity) of the filters at point `x`.
    pub fn load(self, x: f64) -> f64 {
        match self {
            Self::Load => x,
            Self::BitsPerKey | Self::TargetFpr | Self::Churn | Self::Memory => 1.0,
        }
    }
}

/// The measurements of one filter at one point in one replicate. A value that was not measured is 0
/// or empty.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Observation {
    pub experiment: String,
    pub filter: String,
    pub key_set: String,
    pub sweep: Sweep,
    /// The value of the swept parameter: bits per key, keys / capacity, the target FPR, or the
    /// round.
    pub x: f64,
    pub capacity: u64,
    /// The target FPR that was requested; empty if bits per key were requested instead, and in FPR
    /// experiments for a filter whose FPR cannot be chosen.
    pub target_fpr: Option<f64>,
    /// m; for a cuckoo filter its slots times the bits of a slot.
    pub size_bits: u64,
    /// k; 0 where the filter has no such number.
    pub hashes: u32,
    /// The bytes really allocated, including the value itself.
    pub memory_bytes: u64,
    /// The round of the churn experiment; 0 is the initial filling.
    pub step: u32,
    pub replicate: u32,
    pub seed: u64,
    /// The number of keys removed in this step, and of those that the filter reported as not
    /// present. The latter are not looked up again.
    pub removed: u64,
    pub removals_rejected: u64,
    /// The number of keys inserted in this step, and of those that the filter rejected. Rejected
    /// keys are not looked up, since the filter may have stored them or not.
    pub keys: u64,
    pub rejected: u64,
    /// Members looked up, and the false negatives among them.
    pub members: u64,
    pub false_negatives: u64,
    /// Non-members looked up, and the false positives among them. Non-members include keys that
    /// were removed and not inserted again.
    pub non_members: u64,
    pub false_positives: u64,
    /// Results of looking up the same keys in batches: false negatives, false positives, and keys
    /// whose answer differs from that of a single call. Empty if the filter has no batch lookups or
    /// they were not run.
    pub batch_false_negatives: Option<u64>,
    pub batch_false_positives: Option<u64>,
    pub batch_differ: Option<u64>,
    /// The share of slots in use.
    pub fill: Option<f64>,
    /// Mean and standard deviation of the fill by theory; empty where theory
    /// gives none.
    pub expected_fill: Option<f64>,
    pub expected_fill_sd: Option<f64>,
    /// The FPR that follows from the bits that are set.
    pub fpr_given_bits: Option<f64>,
    /// The FPR by theory, averaged over all filters, for the number of keys that should be present;
    /// or at capacity if none were inserted.
    pub expected_fpr: f64,
    /// The standard deviation of the FPR between filters; empty where theory gives none.
    pub expected_fpr_sd: Option<f64>,
    /// Why the target FPR differs from the one that the filter is sized for, if it does.
    pub note: String,
    pub error: String,
}

impl Row for Observation {
    const FILE: &'static str = "observations.csv";

    fn cells<'a>(&'a self, run: &Run) -> Cells<'a> {
        let is_share = |rate: &f64| (0.0..=1.0).contains(rate);
        let given = self.fpr_given_bits.as_ref().unwrap_or(&0.0);
        vec![
            ("filter", &self.filter, run.lists(&self.filter)),
            (
                "expected_fpr",
                &self.expected_fpr,
                is_share(&self.expected_fpr),
            ),
            ("fpr_given_bits", given, is_share(given)),
        ]
    }
}

impl Observation {
    /// The parameters that distinguish this point from others on the same keys, the most variable
    /// first.
    pub fn point(&self) -> (f64, u64, Option<f64>, Sweep, [&str; 2]) {
        let of = self;
        let whose = [&*of.filter, &*of.experiment];
        (of.x, of.capacity, of.target_fpr, of.sweep, whose)
    }

    /// The bits per key really allocated.
    pub fn bits_per_key(&self) -> f64 {
        8.0 * self.memory_bytes as f64 / self.capacity.max(1) as f64
    }
}
