//! Turns experiment definitions into cells.

mod catalogue;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::{Result, bail, ensure};

use crate::battery::{BatteryCell, Claim, Expectation, Expectations};
use crate::cells::{
    Cell, ChurnCell, Fitted, FprCell, LAST_HITS, LocationSetsCell, MemoryCell, histogram,
};
use crate::experiment::{Churn, Experiment, Fpr, Kind, Memory, Profile, Uniformity};
use crate::registry::{Entry, Options, Size, members};
use crate::workload::{KeySet, seed_of};
use bouquet_record::{Sweep, is_only_reported};
use bouquet_stats::{LOW_FPR, LOW_HITS};

pub use catalogue::Catalogue;

/// The maximum number of cells of an experiment: five times as many as the largest built-in
/// experiment has. Planning this many takes seconds, and less memory than the filters do.
const MAX_CELLS: u64 = 1 << 18;

/// The fewest replicates of a filter whose rate is only reported; with fewer, the interval would be
/// too wide.
const LEAST_REPORTED: u32 = 4;
/// The largest factor by which the number of replicates is increased for a small key set.
const MOST_TIMES: u64 = 16;

/// Plans the cells of one experiment.
pub struct Planner<'a> {
    pub catalogue: &'a Catalogue,
    pub experiment: &'a Experiment,
    /// The key sets of the experiment.
    pub sets: &'a [Arc<KeySet>],
    /// The filters and schemes that the run is limited to; if both lists are empty, all take part.
    pub filters: &'a [String],
    pub schemes: &'a [String],
    /// Whether filters of other crates take part if none is named.
    pub has_peers: bool,
    pub profile: Profile,
    pub seed: u64,
}

