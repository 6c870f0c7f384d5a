//! From experiment definitions to cells.

mod catalogue;
mod count;

use std::sync::Arc;

use anyhow::{Result, ensure};

use crate::battery::{BatteryCell, Claim, Expectation, Expectations};
use crate::experiment::{Churn, Experiment, Fpr, Kind, Memory, Profile, Uniformity};
use crate::measure::{
    Cell, ChurnCell, Fitted, FprCell, LAST_HITS, LocationSetsCell, MemoryCell, histogram,
};
use crate::registry::{Entry, Options, Size, members};
use crate::workload::{KeySet, seed_of};
use bouquet_ground::record::Sweep;
use bouquet_stats::{LOW_FPR, LOW_HITS};

pub use catalogue::Catalogue;
pub(crate) use count::MAX_CELLS;

/// An experiment in the planning.
pub struct Planner<'a> {
    pub catalogue: &'a Catalogue,
    pub experiment: &'a Experiment,
    /// Its key sets.
    pub sets: &'a [Arc<KeySet>],
    /// What it is narrowed to; all if there are none of either.
    pub filters: &'a [String],
    pub schemes: &'a [String],
    /// Whether the crates of others take part where none is named.
    pub has_peers: bool,
    pub profile: Profile,
    pub seed: u64,
}

