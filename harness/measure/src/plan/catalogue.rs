//! Everything that can be measured, by name.

use std::sync::Arc;

use anyhow::{Result, bail};

use crate::registry::{self, Entry, Request};
use crate::schemes::{self, Scheme};
use crate::workload::named;
use bouquet_record::SubjectRow;

/// All filters and schemes of the harness.
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

    /// The filter or scheme with this name, if it exposes its locations.
    pub(super) fn locating_named(&self, name: &str) -> Result<Option<Scheme>> {
        let schemes = self.schemes.iter().map(|one| (one.name, Some(*one)));
        let filters = self.filters.iter().map(|one| (one.name, one.locating()));
        let all: Vec<_> = schemes.chain(filters).collect();
        Ok(named("scheme or filter", name, &all, |one| one.0)?.1)
    }

    /// Fails if one of our filters cannot be built for this target; for a filter of another crate,
    /// the error becomes a row.
    pub fn check_target(&self, filters: &[String], capacity: u64, target: f64) -> Result<()> {
        let request = Request::of_target(capacity, target, 0);
        let is_named = |one: &&Arc<Entry>| filters.iter().any(|name| name == one.name);
        let named = self.filters.iter().filter(is_named);
        for Entry { name, build, .. } in named.map(Arc::as_ref).filter(|one| one.role == "ours") {
            if let Err(why) = build(&request) {
                bail!("--fpr {target:?}: {name} rejects: {why:#}; ask for a higher rate");
            }
        }
        Ok(())
    }

    /// All schemes and all filters that expose their locations, or only those that are named and
    /// the controls.
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

    /// Checks the names of filters and schemes that a run is limited to.
    pub fn check(&self, filters: &[String], schemes: &[String]) -> Result<()> {
        for name in filters {
            self.filter(name)?;
        }
        for name in schemes {
            named("scheme", name, &self.schemes, |scheme| scheme.name)?;
        }
        Ok(())
    }

    /// The rows of the subjects that take part in at least one cell.
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