impl Planner<'_> {
    /// The cells of the experiment. Fails if there are too many: each list may be short, but their
    /// combinations would take hours to plan.
    pub fn cells(&self) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        let mut take = |cell: Cell| {
            if cells.len() as u64 == MAX_CELLS {
                bail!(
                    "the experiment {:?} makes too many measurements, more than {MAX_CELLS}: give \
                     fewer key sets, filters, sizes or replicates",
                    self.experiment.name
                );
            }
            cells.push(cell);
            Ok(())
        };
        match self.experiment.kind() {
            Kind::Uniformity(table) => self.uniformity(table, &mut take)?,
            Kind::Fpr(table) => self.fpr(table, &mut take)?,
            Kind::Memory(table) => self.memory(table, &mut take)?,
            Kind::Churn(table) => self.churn(table, &mut take)?,
        }
        Ok(cells)
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

    /// Every combination of the filters and the key sets.
    fn each(&self, filters: &[String]) -> Result<Vec<On>> {
        let filters = self.filters(filters)?.into_iter();
        let each = |filter: Arc<Entry>| {
            let sets = self.sets.iter();
            sets.map(move |set| (filter.clone(), set.clone()))
        };
        Ok(filters.flat_map(each).collect())
    }

    /// The filter to build, with a seed that depends on the experiment, filter, key set, `more` and
    /// `number`; the lower half of `number` is the replicate.
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

    fn uniformity(&self, table: &Uniformity, take: &mut Take<'_>) -> Result<()> {
        let all = self.filters.is_empty() && self.schemes.is_empty();
        let asked = || self.filters.iter().chain(self.schemes);
        let named = |name: &&str| asked().any(|one| one == name);
        let subjects = members(&self.catalogue.filters, &table.subjects);
        let claims = Expectations::shipped()?;
        // The known-bad control runs with whatever is tested: without it a pass means little.
        let any = subjects.iter().any(named);
        for name in &subjects {
            // A subject that does not expose its locations cannot be tested.
            let Some(subject) = self.catalogue.locating_named(name)? else {
                continue;
            };
            let is_bad = subject.role == "known-bad";
            if !(all || named(name) || any && is_bad) {
                continue;
            }
            for keys in self.sets {
                // All keys of a file are used; of a generated set, as many as the profile says.
                let count = match keys.is_generated() {
                    true => table.keys.at(self.profile),
                    false => keys.len(),
                };
                for (place, &slots) in table.slots.iter().enumerate() {
                    let expected = match claims.find(&subject, keys.name(), slots, count) {
                        Some(expected) => expected,
                        // A known fault that cannot be detected with this number of keys.
                        None if is_bad => continue,
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
                    take(Cell::of(subject.name, measure).taking(bytes))?;
                }
            }
        }
        Ok(())
    }

    fn fpr(&self, table: &Fpr, take: &mut Take<'_>) -> Result<()> {
        let all = table.points.at(self.profile);
        let loads = all.iter().map(|x| table.sweep.load(*x));
        let fullest = loads.fold(1.0, f64::max);
        let is_of_load = table.sweep == Sweep::Load;
        for on in self.each(&table.filters)? {
            let (filter, keys) = &on;
            let one_point = !is_of_load && filter.fixed_size.is_some();
            let points = if one_point { &all[..1] } else { &all[..] };
            let capacity = capacity_for(keys, table.capacity, fullest);
            let replicates = self.replicates(table, filter, capacity);
            // A small key set has more replicates, and each fewer non-members. Without this, a set
            // of a few keys, whose filters have next to no false positives, would take minutes.
            let part = capacity as f64 / table.capacity as f64;
            let most = (table.max_non_members.at(self.profile) as f64 * part).ceil() as u64;
            for (place, &x) in points.iter().enumerate() {
                let size = match table.sweep {
                    Sweep::Load => Size::TargetFpr(table.target_fpr.unwrap_or(x)),
                    Sweep::TargetFpr => Size::TargetFpr(x),
                    Sweep::BitsPerKey => Size::BitsPerKey(x),
                    // These sweeps have tables of their own.
                    Sweep::Churn | Sweep::Memory => continue,
                };
                // For sizes that give a low FPR: measures how keys with the same locations affect
                // it.
                let is_low = match size {
                    Size::TargetFpr(fpr) => fpr <= LOW_FPR,
                    Size::BitsPerKey(bits) => 0.6185_f64.powf(bits) <= LOW_FPR,
                };
                let is_located = filter.locate.is_some() && filter.fixed_size.is_none();
                if is_low && is_located && (place == 0 || !is_of_load) {
                    let cell = LocationSetsCell {
                        of: self.fitted(&on, (capacity, size), &["locations"], 0),
                        count: match self.profile {
                            Profile::Quick => 1 << 17,
                            Profile::Default => 1 << 19,
                            Profile::Full => 1 << 20,
                        },
                    };
                    take(Cell::of(filter.name, move || vec![cell.measure()]))?;
                }
                let given = (capacity as f64 * table.sweep.load(x)).round();
                let has_keys = keys.is_generated() || given <= keys.len() as f64;
                let is_too_small =
                    matches!(size, Size::BitsPerKey(bits) if bits < filter.least_bits_per_key);
                if given < 1.0 || !has_keys || is_too_small {
                    continue;
                }
                for replicate in 0..replicates {
                    let more = [&*x.to_string()];
                    let cell = FprCell {
                        of: self.fitted(&on, (capacity, size), &more, replicate.into()),
                        sweep: table.sweep,
                        x,
                        hits: table.hits.at(self.profile) as f64 / f64::from(replicates),
                        low_hits: LOW_HITS as f64 / f64::from(replicates),
                        max_non_members: most,
                    };
                    take(Cell::of(filter.name, move || vec![cell.measure()]))?;
                }
            }
        }
        Ok(())
    }

    /// The number of replicates. A filter whose rate is only reported gets a quarter of them,
    /// because no verdict depends on it. With a small key set the filters are small and vary more,
    /// so there are more of them.
    fn replicates(&self, table: &Fpr, filter: &Entry, capacity: u64) -> u32 {
        let all = table.replicates.at(self.profile).max(1);
        let all = match is_only_reported(filter.role) {
            true => all.min(LEAST_REPORTED.max(all / 4)),
            false => all,
        };
        all * (table.capacity / capacity.max(1)).clamp(1, MOST_TIMES) as u32
    }

    fn memory(&self, table: &Memory, take: &mut Take<'_>) -> Result<()> {
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
                    take(Cell::of(filter.name, move || vec![cell.measure()]))?;
                }
            }
        }
        Ok(())
    }

    fn churn(&self, table: &Churn, take: &mut Take<'_>) -> Result<()> {
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
            let size = Size::TargetFpr(table.target_fpr);
            for replicate in 0..replicates {
                let cell = ChurnCell {
                    of: self.fitted(&on, (capacity, size), &[], replicate.into()),
                    rounds: table.rounds.at(self.profile),
                    share: table.share,
                    hits: table.hits.at(self.profile) as f64,
                    last_hits: LAST_HITS / judged_together,
                    max_non_members: table.max_non_members.at(self.profile),
                };
                take(Cell::of(filter.name, move || cell.measure()))?;
            }
        }
        Ok(())
    }
}

/// Receives the cells of an experiment.
type Take<'a> = dyn FnMut(Cell) -> Result<()> + 'a;

/// A filter, and the key set from which it is given keys.
type On = (Arc<Entry>, Arc<KeySet>);

/// The capacity of the definition, or a smaller one if the set cannot fill it up to the load
/// `fullest`.
fn capacity_for(keys: &KeySet, wanted: u64, fullest: f64) -> u64 {
    wanted.min((keys.len() as f64 / fullest) as u64).max(1)
}
