//! Turns experiment definitions into cells, the units of work.

use std::sync::Arc;

use anyhow::{Result, bail, ensure};

use crate::battery::{BatteryCell, Claim, Expectation, Expectations};
use crate::cells::{
    Cell, ChurnCell, Fitted, FprCell, LAST_HITS, LocationSetsCell, MemoryCell, histogram,
};
use crate::experiment::{Churn, Experiment, Fpr, Kind, Memory, Profile, Uniformity};
use crate::registry::{self, Entry, Options, Request, Size, members};
use crate::schemes::{self, Scheme, Wanted};
use crate::workload::{KeySet, named, seed_of};
use bouquet_record::{SubjectRow, Sweep, is_only_reported};
use bouquet_stats::{LOW_FPR, LOW_HITS};

/// The smallest number of replicates of a filter whose FPR is reported but cannot fail the run;
/// with fewer, the confidence interval would be too wide.
const LEAST_REPORTED: u32 = 4;
/// The largest factor by which the number of replicates is increased for a small key set.
const MOST_TIMES: u64 = 16;

pub struct Planner<'a> {
    pub catalogue: &'a Catalogue,
    pub experiment: &'a Experiment,
    /// The key sets of the experiment.
    pub sets: &'a [Arc<KeySet>],
    /// The filters and schemes that the run is limited to; if both lists are empty, all take part.
    pub filters: &'a [String],
    pub schemes: &'a [String],
    /// Whether filters of other crates take part if the user names no filter or scheme.
    pub has_peers: bool,
    pub profile: Profile,
    pub seed: u64,
}

