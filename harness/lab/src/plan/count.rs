//! How many cells an experiment comes to, before there are any.

use anyhow::{Result, ensure};

use super::{Planner, capacity_for};
use crate::experiment::{Fpr, Kind};
use crate::registry::{Entry, members};
use bouquet_ground::record::is_only_reported;

/// The most cells of one experiment: five times as many as the largest that comes along has.
/// Planning so many takes seconds and less memory than the filters do.
pub(crate) const MAX_CELLS: u64 = 1 << 18;

/// Replicates from which an interval of a rate that is only reported is not too wide.
const LEAST_REPORTED: u32 = 4;
/// So many times as many filters there are at most of a small key set.
const MOST_TIMES: u64 = 16;

impl Planner<'_> {
    /// Rejects what would be planned for hours: each list may be short, and what they make
    /// together is not.
    pub(super) fn check_count(&self) -> Result<()> {
        let cells = self.most_cells()?;
        ensure!(
            cells <= MAX_CELLS,
            "the experiment {:?} makes up to {cells} measurements, more than {MAX_CELLS}: give fewer \
             key sets, filters, sizes or replicates",
            self.experiment.name
        );
        Ok(())
    }

    /// As many as there can be. Lists and repeats are short enough for no product to overflow.
    fn most_cells(&self) -> Result<u64> {
        let sets = self.sets.len();
        let on = |filters: &[String]| Ok::<_, anyhow::Error>(self.filters(filters)?.len() * sets);
        let (each, repeats) = match self.experiment.kind() {
            Kind::Uniformity(table) => {
                let subjects = members(&self.catalogue.filters, &table.subjects);
                (subjects.len() * sets * table.slots.len(), 1)
            }
            Kind::Fpr(table) => {
                let points = table.points.at(self.profile);
                let fullest = table.fullest(&points);
                let replicates = |filter: &Entry| -> u64 {
                    let of = |set| capacity_for(set, table.capacity, fullest);
                    let of = |set| self.replicates(table, filter, of(set));
                    self.sets.iter().map(|set| u64::from(of(set))).sum()
                };
                let filters = self.filters(&table.filters)?;
                let replicates = filters.iter().map(|filter| replicates(filter));
                (points.len(), replicates.sum())
            }
            Kind::Memory(table) => {
                let sizes = table.capacities.len() * table.target_fprs.len();
                (self.filters(&table.filters)?.len() * sizes, 1)
            }
            Kind::Churn(table) => {
                let replicates = table.replicates.at(self.profile);
                (on(&table.filters)?, replicates.into())
            }
        };
        Ok(each as u64 * repeats)
    }

    /// What is only reported has a quarter of them: nothing is decided by its rates. Small
    /// filters, of a small key set, differ more from one to the next, and there are more.
    pub(super) fn replicates(&self, table: &Fpr, filter: &Entry, capacity: u64) -> u32 {
        let all = table.replicates.at(self.profile).max(1);
        let all = match is_only_reported(filter.role) {
            true => all.min(LEAST_REPORTED.max(all / 4)),
            false => all,
        };
        all * (table.capacity / capacity.max(1)).clamp(1, MOST_TIMES) as u32
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::experiment::{Experiment, Profile};
    use crate::plan::Catalogue;
    use crate::workload::KeySet;

    /// What planning says of an experiment on so many key sets.
    fn planned(text: &str, sets: usize, profile: Profile) -> Result<usize> {
        let experiment = Experiment::parse(text)?;
        let set = Arc::new(KeySet::generated("random-u64", "random-u64", 1)?);
        let planner = Planner {
            catalogue: &Catalogue::new(),
            experiment: &experiment,
            sets: &vec![set; sets],
            filters: &[],
            schemes: &[],
            has_peers: false,
            profile,
            seed: 1,
        };
        Ok(planner.cells()?.len())
    }

    #[test]
    fn no_more_is_planned_than_was_counted() {
        for experiment in Experiment::shipped().unwrap() {
            let set = Arc::new(KeySet::generated("random-u64", "random-u64", 1).unwrap());
            for profile in [Profile::Quick, Profile::Default, Profile::Full] {
                let planner = Planner {
                    catalogue: &Catalogue::new(),
                    experiment: &experiment,
                    sets: &vec![set.clone(); experiment.datasets.len()],
                    filters: &[],
                    schemes: &[],
                    has_peers: true,
                    profile,
                    seed: 1,
                };
                let (most, cells) = (planner.most_cells().unwrap(), planner.cells().unwrap());
                assert!(cells.len() as u64 <= most, "{}", experiment.name);
                assert!(5 * most <= MAX_CELLS, "{}: {most}", experiment.name);
            }
        }
    }

    #[test]
    fn short_lists_that_make_too_much_together_are_rejected_at_once() {
        let list = |of: &str| format!("[{}]", vec![of; 1_000].join(", "));
        let memory = include_str!("../../../experiments/memory.toml");
        let (before, _) = memory.split_once("capacities = ").unwrap();
        let (ones, rates) = (list("10"), list("0.01"));
        let memory =
            format!("{before}capacities = {ones}\ntarget_fprs = {rates}\nfilters = [\"ours\"]\n");
        let bits = include_str!("../../../experiments/fpr-over-bits.toml");
        let bits = bits.replace("8, 10, 12, 14, 16, 20]", &list("10")[1..]);
        let slots = include_str!("../../../experiments/uniformity.toml");
        let (before, after) = slots.split_once("slots = [").unwrap();
        let slots = format!(
            "{before}slots = {}{}",
            list("64"),
            after.split_once(']').unwrap().1
        );
        let churn = include_str!("../../../experiments/churn.toml");
        let often = |text: &str| {
            let line = text.lines().find(|line| line.starts_with("replicates = "));
            text.replace(line.unwrap(), "replicates = 65_536")
        };
        for text in [memory, bits, slots, often(churn)] {
            let error = planned(&text, 20, Profile::Full).unwrap_err().to_string();
            assert!(
                error.contains("measurements, more than 262144: "),
                "{error}"
            );
        }
    }
}
