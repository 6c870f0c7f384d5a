//! The row of an attack.

use serde::{Deserialize, Serialize};

/// The name of the hash that must withstand.
pub const KEYED: &str = "sip-keyed";
/// What he knows who knows everything: there is no secret.
pub const ALL: &str = "all";
/// The chosen keys did better than any would.
pub const BROKEN: &str = "broken";
/// They did no better.
pub const WITHSTANDS: &str = "withstands";
/// The trials ended before the attack did, and it had not got through.
pub const BUDGET_SPENT: &str = "budget-spent";

/// One attack on one filter with one hash function.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AttackRow {
    pub experiment: String,
    /// `pollution`, `forged-positives`, `collision` or `deletion`.
    pub attack: String,
    pub filter: String,
    pub hashing: String,
    /// What the attacker knows: `all`, `all but the seed` or `all but the key`.
    pub knows: String,
    /// How he gets his keys: `search`, `preimage` (computed for a hash) or
    /// `sibling` (computed from a key, or both of them, for every seed).
    pub method: String,
    pub capacity: u64,
    pub target_fpr: f64,
    /// m; for a cuckoo filter its slots times the bits of a slot.
    pub size_bits: u64,
    /// k; 2 buckets in a cuckoo filter.
    pub hashes: u32,
    pub seed: u64,
    /// Keys that he may hash, those he did, and those he got by it.
    pub budget_trials: u64,
    pub trials: u64,
    pub keys_found: u64,
    /// Standard deviation of `trials` over other luck, as the run shows it; 0
    /// where the keys are computed.
    pub trials_sd: f64,
    /// Keys he wants (for a deletion: victims), those he has got, and those of
    /// them that do in the filter what they were chosen for: find every probe on
    /// an empty slot, pass for a member, share all locations, delete the victim.
    pub wanted: u64,
    pub chosen: u64,
    pub succeeded: u64,
    /// `succeeded` / `chosen` of keys that nobody chose; for a deletion the FPR,
    /// which is above it: such a key must pass for a member in the first place.
    pub random_key_rate: f64,
    /// Share of slots in use after the attack, and for as many keys that nobody
    /// chose its mean and standard deviation by theory; empty where nothing is
    /// inserted.
    pub fill_ratio: Option<f64>,
    pub expected_fill: Option<f64>,
    pub expected_fill_sd: Option<f64>,
    /// Non-members looked up after the attack, and the false positives among them.
    pub non_members_asked: u64,
    pub false_positives: u64,
    /// The FPR that theory gives for as many keys that nobody chose.
    pub expected_fpr: f64,
    /// Removals that the filter was asked for, and those it took.
    pub removals_asked: u64,
    pub removals_taken: u64,
    /// False negatives in the end, the victims among them.
    pub false_negatives: u64,
    /// `broken`, `withstands` or `budget-spent`.
    pub outcome: String,
    pub error: String,
}
