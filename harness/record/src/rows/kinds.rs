//! The kinds of rows in the records: measurements of a filter, statistics, and times.

use serde::{Deserialize, Serialize};

use super::{Cells, Row, Run};

crate::named! {
    /// The parameter that varies between the measurements of an experiment.
    #[derive(PartialOrd, Ord, Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Sweep {
        /// Filters of different sizes, each filled to capacity.
        #[default]
        BitsPerKey = "bits-per-key",
        /// Filters of one size at different loads (keys / capacity).
        Load = "load",
        /// Filters with different target FPRs, each filled to capacity.
        TargetFpr = "target-fpr",
        /// One filter, measured after each round of removing some keys and inserting others.
        Churn = "churn",
        /// The memory of filters of different capacities and target FPRs.
        Memory = "memory",
    }
}

impl Sweep {
    /// The load (keys / capacity) of the filters if the swept parameter has the value `x`.
    pub fn load(self, x: f64) -> f64 {
        match self {
            Self::Load => x,
            Self::BitsPerKey | Self::TargetFpr | Self::Churn | Self::Memory => 1.0,
        }
    }
}

/// The measurements of one filter at one value of the swept parameter, in one replicate. A value
/// that was not measured is 0 or empty.
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
    /// The target FPR that was requested. Empty if bits per key were requested instead. In FPR
    /// experiments also empty if the FPR of the filter cannot be chosen.
    pub target_fpr: Option<f64>,
    /// m; for a cuckoo filter, the number of slots times the bits per slot.
    pub size_bits: u64,
    /// k; 0 if the filter has no number of hashes.
    pub hashes: u32,
    /// The memory in use, in bytes: what the filter allocated, and the filter value itself.
    pub memory_bytes: u64,
    /// The round of the churn experiment; 0 is the initial filling.
    pub step: u32,
    pub replicate: u32,
    pub seed: u64,
    /// The number of keys to remove in this step, and how many of these removals the filter
    /// rejected. The keys of rejected removals are not looked up again.
    pub removed: u64,
    pub removals_rejected: u64,
    /// The number of keys inserted in this step, and how many of them the filter rejected. Rejected
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
    /// The fraction of slots in use.
    pub fill: Option<f64>,
    /// Mean and standard deviation of the fill by theory; empty if no theory is known.
    pub expected_fill: Option<f64>,
    pub expected_fill_sd: Option<f64>,
    /// The FPR computed from the number of bits that are set.
    pub fpr_given_bits: Option<f64>,
    /// The FPR by theory, as the mean over all possible filters. It is for the number of keys that
    /// should be present; for the capacity if no key was inserted.
    pub expected_fpr: f64,
    /// The standard deviation of the FPR between filters; empty if no theory is known.
    pub expected_fpr_sd: Option<f64>,
    /// Why the filter is sized for another FPR than the target; empty if it is not.
    pub note: String,
    pub error: String,
}

impl Row for Observation {
    const FILE: &'static str = "observations.csv";

    fn cells(&self, run: &Run) -> Cells {
        let is_share = |rate: f64| (0.0..=1.0).contains(&rate);
        let is_none_or_share = |rate: Option<f64>| rate.is_none_or(is_share);
        vec![
            ("filter", run.lists(&self.filter)),
            ("x", self.x.is_finite()),
            ("target_fpr", is_none_or_share(self.target_fpr)),
            ("false_negatives", self.false_negatives <= self.members),
            ("false_positives", self.false_positives <= self.non_members),
            ("expected_fpr", is_share(self.expected_fpr)),
            ("fpr_given_bits", is_none_or_share(self.fpr_given_bits)),
        ]
    }
}

impl Observation {
    /// The parameters that distinguish this measurement from others with the same keys; first the
    /// parameter that varies most.
    pub fn point(&self) -> (f64, u64, Option<f64>, Sweep, [&str; 2]) {
        let of = self;
        let whose = [&*of.filter, &*of.experiment];
        (of.x, of.capacity, of.target_fpr, of.sweep, whose)
    }

    /// The allocated memory in bits per key.
    pub fn bits_per_key(&self) -> f64 {
        8.0 * self.memory_bytes as f64 / self.capacity.max(1) as f64
    }
}

/// The value of [`TestRow::test`] in rows that describe one range of a histogram each.
pub const HISTOGRAM: &str = "histogram";

/// One statistic of one subject on one key set, with one m and one number of keys.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TestRow {
    /// The FPR experiment in which the filter has this m and k; empty in the uniformity battery.
    pub experiment: String,
    /// The scheme or filter.
    pub subject: String,
    pub key_set: String,
    /// The capacity of the filter in an FPR experiment; otherwise empty.
    pub capacity: Option<u64>,
    /// m, the number of slots: the requested number, rounded as the layout requires.
    pub slots: u64,
    /// k, the number of probes per key.
    pub probes: u32,
    /// The number of keys that were mapped to k slots each.
    pub keys: u64,
    /// Counted from 0: each replicate has another seed and, for a generated set, other keys.
    pub replicate: u32,
    pub seed: u64,
    /// `flagged`, `passes`, `undetectable`, `impossible` if the layout does not support the size,
    /// or `unclaimed` if nothing is expected because there are too few keys.
    pub expected_outcome: String,
    /// The tests that must flag the subject, separated by blanks; empty if any test will do.
    pub expected_tests: String,
    /// `T0`, `T1`, `T3`, `T7` or `histogram`; empty if no test was run.
    pub test: String,
    /// The part of the layout, the probe, the pair of probes or the range of slots that was tested.
    pub item: String,
    pub statistic: f64,
    /// The distribution that the statistic is compared with: `chi-square`, `poisson`, `binomial`,
    /// `skewed` (a gamma distribution with three matching cumulants) or `normal`.
    pub law: String,
    pub degrees_of_freedom: Option<u64>,
    pub trials: Option<u64>,
    pub mean: Option<f64>,
    pub variance: Option<f64>,
    pub third_cumulant: Option<f64>,
    /// `both`, or `upper` if only large values indicate a fault.
    pub sides: String,
    pub error: String,
}

