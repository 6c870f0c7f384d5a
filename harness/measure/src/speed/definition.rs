//! The definition of the speed experiment.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Kind;
use crate::experiment::{Profile, Profiled};
use bouquet_record::{TimingRow, Way};

/// A kind of key, a capacity and a target FPR; all filters of a column are measured together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Column {
    pub kind: Kind,
    pub capacity: u64,
    pub target_fpr: f64,
}

impl Column {
    /// The row of a subject on one thread, before anything is measured.
    pub fn row(self, subject: &str, path: Way, operation: &str) -> TimingRow {
        TimingRow {
            subject: subject.into(),
            path,
            keys: self.kind.name().into(),
            capacity: self.capacity,
            target_fpr: self.target_fpr,
            operation: operation.into(),
            threads: 1,
            ..TimingRow::default()
        }
    }
}

/// How much work is done for one measured value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    pub repetitions: u32,
    /// The smallest number of keys inserted in one repetition; small filters are filled several
    /// times to reach it.
    pub inserted: u64,
    /// Number of keys looked up in one repetition of an operation.
    pub asked: u64,
}

/// The contents of `experiments/speed.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub name: String,
    pub title: String,
    pub analysis: String,
    grid: Grid,
    large: Large,
    threads: Threads,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Grid {
    capacities: Vec<u64>,
    keys: Profiled<Vec<Kind>>,
    target_fprs: Profiled<Vec<f64>>,
    repetitions: Profiled<u32>,
    inserted: Profiled<u64>,
    asked: Profiled<u64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Large {
    capacity: u64,
    columns: Vec<(Kind, f64)>,
    repetitions: u32,
    asked: u64,
    peers: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threads {
    target_fpr: f64,
    sizes: Profiled<Vec<(u64, u32)>>,
}

/// The measurements of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct SpeedPlan {
    pub columns: Vec<Column>,
    pub effort: Effort,
    /// Columns with filters that are larger than every cache.
    pub large: Vec<Column>,
    pub large_effort: Effort,
    /// Number of peers in the large columns: those that were fastest in the other columns.
    pub large_peers: usize,
    /// Columns for filters that threads share, and the number of repetitions of each.
    pub threads: Vec<(Column, u32)>,
}

/// Values from the command line that replace those of the definition.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    pub capacities: Vec<u64>,
    pub target_fprs: Vec<f64>,
    pub keys: Vec<Kind>,
}

impl Definition {
    /// The definition that is built into the program.
    pub fn shipped() -> Result<Self> {
        let text = include_str!("../../../experiments/speed.toml");
        toml::from_str(text).context("experiments/speed.toml")
    }

    /// The plan of a profile. Values from the command line are all measured in the grid; given
    /// capacities also replace the large columns.
    pub fn plan(&self, profile: Profile, overrides: &Overrides) -> SpeedPlan {
        let (grid, large) = (&self.grid, &self.large);
        let fprs = or(&overrides.target_fprs, &grid.target_fprs.at(profile));
        let kinds = or(&overrides.keys, &grid.keys.at(profile));
        let capacities = or(&overrides.capacities, &grid.capacities);
        let column = |(kind, target_fpr), capacity| Column {
            kind,
            capacity,
            target_fpr,
        };
        let pairs = kinds
            .iter()
            .flat_map(|kind| fprs.iter().map(|fpr| (*kind, *fpr)));
        let pairs: Vec<(Kind, f64)> = pairs.collect();
        let sizes = |pair| capacities.iter().map(move |keys| column(pair, *keys));
        let has_large = profile == Profile::Full && overrides.capacities.is_empty();
        let large_pairs = large
            .columns
            .iter()
            .filter(|pair| has_large && pairs.contains(pair));
        let sharings = self
            .threads
            .sizes_at(profile, &overrides.capacities)
            .into_iter();
        let target_fpr = or(&overrides.target_fprs, &[self.threads.target_fpr])[0];
        SpeedPlan {
            columns: pairs.iter().flat_map(|pair| sizes(*pair)).collect(),
            effort: Effort {
                repetitions: grid.repetitions.at(profile),
                inserted: grid.inserted.at(profile),
                asked: grid.asked.at(profile),
            },
            large: large_pairs
                .map(|pair| column(*pair, large.capacity))
                .collect(),
            large_effort: Effort {
                repetitions: large.repetitions,
                inserted: 0,
                asked: large.asked,
            },
            large_peers: large.peers,
            threads: sharings
                .map(|(capacity, often)| (column((Kind::U64, target_fpr), capacity), often))
                .collect(),
        }
    }
}

impl Threads {
    /// Capacities from the command line have the number of repetitions of the definition's first
    /// size.
    fn sizes_at(&self, profile: Profile, given: &[u64]) -> Vec<(u64, u32)> {
        let sizes = self.sizes.at(profile);
        match (given, sizes.first()) {
            ([], _) | (_, None) => sizes,
            (given, Some((_, often))) => given.iter().map(|keys| (*keys, *often)).collect(),
        }
    }
}

/// The given values, or `otherwise` if there are none.
fn or<T: Clone>(given: &[T], otherwise: &[T]) -> Vec<T> {
    if given.is_empty() { otherwise } else { given }.to_vec()
}

impl SpeedPlan {
    /// Very little work of each kind, for tests of everything but the speed.
    pub fn tiny(mut self) -> Self {
        let effort = Effort {
            repetitions: 2,
            inserted: 300,
            asked: 1_000,
        };
        (self.effort, self.large_effort) = (effort, effort);
        let shared = self.threads.iter_mut().map(|(column, often)| {
            *often = 2;
            column
        });
        let alone = self.columns.iter_mut().chain(&mut self.large);
        for column in alone.chain(shared) {
            column.capacity = column.capacity.min(300);
        }
        self.columns.dedup();
        self.threads.dedup();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_that_of_the_claim() {
        let definition = Definition::shipped().unwrap();
        let plan = |profile| definition.plan(profile, &Overrides::default());
        assert_eq!(plan(Profile::Quick).columns.len(), 2);
        let full = plan(Profile::Full);
        assert_eq!((full.columns.len(), full.large.len()), (8, 3));
        assert!(plan(Profile::Default).large.is_empty());
        // With five or fewer values, the 95 % interval of the median is no smaller than their
        // range.
        assert!(full.large_effort.repetitions > 5);
    }

    #[test]
    fn what_is_given_takes_the_place_of_the_definition() {
        let overrides = Overrides {
            capacities: vec![500],
            target_fprs: vec![0.05],
            keys: vec![Kind::Url],
        };
        let plan = Definition::shipped()
            .unwrap()
            .plan(Profile::Full, &overrides);
        let column = Column {
            kind: Kind::Url,
            capacity: 500,
            target_fpr: 0.05,
        };
        assert_eq!((plan.columns, plan.large), (vec![column], vec![]));
    }
}
