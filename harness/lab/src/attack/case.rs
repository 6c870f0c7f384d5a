//! What all attacks on one hash function have in common.

use super::{
    definition::Numbers,
    keys::{Search, member, non_member},
};
use bouquet_ground::record::{AttackRow, BROKEN, BUDGET_SPENT, WITHSTANDS};
use bouquet_stats::proportion;

/// How sure a difference to chance must be. A run has some ten verdicts over
/// the keyed hash, so one in some 10^5 seeds accuses it falsely.
const CONFIDENCE: f64 = 1.0 - 1e-6;
/// The same in standard deviations.
const DEVIATIONS: f64 = 4.9;

/// A hash function under attack.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    pub plan: &'a Numbers,
    pub seed: u64,
    pub hashing: &'static str,
    pub knows: &'static str,
}

impl Case<'_> {
    /// A row in which nothing has happened yet, of the filter that `subject` describes.
    pub fn row(&self, attack: &str, method: &str, wanted: u64, subject: AttackRow) -> AttackRow {
        AttackRow {
            experiment: "attack".into(),
            attack: attack.into(),
            hashing: self.hashing.into(),
            knows: self.knows.into(),
            method: method.into(),
            capacity: self.plan.capacity,
            target_fpr: self.plan.target_fpr,
            seed: self.seed,
            budget_trials: self.plan.trials,
            wanted,
            ..subject
        }
    }

    pub fn search(&self) -> Search {
        Search::new(self.seed, self.plan.trials)
    }

    pub fn members(&self) -> impl Iterator<Item = [u8; 32]> + use<> {
        let seed = self.seed;
        (0..self.plan.capacity).map(move |index| member(seed, index))
    }

    /// Asks for non-members that nobody chose.
    pub fn look_up_non_members(&self, row: &mut AttackRow, contains: impl Fn(&[u8]) -> bool) {
        let non_members = (0..self.plan.non_members).map(|index| non_member(self.seed, index));
        row.non_members_asked = self.plan.non_members;
        row.false_positives = non_members.filter(|key| contains(key)).count() as u64;
    }
}

/// Whether so many successes are more than chance gives.
pub fn judge(row: &mut AttackRow) {
    let least = proportion(row.succeeded, row.chosen, CONFIDENCE).low;
    let filled = match (row.fill_ratio, row.expected_fill, row.expected_fill_sd) {
        (Some(fill), Some(mean), Some(sd)) => fill > mean + DEVIATIONS * sd,
        _ => false,
    };
    row.outcome = if least > row.random_key_rate || filled {
        BROKEN
    } else if row.chosen < row.wanted {
        BUDGET_SPENT
    } else {
        WITHSTANDS
    }
    .into();
}