impl Row for TestRow {
    const FILE: &'static str = "tests.csv";

    fn cells(&self, run: &Run) -> Cells {
        const TESTS: [&str; 6] = ["", "T0", "T1", "T3", "T7", HISTOGRAM];
        const LAWS: [&str; 6] = ["", "chi-square", "poisson", "binomial", "skewed", "normal"];
        let mut expected = self.expected_tests.split_whitespace();
        vec![
            ("subject", run.lists(&self.subject)),
            ("test", TESTS.contains(&&*self.test)),
            ("law", LAWS.contains(&&*self.law)),
            ("sides", ["", "both", "upper"].contains(&&*self.sides)),
            ("expected_tests", expected.all(|one| TESTS.contains(&one))),
        ]
    }
}

impl TestRow {
    /// A row without a statistic; `error` says why.
    pub fn failed(error: String) -> Self {
        Self {
            error,
            ..Self::default()
        }
    }

    /// Whether both rows have the same subject and parameters. In a file, such rows are
    /// consecutive.
    pub fn is_beside(&self, other: &Self) -> bool {
        let of = |row: &Self| (row.seed, row.probes, row.keys, row.replicate);
        of(self) == of(other) && self.subject == other.subject && self.key_set == other.key_set
    }
}

/// The operation that reads random cache lines from an array. Its time is a lower bound for every
/// filter that reads one line per key.
pub const READ: &str = "read";
/// The suffix of operations that `bouquet gate` measures again to confirm a failure.
pub const AGAIN: &str = " again";

/// Whether keys are passed to a filter one by one or in batches.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    #[default]
    Single,
    /// In batches. For [`READ`]: each cache line is prefetched some time before it is read.
    Batch,
}

/// The clock that measured a time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The CPU time of a single thread.
    #[default]
    Thread,
    /// The wall time from the start of the first thread to the end of the last, divided by the keys
    /// of all threads.
    Wall,
}

/// The time of one subject in one repetition of one operation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TimingRow {
    /// The name of a filter. If the operation is [`READ`] (plain reads of memory): `cache lines` or
    /// `cache lines, huge pages`. Where `bouquet gate` times its reference filter against itself:
    /// [`GATE_REFERENCE`](super::GATE_REFERENCE).
    pub subject: String,
    pub path: Way,
    /// The kind of key: `u64` or `url`. In `bouquet gate`: the length of its generated keys.
    pub keys: String,
    /// The number of keys that the filter was sized for and contains.
    pub capacity: u64,
    /// 0 for the reference filter of `bouquet gate`, which has no target FPR.
    pub target_fpr: f64,
    /// [`READ`], `insert`, `hit`, `miss` or `half` (hits and misses in random order). A suffix may
    /// follow: `in turn` if each key depends on the previous answer, or [`AGAIN`] in a rerun of
    /// `bouquet gate`.
    pub operation: String,
    /// The number of threads that share the filter.
    pub threads: u32,
    pub repetition: u32,
    /// The number of keys that were timed, over all threads.
    pub operations: u64,
    /// The time per key, including the time to generate the key.
    pub ns_per_key: f64,
    /// The time per key to generate keys without a filter, in the same repetition and on as many
    /// threads; 0 if it was not measured.
    pub dry_run_ns_per_key: f64,
    /// In `bouquet gate`: the time of the reference filter in the same repetition.
    pub reference_ns_per_key: Option<f64>,
    pub clock: Clock,
    /// Bytes on the heap when the filter is full, as counted by the allocator; in builds without
    /// the feature `peers`, as reported by the filter.
    pub bytes: Option<u64>,
    /// The number of keys that the filter rejected while it was filled by a single thread.
    pub rejected: u64,
    /// The false negatives among the lookups of members. Not counted for a filter that rejected
    /// keys, since the lookups include these keys.
    pub false_negatives: u64,
    /// The false positives among the lookups of non-members, counted on a single thread.
    pub false_positives: u64,
    pub error: String,
}

/// Inserts whose answers are dropped in a loop into which they are inlined. Those of "insert" are
/// used, and each is a call.
pub const DROPPED: &str = "insert, dropped";

impl Row for TimingRow {
    const FILE: &'static str = "times.csv";

    fn cells(&self, run: &Run) -> Cells {
        let is_listed = run.lists(&self.subject) || self.subject.starts_with("cache lines");
        let operation = self.operation.trim_end_matches(" in turn");
        let is_known = ["insert", DROPPED, "hit", "miss", "half", READ].contains(&operation);
        vec![
            ("subject", is_listed),
            ("operation", is_known),
            (
                "ns_per_key",
                (0.0..f64::INFINITY).contains(&self.ns_per_key),
            ),
        ]
    }
}

impl TimingRow {
    /// The time per key without the time to generate the key.
    pub fn net(&self) -> f64 {
        self.ns_per_key - self.dry_run_ns_per_key
    }
}