impl Planner<'_> {
    pub fn cells(&self) -> Result<Vec<Cell>> {
        match self.experiment.kind() {
            Kind::Uniformity(table) => self.uniformity(table),
            Kind::Fpr(table) => self.fpr(table),
            Kind::Memory(table) => self.memory(table),
            Kind::Churn(table) => self.churn(table),
        }
    }

    fn filters(&self, names: &[String]) -> Result<Vec<Arc<Entry>>> {
        let all = self.filters.is_empty() && self.schemes.is_empty();
        let mut filters = Vec::new();
        for name in members(&self.catalogue.filters, names, self.filters) {
            let filter = self.catalogue.filter(name)?;
            let is_wanted = match all {
                true => self.has_peers || filter.role != "peer",
                false => self.filters.iter().any(|one| one == filter.name),
            };
            filters.extend(is_wanted.then(|| filter.clone()));
        }
        Ok(filters)
    }

    /// Every combination of a filter and a key set. The capacity is `capacity`, or a smaller one if
    /// the set has fewer than `capacity * fullest` keys.
    fn each(&self, filters: &[String], capacity: u64, fullest: f64) -> Result<Vec<Fitted>> {
        let filters = self.filters(filters)?;
        let each = filters.iter().flat_map(|filter| {
            self.sets.iter().map(|keys| Fitted {
                experiment: self.experiment.name.clone(),
                filter: filter.clone(),
                keys: keys.clone(),
                capacity: capacity.min((keys.len() as f64 / fullest) as u64).max(1),
                size: Size::TargetFpr(0.0),
                replicate: 0,
                seed: self.seed,
                options: Options::default(),
            })
        });
        Ok(each.collect())
    }

    /// The filter `of` with this size, for one replicate. Its seed depends on the experiment,
    /// filter, key set, `more` and replicate.
    fn fitted(&self, of: &Fitted, size: Size, more: &[&str], replicate: u32) -> Fitted {
        let parts = [&[&*of.experiment, of.filter.name, of.keys.name()], more].concat();
        Fitted {
            size,
            replicate,
            seed: seed_of(self.seed, &parts, replicate.into()),
            ..of.clone()
        }
    }

    fn uniformity(&self, table: &Uniformity) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        let all = self.filters.is_empty() && self.schemes.is_empty();
        let asked = || self.filters.iter().chain(self.schemes);
        let named = |name: &&str| asked().any(|one| one == name);
        let subjects = members(&self.catalogue.filters, &table.subjects, self.filters);
        let claims = Expectations::shipped()?;
        // If any subject is tested, so are the known-bad schemes, which the tests must flag.
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
                // All keys of a file are tested; the profile says how many generated keys are.
                let count = match keys.is_generated() {
                    true => table.keys.at(self.profile),
                    false => keys.len(),
                };
                for (place, &slots) in table.slots.iter().enumerate() {
                    let expected = match claims.find(&subject, keys.name(), slots, count) {
                        Some(expected) => expected,
                        // This scheme's fault cannot be detected with so few keys: do not test it.
                        None if is_bad => continue,
                        None => Expectation::of(Claim::Unclaimed),
                    };
                    let parts = [&*self.experiment.name, name, keys.name()];
                    let cell = BatteryCell {
                        subject,
                        keys: keys.clone(),
                        at: Wanted::new(slots, table.probes, seed_of(self.seed, &parts, slots)),
                        count,
                        replicate: 0,
                        expected,
                    };
                    cell.check_room()?;
                    cells.push(Cell::of(subject.name, move || match place {
                        0 => [cell.measure(), histogram(&cell)].concat(),
                        _ => cell.measure(),
                    }));
                }
            }
        }
        Ok(cells)
    }

    fn fpr(&self, table: &Fpr) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        let all = table.points.at(self.profile);
        let loads = all.iter().map(|x| table.sweep.load(*x));
        let fullest = loads.fold(1.0, f64::max);
        let is_of_load = table.sweep == Sweep::Load;
        for of in self.each(&table.filters, table.capacity, fullest)? {
            let Fitted { filter, keys, .. } = &of;
            let one_point = !is_of_load && filter.fixed_size.is_some();
            let points = if one_point { &all[..1] } else { &all[..] };
            let replicates = self.replicates(table, filter, of.capacity);
            // With a small key set there are more replicates, and each looks up fewer non-members.
            // Otherwise a set of a few keys, whose filters have almost no false positives, would
            // take minutes.
            let part = of.capacity as f64 / table.capacity as f64;
            let most = (table.max_non_members.at(self.profile) as f64 * part).ceil() as u64;
            for (place, &x) in points.iter().enumerate() {
                let (size, is_low, is_possible) = match table.sweep {
                    Sweep::Load | Sweep::TargetFpr => {
                        let fpr = table.target_fpr.unwrap_or(x);
                        (Size::TargetFpr(fpr), fpr <= LOW_FPR, true)
                    }
                    Sweep::BitsPerKey => (
                        Size::BitsPerKey(x),
                        0.6185_f64.powf(x) <= LOW_FPR,
                        x >= filter.least_bits_per_key,
                    ),
                    // These sweeps are defined in the tables `churn` and `memory`.
                    Sweep::Churn | Sweep::Memory => continue,
                };
                // At a low FPR, pairs of keys with the same k slots matter, so they are counted.
                let is_located = filter.locate.is_some() && filter.fixed_size.is_none();
                if is_low && is_located && (place == 0 || !is_of_load) {
                    let of = self.fitted(&of, size, &["locations"], 0);
                    let count = match self.profile {
                        Profile::Quick => 1 << 17,
                        Profile::Default => 1 << 19,
                        Profile::Full => 1 << 20,
                    };
                    let cell = LocationSetsCell { of, count };
                    cells.push(Cell::of(filter.name, move || vec![cell.measure()]));
                }
                let given = (of.capacity as f64 * table.sweep.load(x)).round();
                let has_keys = keys.is_generated() || given <= keys.len() as f64;
                if given < 1.0 || !has_keys || !is_possible {
                    continue;
                }
                cells.extend((0..replicates).map(|replicate| {
                    let cell = FprCell {
                        of: self.fitted(&of, size, &[&*x.to_string()], replicate),
                        sweep: table.sweep,
                        x,
                        hits: table.hits.at(self.profile) as f64 / f64::from(replicates),
                        low_hits: LOW_HITS as f64 / f64::from(replicates),
                        max_non_members: most,
                    };
                    Cell::of(filter.name, move || vec![cell.measure()])
                }));
            }
        }
        Ok(cells)
    }

    /// The number of replicates of a filter: a quarter of the usual number if its FPR is reported
    /// but cannot fail the run, and more for a small key set, because small filters vary more.
    fn replicates(&self, table: &Fpr, filter: &Entry, capacity: u64) -> u32 {
        let all = table.replicates.at(self.profile).max(1);
        let all = match is_only_reported(filter.role) {
            true => all.min(LEAST_REPORTED.max(all / 4)),
            false => all,
        };
        all * (table.capacity / capacity.max(1)).clamp(1, MOST_TIMES) as u32
    }

    fn memory(&self, table: &Memory) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for filter in self.filters(&table.filters)? {
            for &capacity in &table.capacities {
                cells.extend(table.target_fprs.iter().map(|&target_fpr| {
                    let cell = MemoryCell {
                        experiment: self.experiment.name.clone(),
                        filter: filter.clone(),
                        capacity,
                        target_fpr,
                        seed: self.seed,
                    };
                    Cell::of(filter.name, move || vec![cell.measure()])
                }));
            }
        }
        Ok(cells)
    }

    fn churn(&self, table: &Churn) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        let replicates = table.replicates.at(self.profile);
        let judged_together = f64::from(replicates) * self.sets.len() as f64;
        for of in self.each(&table.filters, table.capacity, 2.0)? {
            let name = of.filter.name;
            ensure!(
                of.filter.removes,
                "{name} cannot remove keys: leave it out of churn"
            );
            if of.keys.up_to(2) < 2 {
                continue;
            }
            cells.extend((0..replicates).map(|replicate| {
                let cell = ChurnCell {
                    of: self.fitted(&of, Size::TargetFpr(table.target_fpr), &[], replicate),
                    rounds: table.rounds.at(self.profile),
                    share: table.share,
                    hits: table.hits.at(self.profile) as f64,
                    last_hits: LAST_HITS / judged_together,
                    max_non_members: table.max_non_members.at(self.profile),
                };
                Cell::of(name, move || cell.measure())
            }));
        }
        Ok(cells)
    }
}

