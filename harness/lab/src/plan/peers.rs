//! The cells of the scoreboard, and what of them must show known faults.

mod faults;

use std::sync::Arc;

use anyhow::Result;

use super::capacity_for;
use crate::experiment::{Peers, Profile};
use crate::measure::{Fitted, PeerCell, Phase};
use crate::registry::{self, Entry, Options, Size};
use crate::workload::{KeySet, named, seed_of};
use bouquet_ground::record::{PeerFaultRow, SubjectRow};

/// How full the filters are made, by their capacity; the last is the fullest.
const LOADS: [f64; 3] = [1.0, 1.5, 2.0];
/// The same for filters that grow, on sets with so many keys: what they promise
/// shows only after some growth.
const GROWN: f64 = 10.0;
/// Past capacity, of unions and beside the capacity of the tables two digits will do.
const HITS_ASIDE: f64 = 0.1;

/// A run of the scoreboard in the planning.
pub struct PeerPlan<'a> {
    pub definition: &'a Peers,
    pub contenders: &'a [Arc<Entry>],
    pub sets: &'a [Arc<KeySet>],
    pub profile: Profile,
    pub seed: u64,
}

/// The filters with these names, or all.
pub fn contenders(names: &[String]) -> Result<Vec<Arc<Entry>>> {
    let all = registry::filters();
    for name in names {
        named("filter", name, &all, |contender| contender.name)?;
    }
    let wanted =
        |contender: &Entry| names.is_empty() || names.iter().any(|name| name == contender.name);
    Ok(all.into_iter().filter(wanted).map(Arc::new).collect())
}

