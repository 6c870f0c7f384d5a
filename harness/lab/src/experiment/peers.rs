//! The definition of the scoreboard.

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::Profiled;
use bouquet_ground::record::SeedForm;

/// See `experiments/peers.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peers {
    pub name: String,
    pub title: String,
    pub analysis: String,
    pub datasets: Vec<String>,
    pub capacity: u64,
    /// Capacities at which filters are filled too.
    pub capacities: Vec<u64>,
    /// Seeds that filters get too, where a user may set them.
    pub seeds: Vec<SeedForm>,
    /// Capacities at which only what is allocated is counted.
    pub sizes: Vec<u64>,
    pub target_fprs: Profiled<Vec<f64>>,
    /// On each key set.
    pub replicates: Profiled<u32>,
    /// False positives to expect in all replicates on a key set together.
    pub hits: Profiled<u64>,
    /// Non-members asked for in one replicate, at most.
    pub max_non_members: Profiled<u64>,
}

impl Peers {
    /// The definition that the program brings along.
    pub fn shipped() -> Result<Self> {
        let text = include_str!("../../../experiments/peers.toml");
        toml::from_str(text).context("experiments/peers.toml")
    }

    /// With what the command line gives in place of the definition's.
    pub fn narrowed(mut self, capacity: Option<u64>, target_fpr: Option<f64>) -> Result<Self> {
        if let Some(capacity) = capacity {
            // Two keys are the least that two filters can share.
            if !(2..=u64::from(u32::MAX)).contains(&capacity) {
                bail!("--capacity {capacity}: give 2 to {} keys", u32::MAX);
            }
            self.capacity = capacity;
            self.capacities.clear();
        }
        if let Some(fpr) = target_fpr {
            if !(fpr > 0.0 && fpr < 1.0) {
                bail!("--fpr {fpr}: give a share between 0 and 1, such as 0.01");
            }
            self.target_fprs = Profiled::One(vec![fpr]);
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Profile;

    #[test]
    fn the_definition_is_whole_and_can_be_narrowed() {
        let peers = Peers::shipped().unwrap();
        assert!(peers.target_fprs.at(Profile::Quick).len() == 1);
        let narrowed = peers.narrowed(Some(7), Some(0.25)).unwrap();
        assert_eq!(narrowed.capacity, 7);
        assert!(narrowed.capacities.is_empty(), "one was asked for");
        assert_eq!(narrowed.target_fprs.at(Profile::Full), [0.25]);
    }

    #[test]
    fn what_would_measure_nothing_is_rejected() {
        let rejected = |capacity, fpr| Peers::shipped().unwrap().narrowed(capacity, fpr).is_err();
        assert!(rejected(Some(1), None) && rejected(Some(u64::MAX), None));
        assert!(
            [0.0, 1.0, -1.0, f64::NAN]
                .iter()
                .all(|fpr| rejected(None, Some(*fpr)))
        );
    }
}