/// All filters and location schemes that can be measured.
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

    pub(crate) fn filter(&self, name: &str) -> Result<&Arc<Entry>> {
        named("filter", name, &self.filters, |entry| entry.name)
    }

    /// The filter or scheme with this name, if it exposes the slots that it maps a key to.
    fn locating_named(&self, name: &str) -> Result<Option<Scheme>> {
        let schemes = self.schemes.iter().map(|one| (one.name, Some(*one)));
        let filters = self.filters.iter().map(|one| (one.name, one.locating()));
        let all: Vec<_> = schemes.chain(filters).collect();
        Ok(named("scheme or filter", name, &all, |one| one.0)?.1)
    }

    /// Fails if one of our filters cannot be built for this target FPR. Does not check filters of
    /// other crates: for these, the error becomes a row of the report.
    pub fn check_target(&self, filters: &[String], capacity: u64, target: f64) -> Result<()> {
        let request = Request::of_target(capacity, target, 0);
        let is_named = |one: &&Arc<Entry>| filters.iter().any(|name| name == one.name);
        let named = self.filters.iter().filter(is_named);
        for own in named.filter(|one| one.role == "ours") {
            if let Err(why) = (own.build)(&request) {
                let name = own.name;
                bail!("--fpr {target:?}: {name} rejects: {why:#}; ask for a higher rate");
            }
        }
        Ok(())
    }

    /// The filters and schemes that expose the slots of a key: all if no name is given, otherwise
    /// the named ones and the schemes in `controls`.
    pub fn locating(
        &self,
        filters: &[String],
        schemes: &[String],
        controls: &[&str],
    ) -> Vec<Scheme> {
        let all = filters.is_empty() && schemes.is_empty();
        let is_in = |names: &[String], name: &str| all || names.iter().any(|one| one == name);
        let is_filter = |one: &&Arc<Entry>| is_in(filters, one.name);
        let is_scheme = |one: &&Scheme| is_in(schemes, one.name) || controls.contains(&one.name);
        let filters = self.filters.iter().filter(is_filter);
        let schemes = self.schemes.iter().filter(is_scheme);
        let located = filters.filter_map(|one| one.locating());
        located.chain(schemes.copied()).collect()
    }

    /// Fails if a name is not that of a filter or of a scheme.
    pub fn check(&self, filters: &[String], schemes: &[String]) -> Result<()> {
        for name in filters {
            self.filter(name)?;
        }
        for name in schemes {
            named("scheme", name, &self.schemes, |scheme| scheme.name)?;
        }
        Ok(())
    }

    /// The rows of the filters and schemes for which `taking_part` is true.
    pub fn subjects(&self, taking_part: impl Fn(&str) -> bool) -> Vec<SubjectRow> {
        let filters = self.filters.iter().map(|entry| entry.row());
        let rows = filters.chain(self.schemes.iter().map(Scheme::row));
        rows.filter(|row| taking_part(&row.subject)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_below_what_a_filter_can_do_is_rejected() {
        let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let standard = names(&["standard"]);
        let catalogue = Catalogue::new();
        assert!(catalogue.check_target(&standard, 1_000, 0.01).is_ok());
        let rejection = catalogue
            .check_target(&standard, 1_000, 1e-300)
            .unwrap_err();
        let rejection = rejection.to_string();
        assert!(
            rejection.starts_with("--fpr 1e-300: standard rejects: "),
            "{rejection}"
        );
        assert!(
            rejection.ends_with("; ask for a higher rate"),
            "{rejection}"
        );
    }
}