impl Planner<'_> {
    pub fn cells(&self) -> Result<Vec<Cell>> {
        self.check_count()?;
        match self.experiment.kind() {
            Kind::Uniformity(table) => self.uniformity(table),
            Kind::Fpr(table) => self.fpr(table),
            Kind::Memory(table) => self.memory(table),
            Kind::Churn(table) => self.churn(table),
        }
    }

    fn filters(&self, names: &[String]) -> Result<Vec<Arc<Entry>>> {
        let all = self.filters.is_empty() && self.schemes.is_empty();
        let names = members(&self.catalogue.filters, names).into_iter();
        let filters = names.map(|name| self.catalogue.filter(name).cloned());
        let wanted = |filter: &Arc<Entry>| match all {
            true => self.has_peers || filter.role != "peer",
            false => self.filters.iter().any(|one| one == filter.name),
        };
        filters
            .filter(|one| one.as_ref().map_or(true, wanted))
            .collect()
    }

    /// Each of the filters with each set.
    fn each(&self, filters: &[String]) -> Result<Vec<On>> {
        let filters = self.filters(filters)?.into_iter();
        let each = |filter: Arc<Entry>| {
            let sets = self.sets.iter();
            sets.map(move |set| (filter.clone(), set.clone()))
        };
        Ok(filters.flat_map(each).collect())
    }

    /// With a seed of what it is, of `more` and of a number, whose lower half is the
    /// replicate.
    fn fitted(
        &self,
        (filter, keys): &On,
        (capacity, size): (u64, Size),
        more: &[&str],
        number: u64,
    ) -> Fitted {
        let experiment = &self.experiment.name;
        let of = [&[experiment, filter.name, keys.name()], more].concat();
        Fitted {
            experiment: experiment.clone(),
            filter: filter.clone(),
            keys: keys.clone(),
            capacity,
            size,
            replicate: number as u32,
            seed: seed_of(self.seed, &of, number),
            options: Options::default(),
        }
    }

    fn uniformity(&self, table: &Uniformity) -> Result<Vec<Cell>> {
        let all = self.filters.is_empty() && self.schemes.is_empty();
        let asked = || self.filters.iter().chain(self.schemes);
        let named = |name: &&str| asked().any(|one| one == name);
        let subjects = members(&self.catalogue.filters, &table.subjects);
        let claims = Expectations::shipped()?;
        let mut cells = Vec::new();
        // The control goes with whatever is tested: without it a pass says little.
        let any = subjects.iter().any(named);
        for name in &subjects {
            // What does not give its locations has none to test.
            let Some(subject) = self.catalogue.locating_named(name)? else {
                continue;
            };
            if !(all || named(name) || any && subject.role == "known-bad") {
                continue;
            }
            for keys in self.sets {
                let count = most_keys(keys, table.keys.at(self.profile));
                for (place, &slots) in table.slots.iter().enumerate() {
                    let expected = match claims.find(&subject, keys.name(), slots, count) {
                        Some(expected) => expected,
                        // A known fault that so few keys do not show.
                        None if subject.role == "known-bad" => continue,
                        None => Expectation::of(Claim::Unclaimed),
                    };
                    let experiment = &self.experiment.name;
                    let cell = BatteryCell {
                        subject,
                        keys: keys.clone(),
                        count,
                        slots,
                        probes: table.probes,
                        replicate: 0,
                        seed: seed_of(self.seed, &[experiment, name, keys.name()], slots),
                        options: Options::default(),
                        expected,
                    };
                    let bytes = cell.least_bytes();
                    let measure = move || match place {
                        0 => [cell.measure(), histogram(&cell)].concat(),
                        _ => cell.measure(),
                    };
                    cells.push(Cell::of(subject.name, measure).taking(bytes));
                }
            }
        }
        Ok(cells)
    }

    fn fpr(&self, table: &Fpr) -> Result<Vec<Cell>> {
        let all = table.points.at(self.profile);
        let fullest = table.fullest(&all);
        let mut cells = Vec::new();
        for on in self.each(&table.filters)? {
            let (filter, keys) = &on;
            let one_point = table.sweep != Sweep::Load && filter.fixed_size.is_some();
            let points = if one_point { &all[..1] } else { &all[..] };
            let capacity = capacity_for(keys, table.capacity, fullest);
            let replicates = self.replicates(table, filter, capacity);
            let fits = |x: f64| {
                let keys_at = (capacity as f64 * table.sweep.load(x)).round();
                keys_at >= 1.0 && (keys.is_generated() || keys_at <= keys.len() as f64)
            };
            for &x in points {
                let size = table.size(x);
                if !fits(x) || !is_possible(filter, &size) {
                    continue;
                }
                let cell = |replicate: u32| FprCell {
                    of: self.fitted(&on, (capacity, size), &[&x.to_string()], replicate.into()),
                    sweep: table.sweep,
                    x,
                    hits: table.hits.at(self.profile) as f64 / f64::from(replicates),
                    low_hits: LOW_HITS as f64 / f64::from(replicates),
                    max_non_members: table.max_non_members.at(self.profile),
                };
                cells.extend((0..replicates).map(|replicate| {
                    let cell = cell(replicate);
                    Cell::of(filter.name, move || vec![cell.measure()])
                }));
            }
            let one = table.sweep == Sweep::Load;
            let points = points.iter().take(if one { 1 } else { points.len() });
            let sizes = points.map(|x| table.size(*x));
            cells.extend(self.location_sets(&on, capacity, sizes));
        }
        Ok(cells)
    }

    /// For sizes that mean a low FPR: what keys that share their locations do to
    /// it.
    fn location_sets(
        &self,
        on: &On,
        capacity: u64,
        sizes: impl Iterator<Item = Size>,
    ) -> impl Iterator<Item = Cell> {
        let count = match self.profile {
            Profile::Quick => 1 << 17,
            Profile::Default => 1 << 19,
            Profile::Full => 1 << 20,
        };
        let is_located = on.0.locate.is_some() && on.0.fixed_size.is_none();
        let low = move |size: &Size| match *size {
            Size::TargetFpr(fpr) => is_located && fpr <= LOW_FPR,
            Size::BitsPerKey(bits) => is_located && 0.6185_f64.powf(bits) <= LOW_FPR,
        };
        sizes.filter(low).map(move |size| {
            let of = self.fitted(on, (capacity, size), &["locations"], 0);
            let cell = LocationSetsCell { of, count };
            Cell::of(on.0.name, move || vec![cell.measure()])
        })
    }

    fn memory(&self, table: &Memory) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for filter in self.filters(&table.filters)? {
            for &capacity in &table.capacities {
                for &target_fpr in &table.target_fprs {
                    let cell = MemoryCell {
                        experiment: self.experiment.name.clone(),
                        filter: filter.clone(),
                        capacity,
                        target_fpr,
                        seed: self.seed,
                    };
                    cells.push(Cell::of(filter.name, move || vec![cell.measure()]));
                }
            }
        }
        Ok(cells)
    }

    fn churn(&self, table: &Churn) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for on in self.each(&table.filters)? {
            let (filter, keys) = &on;
            ensure!(
                filter.removes,
                "{} cannot remove keys: leave it out of churn",
                filter.name
            );
            let capacity = capacity_for(keys, table.capacity, 2.0);
            if keys.up_to(2) < 2 {
                continue;
            }
            let replicates = table.replicates.at(self.profile);
            let judged_together = f64::from(replicates) * self.sets.len() as f64;
            let cell = |replicate: u32| ChurnCell {
                of: self.fitted(
                    &on,
                    (capacity, Size::TargetFpr(table.target_fpr)),
                    &[],
                    replicate.into(),
                ),
                rounds: table.rounds.at(self.profile),
                share: table.share,
                hits: table.hits.at(self.profile) as f64,
                last_hits: LAST_HITS / judged_together,
                max_non_members: table.max_non_members.at(self.profile),
            };
            for replicate in 0..replicates {
                let measured = cell(replicate);
                cells.push(Cell::of(filter.name, move || measured.measure()));
            }
        }
        Ok(cells)
    }
}

/// A filter and the keys that it is given.
type On = (Arc<Entry>, Arc<KeySet>);

fn is_possible(filter: &Entry, size: &Size) -> bool {
    !matches!(size, Size::BitsPerKey(bits) if *bits < filter.least_bits_per_key)
}

impl Fpr {
    /// The highest load at these points, for which a key set must do.
    fn fullest(&self, points: &[f64]) -> f64 {
        let loads = points.iter().map(|x| self.sweep.load(*x));
        loads.fold(1.0, f64::max)
    }

    /// The size of the filters at a point.
    fn size(&self, x: f64) -> Size {
        match (self.sweep, self.target_fpr) {
            (Sweep::Load, Some(fpr)) => Size::TargetFpr(fpr),
            (Sweep::TargetFpr, _) => Size::TargetFpr(x),
            _ => Size::BitsPerKey(x),
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
