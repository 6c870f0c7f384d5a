//! From experiment definitions to cells.

#[cfg(feature = "peers")]
mod peers;

use std::sync::Arc;

use anyhow::{Result, bail};

use crate::battery::{self, Expectation, Expectations, Subject};
use crate::experiment::{
    Churn, Experiment, Fpr, Kind, Memory, Phases, Profile, Sweep, Uniformity, Ways,
};
use crate::measure::{
    Cell, ChurnCell, FprCell, GROWN, LocationSetsCell, LocationsCell, MemoryCell, PhasesCell,
    WaysCell,
};
use crate::registry::{self, Entry, Size};
use crate::schemes::{self, Scheme};
use crate::workload::{KeySet, mix};
use bouquet_ground::record::SubjectRow;
use bouquet_stats::{GATE_HITS, LOW_FPR};

#[cfg(feature = "peers")]
pub use peers::{PeerPlan, contenders};

/// What a run is narrowed to.
#[derive(Clone, Default, Debug)]
pub struct Narrow {
    pub filters: Vec<String>,
    pub schemes: Vec<String>,
}

/// Everything the harness knows by name.
pub struct Catalogue {
    pub filters: Vec<Arc<Entry>>,
    pub schemes: Vec<Scheme>,
}

impl Catalogue {
    pub fn new() -> Self {
        Self {
            filters: registry::filters().into_iter().map(Arc::new).collect(),
            schemes: schemes::schemes(),
        }
    }

    fn filter(&self, name: &str) -> Result<&Arc<Entry>> {
        match self.filters.iter().find(|entry| entry.name == name) {
            Some(entry) => Ok(entry),
            None => {
                let known: Vec<_> = self.filters.iter().map(|entry| entry.name).collect();
                bail!(
                    "no filter is called {name:?}; there are {}",
                    known.join(", ")
                )
            }
        }
    }

    /// A filter or scheme whose locations are to be tested.
    fn subject(&self, name: &str) -> Result<Subject> {
        if let Some(scheme) = self.schemes.iter().find(|scheme| scheme.name == name) {
            return Ok(Subject {
                name: scheme.name,
                role: scheme.role,
                make: Some(scheme.make),
            });
        }
        let entry = self.filter(name).map_err(|_| {
            let schemes = self.schemes.iter().map(|s| s.name);
            let known: Vec<_> = schemes.chain(self.filters.iter().map(|f| f.name)).collect();
            anyhow::anyhow!(
                "no scheme or filter is called {name:?}; there are {}",
                known.join(", ")
            )
        })?;
        Ok(Subject {
            name: entry.name,
            role: entry.role,
            make: entry.locate,
        })
    }

    /// Checks the names that a run was narrowed to.
    pub fn check(&self, narrow: &Narrow) -> Result<()> {
        for name in &narrow.filters {
            self.filter(name)?;
        }
        for name in &narrow.schemes {
            if !self.schemes.iter().any(|scheme| scheme.name == name) {
                let known: Vec<_> = self.schemes.iter().map(|scheme| scheme.name).collect();
                bail!(
                    "no scheme is called {name:?}; there are {}",
                    known.join(", ")
                );
            }
        }
        Ok(())
    }

    /// Rows of the subjects that take part in some cell.
    pub fn subjects(&self, taking_part: impl Fn(&str) -> bool) -> Vec<SubjectRow> {
        let filters = self.filters.iter().map(|entry| entry.row());
        let rows = filters.chain(self.schemes.iter().map(Scheme::row));
        rows.filter(|row| taking_part(&row.subject)).collect()
    }
}

/// A run in the planning.
pub struct Planner<'a> {
    pub catalogue: &'a Catalogue,
    pub narrow: &'a Narrow,
    pub profile: Profile,
    pub seed: u64,
}