impl PeerPlan<'_> {
    /// The rows of the filters.
    pub fn subjects(&self) -> Vec<SubjectRow> {
        self.contenders.iter().map(|one| one.row()).collect()
    }

    /// Target by target, filter by filter.
    pub fn cells(&self) -> Vec<PeerCell> {
        let mut cells = Vec::new();
        for target_fpr in self.definition.target_fprs.at(self.profile) {
            for contender in self.contenders {
                for keys in self
                    .sets
                    .iter()
                    .filter(|set| set.len() >= LOADS[2] as u64 * 2)
                {
                    self.on_set(contender, keys, target_fpr, &mut cells);
                }
                self.sizes(contender, target_fpr, &mut cells);
                self.beside(contender, target_fpr, &mut cells);
            }
        }
        cells
    }

    /// The known faults that these cells must show.
    pub fn faults(&self, cells: &[PeerCell]) -> Result<Vec<PeerFaultRow>> {
        let mut faults = faults::shipped()?;
        faults.retain(|fault| cells.iter().any(|cell| cell.shows(fault)));
        Ok(faults)
    }

    fn on_set(
        &self,
        contender: &Arc<Entry>,
        keys: &Arc<KeySet>,
        target_fpr: f64,
        cells: &mut Vec<PeerCell>,
    ) {
        let capacity = capacity_for(keys, self.definition.capacity, LOADS[2]);
        let enough = keys.is_generated() || keys.len() as f64 >= GROWN * capacity as f64;
        let grown = (contender.grows && enough).then_some(GROWN);
        let loads = LOADS.into_iter().chain(grown).map(Phase::Load);
        let phases: Vec<Phase> = loads.chain([Phase::Union, Phase::Reload]).collect();
        for replicate in 0..self.definition.replicates.at(self.profile) {
            for &phase in &phases {
                let made_for = (capacity, target_fpr);
                cells.push(self.cell(contender, keys, phase, made_for, replicate));
            }
        }
    }

    /// What is allocated at other capacities: of the first set that is large
    /// enough.
    fn sizes(&self, contender: &Arc<Entry>, target_fpr: f64, cells: &mut Vec<PeerCell>) {
        for &capacity in &self.definition.sizes {
            let fits = |set: &&Arc<KeySet>| set.is_generated() || set.len() >= capacity;
            if let Some(keys) = self.sets.iter().find(fits) {
                cells.push(self.cell(contender, keys, Phase::Size, (capacity, target_fpr), 0));
            }
        }
    }

    /// Full at other capacities, and with other seeds where a user may set them: of
    /// the first set that is large enough.
    fn beside(&self, contender: &Arc<Entry>, target_fpr: f64, cells: &mut Vec<PeerCell>) {
        let capacities = self.definition.capacities.iter();
        let capacities = capacities.map(|&capacity| (Phase::Capacity, capacity));
        let seeds = self.definition.seeds.iter();
        let seeds = seeds
            .filter(|_| contender.takes_seeds())
            .map(|&form| (Phase::Seed(form), self.definition.capacity));
        for (phase, capacity) in capacities.chain(seeds) {
            let fits = |set: &&Arc<KeySet>| capacity_for(set, capacity, LOADS[2]) == capacity;
            let Some(keys) = self.sets.iter().find(fits) else {
                continue;
            };
            for replicate in 0..self.definition.replicates.at(self.profile) {
                let made_for = (capacity, target_fpr);
                cells.push(self.cell(contender, keys, phase, made_for, replicate));
            }
        }
    }

    fn cell(
        &self,
        contender: &Arc<Entry>,
        keys: &Arc<KeySet>,
        phase: Phase,
        (capacity, target_fpr): (u64, f64),
        replicate: u32,
    ) -> PeerCell {
        let definition = self.definition;
        let load = phase.load().to_string();
        // Not of the filter's name: all are given the same keys.
        let of = [&definition.name, keys.name(), phase.name(), &load];
        let replicates = definition.replicates.at(self.profile).max(1);
        let hits = definition.hits.at(self.profile) as f64 / f64::from(replicates);
        let part = if phase == Phase::Load(1.0) {
            1.0
        } else {
            HITS_ASIDE
        };
        PeerCell {
            of: Fitted {
                experiment: definition.name.clone(),
                filter: contender.clone(),
                keys: keys.clone(),
                capacity,
                size: Size::TargetFpr(target_fpr),
                replicate,
                seed: seed_of(self.seed, &of, replicate.into()),
                options: Options::default(),
            },
            phase,
            target_fpr,
            hits: hits * part,
            max_non_members: definition.max_non_members.at(self.profile),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Manifest;
    use bouquet_ground::record::SeedForm;

    fn cells(names: &[&str], set: &str) -> Vec<PeerCell> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let keys = Manifest::find().unwrap().load(set).unwrap();
        let plan = PeerPlan {
            definition: &Peers::shipped().unwrap(),
            contenders: &contenders(&names).unwrap(),
            sets: &[keys.into()],
            profile: Profile::Quick,
            seed: 1,
        };
        plan.cells()
    }

    #[test]
    fn all_filters_are_given_the_same_keys_and_only_growing_ones_ten_times() {
        let planned = |name| {
            let cells = cells(&[name], "sequential");
            let facts = |c: &PeerCell| (c.phase, c.of.capacity, c.of.replicate, c.of.seed);
            cells.iter().map(facts).collect::<Vec<_>>()
        };
        let grown = Phase::Load(GROWN);
        let mut growing = planned("growable-bloom-filter");
        assert!(growing.iter().any(|(phase, ..)| *phase == grown));
        growing.retain(|(phase, ..)| *phase != grown);
        // Only where a user may give a seed are forms of it tried.
        let mut other = planned("fastbloom");
        other.retain(|(phase, ..)| !matches!(phase, Phase::Seed(_)));
        assert_eq!(growing, other);
    }

    #[test]
    fn a_small_set_is_filled_as_far_as_it_goes() {
        let cells = cells(&["growable-bloom-filter"], "urls");
        // 25,643 keys: twice 10,000, not ten times, and no size above.
        assert!(cells.iter().all(|cell| cell.phase != Phase::Load(GROWN)));
        let size = |cell: &&PeerCell| cell.phase == Phase::Size;
        assert!(
            cells
                .iter()
                .filter(size)
                .all(|cell| cell.of.capacity <= 25_643)
        );
        assert!(cells.iter().filter(size).count() > 3);
    }

    #[test]
    fn capacities_are_full_and_seeds_are_given_where_a_user_may() {
        let planned = |name, set| {
            let beside = cells(&[name], set).into_iter().filter_map(|cell| {
                let is_beside = matches!(cell.phase, Phase::Capacity | Phase::Seed(_));
                is_beside.then_some((cell.phase, cell.of.capacity))
            });
            let mut beside: Vec<_> = beside.collect();
            beside.dedup();
            beside
        };
        let capacities = [16_384, 16_385, 27_349].map(|keys| (Phase::Capacity, keys));
        assert_eq!(planned("bloom2", "sequential"), capacities);
        let forms = [SeedForm::Zeros, SeedForm::Ones, SeedForm::EqualHalves];
        let seeds = forms.map(|form| (Phase::Seed(form), 10_000));
        let both = [capacities, seeds].concat();
        assert_eq!(planned("bloomfilter", "sequential"), both);
        // Too few keys for non-members of the same kind beside so many members.
        assert_eq!(planned("bloomfilter", "urls"), seeds);
    }

    #[test]
    fn unknown_names_are_rejected() {
        assert!(contenders(&["fastblom".into()]).is_err());
    }
}
