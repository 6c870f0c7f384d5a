//! The definition of the experiment.

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::experiment::{Profile, Profiled};

/// What is done and how to read it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub name: String,
    pub title: String,
    pub analysis: String,
    attack: Numbers<Profiled<u64>, Profiled<f64>>,
    schemes: Sizes,
}

/// What is other for location schemes, some of which are slow.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sizes {
    capacity: Profiled<u64>,
    non_members: Profiled<u64>,
    forged: Profiled<u64>,
}

/// The numbers of one run: on our filters, and on the schemes of others.
#[derive(Clone, Copy, Debug)]
pub struct Plans {
    pub filters: Numbers,
    pub schemes: Numbers,
}

/// The numbers of the attacks on one hash function; in a definition one a profile.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers<N = u64, F = f64> {
    pub capacity: N,
    pub target_fpr: F,
    /// Non-members asked for after an attack.
    pub non_members: N,
    /// Forged positives looked for.
    pub forged: N,
    /// Keys that collide with one victim, where they can be computed.
    pub collisions: N,
    /// Members to be deleted.
    pub victims: N,
    /// Keys that may be hashed for one row.
    pub trials: N,
}

impl Definition {
    /// The one that the program brings along.
    pub fn shipped() -> Result<Self> {
        Self::parse(include_str!("../../../experiments/attack.toml"))
            .context("experiments/attack.toml")
    }

    fn parse(text: &str) -> Result<Self> {
        let definition: Self = toml::from_str(text)?;
        for profile in [Profile::Quick, Profile::Default, Profile::Full] {
            let plan = definition.plans(profile).filters;
            if plan.victims == 0 || plan.victims > plan.capacity {
                bail!("[attack] needs at least 1 victim, and no more than the capacity");
            }
        }
        Ok(definition)
    }

    /// The numbers of a profile.
    pub fn plans(&self, profile: Profile) -> Plans {
        let table = &self.attack;
        let filters = Numbers {
            capacity: table.capacity.at(profile),
            target_fpr: table.target_fpr.at(profile),
            non_members: table.non_members.at(profile),
            forged: table.forged.at(profile),
            collisions: table.collisions.at(profile),
            victims: table.victims.at(profile),
            trials: table.trials.at(profile),
        };
        let schemes = Numbers {
            capacity: self.schemes.capacity.at(profile),
            non_members: self.schemes.non_members.at(profile),
            forged: self.schemes.forged.at(profile),
            ..filters
        };
        Plans { filters, schemes }
    }
}

impl Plans {
    /// The same with another budget.
    pub fn with_trials(mut self, trials: u64) -> Self {
        self.filters.trials = trials;
        self.schemes.trials = trials;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_parses_and_a_wrong_one_does_not() {
        let text = include_str!("../../../experiments/attack.toml");
        assert_eq!(Definition::shipped().unwrap().name, "attack");
        assert!(Definition::parse(&text.replace("victims", "victim")).is_err());
        let none = text.replace("quick = 8,", "quick = 0,");
        assert!(Definition::parse(&none).is_err());
    }
}