impl Planner<'_> {
    /// The cells of an experiment on its key sets.
    pub fn cells(&self, experiment: &Experiment, sets: &[Arc<KeySet>]) -> Result<Vec<Cell>> {
        match experiment.kind() {
            Kind::Uniformity(table) => self.uniformity(experiment, table, sets),
            Kind::Fpr(table) => self.fpr(experiment, table, sets),
            Kind::Memory(table) => self.memory(experiment, table),
            Kind::Churn(table) => self.churn(experiment, table, sets),
            Kind::Phases(table) => self.phases(experiment, table, sets),
            Kind::Ways(table) => self.ways(experiment, table, sets),
        }
    }

    fn seed_of(&self, parts: &[&str], number: u64) -> u64 {
        seed_of(self.seed, parts, number)
    }

    fn filters(&self, names: &[String]) -> Result<Vec<Arc<Entry>>> {
        let wanted = |name: &&String| {
            (self.narrow.filters.is_empty() && self.narrow.schemes.is_empty())
                || self.narrow.filters.contains(name)
        };
        names
            .iter()
            .filter(wanted)
            .map(|name| self.catalogue.filter(name).cloned())
            .collect()
    }

    fn uniformity(
        &self,
        experiment: &Experiment,
        table: &Uniformity,
        sets: &[Arc<KeySet>],
    ) -> Result<Vec<Cell>> {
        let all = self.narrow.filters.is_empty() && self.narrow.schemes.is_empty();
        let named = |name: &String| {
            self.narrow.filters.contains(name) || self.narrow.schemes.contains(name)
        };
        let claims = Expectations::shipped()?;
        let mut cells = Vec::new();
        // The control goes with whatever is tested: without it a pass says little.
        let any = table.subjects.iter().any(named);
        for name in &table.subjects {
            let subject = self.catalogue.subject(name)?;
            let is_wanted = all || named(name) || (any && subject.role == "known-bad");
            // What does not tell its locations has none to test.
            if !is_wanted || subject.make.is_none() {
                continue;
            }
            for keys in sets {
                let count = most_keys(keys, table.keys.at(self.profile));
                for (place, &slots) in table.slots.iter().enumerate() {
                    let expected = match claims.of(&subject, keys, slots, count) {
                        Some(expected) => expected,
                        // A known fault that so few keys do not show.
                        None if subject.role == "known-bad" => continue,
                        None => Expectation::UNCLAIMED,
                    };
                    cells.push(Cell::Locations(LocationsCell {
                        experiment: experiment.name.clone(),
                        histogram: place == 0,
                        cell: battery::Cell {
                            subject,
                            keys: keys.clone(),
                            count,
                            slots,
                            probes: table.probes,
                            replicate: 0,
                            seed: self.seed_of(&[&experiment.name, name, keys.name()], slots),
                            expected,
                        },
                    }));
                }
            }
        }
        Ok(cells)
    }

    fn fpr(&self, experiment: &Experiment, table: &Fpr, sets: &[Arc<KeySet>]) -> Result<Vec<Cell>> {
        let replicates = table.replicates.at(self.profile).max(1);
        let all = table.points.at(self.profile);
        let fullest = match table.sweep {
            Sweep::Load => all.iter().copied().fold(1.0, f64::max),
            Sweep::BitsPerKey | Sweep::TargetFpr => 1.0,
        };
        let mut cells = Vec::new();
        for filter in self.filters(&table.filters)? {
            let one_point = table.sweep != Sweep::Load && filter.fixed_size.is_some();
            let points = if one_point { &all[..1] } else { &all[..] };
            for keys in sets {
                let capacity = capacity_for(keys, table.capacity, fullest);
                let fits = |x: &&f64| {
                    let keys_at = match table.sweep {
                        Sweep::Load => (capacity as f64 * **x).round(),
                        Sweep::BitsPerKey | Sweep::TargetFpr => capacity as f64,
                    };
                    keys_at >= 1.0 && (keys.is_generated() || keys_at <= keys.len() as f64)
                };
                let possible =
                    |x: &&f64| table.sweep != Sweep::BitsPerKey || **x >= filter.least_bits_per_key;
                for &x in points.iter().filter(fits).filter(possible) {
                    for replicate in 0..replicates {
                        let of = [&experiment.name, filter.name, keys.name(), &x.to_string()];
                        cells.push(Cell::Fpr(FprCell {
                            experiment: experiment.name.clone(),
                            filter: filter.clone(),
                            keys: keys.clone(),
                            sweep: table.sweep,
                            x,
                            capacity,
                            target_fpr: table.target_fpr,
                            replicate,
                            seed: self.seed_of(&of, replicate.into()),
                            hits: table.hits.at(self.profile) as f64 / f64::from(replicates),
                            gate_hits: GATE_HITS as f64 / f64::from(replicates),
                            max_strangers: table.max_strangers.at(self.profile),
                        }));
                    }
                }
                let sizes = table.sizes(points);
                cells.extend(self.location_sets(experiment, &filter, keys, capacity, &sizes));
            }
        }
        Ok(cells)
    }

    /// For sizes that mean a low FPR: what keys that share their locations do to
    /// it.
    fn location_sets(
        &self,
        experiment: &Experiment,
        filter: &Arc<Entry>,
        keys: &Arc<KeySet>,
        capacity: u64,
        sizes: &[Size],
    ) -> Vec<Cell> {
        let count = match self.profile {
            Profile::Quick => 1 << 17,
            Profile::Default => 1 << 19,
            Profile::Full => 1 << 20,
        };
        let low = |size: &&Size| match **size {
            Size::TargetFpr(fpr) => fpr <= LOW_FPR,
            Size::BitsPerKey(bits) => 0.6185_f64.powf(bits) <= LOW_FPR,
        };
        let told = filter.locate.is_some() && filter.fixed_size.is_none();
        let cell = |size: &Size| {
            let of = [&experiment.name, filter.name, keys.name(), "locations"];
            Cell::LocationSets(LocationSetsCell {
                experiment: experiment.name.clone(),
                filter: filter.clone(),
                keys: keys.clone(),
                capacity,
                size: *size,
                count,
                seed: self.seed_of(&of, 0),
            })
        };
        sizes
            .iter()
            .filter(|_| told)
            .filter(low)
            .map(cell)
            .collect()
    }

    fn phases(
        &self,
        experiment: &Experiment,
        table: &Phases,
        sets: &[Arc<KeySet>],
    ) -> Result<Vec<Cell>> {
        let sizes = sizes(&table.target_fprs, &table.bits_per_key);
        let mut cells = Vec::new();
        for filter in self.filters(&table.filters)? {
            let possible = |size: &&Size| is_possible(&filter, size);
            for keys in sets {
                let capacity = capacity_for(keys, table.capacity, GROWN as f64);
                if !keys.is_generated() && keys.len() < GROWN {
                    continue;
                }
                for size in sizes.iter().filter(possible) {
                    for replicate in 0..table.replicates.at(self.profile) {
                        let of = [&experiment.name, filter.name, keys.name()];
                        cells.push(Cell::Phases(PhasesCell {
                            experiment: experiment.name.clone(),
                            filter: filter.clone(),
                            keys: keys.clone(),
                            capacity,
                            size: *size,
                            replicate,
                            seed: self.seed_of(&of, replicate.into()),
                        }));
                    }
                }
            }
        }
        Ok(cells)
    }

    fn ways(
        &self,
        experiment: &Experiment,
        table: &Ways,
        sets: &[Arc<KeySet>],
    ) -> Result<Vec<Cell>> {
        let near = sizes(&table.target_fprs, &table.bits_per_key);
        let near = near.into_iter().map(|size| (size, false));
        let rooms: Vec<(Size, bool)> = near.chain([(FAR, true)]).collect();
        let mut cells = Vec::new();
        for filter in self.filters(&table.filters)? {
            for keys in sets {
                let own = rooms.iter().filter(|room| is_possible(&filter, &room.0));
                for (place, (size, is_far)) in own.enumerate() {
                    for replicate in 0..table.replicates.at(self.profile) {
                        let of = [&experiment.name, filter.name, keys.name()];
                        let number = ((place as u64) << 32) | u64::from(replicate);
                        cells.push(Cell::Ways(WaysCell {
                            experiment: experiment.name.clone(),
                            filter: filter.clone(),
                            keys: keys.clone(),
                            members: capacity_for(keys, table.capacity, 1.0),
                            size: *size,
                            is_far: *is_far,
                            replicate,
                            seed: self.seed_of(&of, number),
                            non_members: table.non_members.at(self.profile),
                        }));
                    }
                }
            }
        }
        Ok(cells)
    }

    fn memory(&self, experiment: &Experiment, table: &Memory) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for filter in self.filters(&table.filters)? {
            for &capacity in &table.capacities {
                for &target_fpr in &table.target_fprs {
                    cells.push(Cell::Memory(MemoryCell {
                        experiment: experiment.name.clone(),
                        filter: filter.clone(),
                        capacity,
                        target_fpr,
                        seed: self.seed,
                    }));
                }
            }
        }
        Ok(cells)
    }

    fn churn(
        &self,
        experiment: &Experiment,
        table: &Churn,
        sets: &[Arc<KeySet>],
    ) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for filter in self.filters(&table.filters)? {
            if !filter.removes {
                bail!("{} cannot remove keys: leave it out of churn", filter.name);
            }
            for keys in sets {
                let capacity = capacity_for(keys, table.capacity, 2.0);
                if !keys.is_generated() && keys.len() < 2 {
                    continue;
                }
                for replicate in 0..table.replicates.at(self.profile) {
                    let of = [&experiment.name, filter.name, keys.name()];
                    cells.push(Cell::Churn(ChurnCell {
                        experiment: experiment.name.clone(),
                        filter: filter.clone(),
                        keys: keys.clone(),
                        capacity,
                        target_fpr: table.target_fpr,
                        rounds: table.rounds.at(self.profile),
                        share: table.share,
                        replicate,
                        seed: self.seed_of(&of, replicate.into()),
                        hits: table.hits.at(self.profile) as f64,
                        max_strangers: table.max_strangers.at(self.profile),
                    }));
                }
            }
        }
        Ok(cells)
    }
}

