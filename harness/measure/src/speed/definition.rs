//! The definition of the speed experiment.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::Kind;
use crate::experiment::{Profile, Profiled};
use bouquet_record::{TimingRow, Way};

/// A kind of key, a capacity and a target FPR, with which all filters are measured together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Column {
    pub kind: Kind,
    pub capacity: u64,
    pub target_fpr: f64,
}

impl Column {
    /// A row for a filter on one thread, without measured values.
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
    /// The number of peers (filters of other crates) to measure: the fastest in the columns that
    /// were measured before. `None` for all peers.
    pub peers: Option<usize>,
}

/// The contents of `experiments/speed.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub name: String,
    pub title: String,
    pub analysis: String,
    grid: Grid,
    large: Vec<Large>,
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
    capacities: Vec<u64>,
    columns: Vec<(Kind, f64)>,
    repetitions: u32,
    asked: u64,
    peers: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Threads {
    target_fpr: f64,
    asked: u64,
    /// Pairs of a capacity and its number of repetitions.
    sizes: Profiled<Vec<(u64, u32)>>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SpeedPlan {
    pub columns: Vec<(Column, Effort)>,
    /// Columns for filters that several threads share.
    pub threads: Vec<(Column, Effort)>,
}

impl Definition {
    pub fn shipped() -> Result<Self> {
        let text = include_str!("../../../experiments/speed.toml");
        toml::from_str(text).context("experiments/speed.toml")
    }

    /// The measurements of a profile. Values from the command line replace those of the definition.
    /// If capacities are given, the columns of `large` are left out.
    pub fn plan(
        &self,
        profile: Profile,
        capacities: &[u64],
        target_fprs: &[f64],
        kinds: &[Kind],
    ) -> SpeedPlan {
        let grid = &self.grid;
        let effort = Effort {
            repetitions: grid.repetitions.at(profile),
            inserted: grid.inserted.at(profile),
            asked: grid.asked.at(profile),
            peers: None,
        };
        let of = |(kind, target_fpr), capacity| Column {
            kind,
            capacity,
            target_fpr,
        };
        let kinds = or(kinds, &grid.keys.at(profile));
        let fprs = or(target_fprs, &grid.target_fprs.at(profile));
        let fprs_of = |kind| fprs.iter().map(move |fpr| (kind, *fpr));
        let pairs: Vec<(Kind, f64)> = kinds.into_iter().flat_map(fprs_of).collect();
        let mut columns = Vec::new();
        for &pair in &pairs {
            let sizes = or(capacities, &grid.capacities).into_iter();
            columns.extend(sizes.map(|capacity| (of(pair, capacity), effort)));
        }
        let large = self.large.iter();
        for large in large.filter(|_| profile == Profile::Full && capacities.is_empty()) {
            let effort = Effort {
                repetitions: large.repetitions,
                asked: large.asked,
                peers: Some(large.peers),
                ..effort
            };
            let is_chosen = |(kind, fpr): &&(Kind, f64)| {
                fprs.contains(fpr) && (*kind == Kind::Among || pairs.contains(&(*kind, *fpr)))
            };
            for pair in large.columns.iter().filter(is_chosen) {
                let sizes = large.capacities.iter();
                columns.extend(sizes.map(|capacity| (of(*pair, *capacity), effort)));
            }
        }
        let sizes = self.threads.sizes.at(profile);
        let often = sizes.first().map_or(0, |(_, often)| *often);
        let given: Vec<_> = capacities.iter().map(|keys| (*keys, often)).collect();
        let fpr = or(target_fprs, &[self.threads.target_fpr])[0];
        let shared = |(capacity, repetitions)| {
            let effort = Effort {
                repetitions,
                asked: self.threads.asked,
                ..effort
            };
            (of((Kind::U64, fpr), capacity), effort)
        };
        SpeedPlan {
            columns,
            threads: or(&given, &sizes).into_iter().map(shared).collect(),
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
        let tiny = Effort {
            repetitions: 2,
            inserted: 300,
            asked: 1_000,
            peers: None,
        };
        for part in [&mut self.columns, &mut self.threads] {
            for (column, effort) in part.iter_mut() {
                (column.capacity, *effort) = (column.capacity.min(300), tiny);
            }
            part.dedup();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_that_of_the_claim() {
        let definition = Definition::shipped().unwrap();
        let plan = |profile| definition.plan(profile, &[], &[], &[]);
        assert_eq!(plan(Profile::Quick).columns.len(), 2);
        assert_eq!(plan(Profile::Default).columns.len(), 8);
        let full = plan(Profile::Full);
        assert_eq!(full.columns.len(), 8 + 3 + 3 + 1);
        // With five or fewer repetitions, the 95 % interval of the median spans all measured
        // values.
        let mut all = full.columns.iter().chain(&full.threads);
        assert!(all.all(|(_, effort)| effort.repetitions > 5 && effort.inserted > 0));
    }

    #[test]
    fn what_is_given_takes_the_place_of_the_definition() {
        let definition = Definition::shipped().unwrap();
        let plan = definition.plan(Profile::Full, &[500], &[0.05], &[Kind::Url]);
        let column = Column {
            kind: Kind::Url,
            capacity: 500,
            target_fpr: 0.05,
        };
        let columns: Vec<_> = plan.columns.iter().map(|(column, _)| *column).collect();
        assert_eq!(columns, [column]);
    }
}