/// The seed of a cell: a function of the run's seed and what the cell is, so
/// that leaving out other cells does not change it.
fn seed_of(run: u64, parts: &[&str], number: u64) -> u64 {
    let text = parts.iter().flat_map(|part| part.bytes().chain([0]));
    text.fold(mix(run ^ mix(number)), |seed, byte| {
        mix(seed ^ u64::from(byte))
    })
}

/// Of a filter that no cache holds: it is there for its code, not for its rate, and
/// every filter can be made for it.
const FAR: Size = Size::TargetFpr(0.01);

fn sizes(target_fprs: &[f64], bits_per_key: &[f64]) -> Vec<Size> {
    let targets = target_fprs.iter().map(|fpr| Size::TargetFpr(*fpr));
    let bits = bits_per_key.iter().map(|bits| Size::BitsPerKey(*bits));
    targets.chain(bits).collect()
}

fn is_possible(filter: &Entry, size: &Size) -> bool {
    !matches!(size, Size::BitsPerKey(bits) if *bits < filter.least_bits_per_key)
}

impl Fpr {
    /// The sizes of the filters at these points.
    fn sizes(&self, points: &[f64]) -> Vec<Size> {
        match (self.sweep, self.target_fpr) {
            (Sweep::Load, Some(fpr)) => vec![Size::TargetFpr(fpr)],
            (Sweep::Load, None) => Vec::new(),
            (Sweep::TargetFpr, _) => points.iter().map(|x| Size::TargetFpr(*x)).collect(),
            (Sweep::BitsPerKey, _) => points.iter().map(|x| Size::BitsPerKey(*x)).collect(),
        }
    }
}

/// Files are used whole, generated sets up to what the profile says.
fn most_keys(keys: &KeySet, generated: u64) -> u64 {
    if keys.is_generated() {
        generated
    } else {
        keys.len()
    }
}

/// The capacity of the definition, or what a smaller set can fill.
fn capacity_for(keys: &KeySet, wanted: u64, fullest: f64) -> u64 {
    wanted.min((keys.len() as f64 / fullest) as u64).max(1)
}
