//! Everything by its name.

use std::sync::Arc;

use anyhow::Result;

use crate::battery::Subject;
use crate::registry::{self, Entry};
use crate::schemes::{self, Scheme};
use crate::workload::named;
use bouquet_ground::record::SubjectRow;

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

    pub(crate) fn filter(&self, name: &str) -> Result<&Arc<Entry>> {
        named("filter", name, &self.filters, |entry| entry.name)
    }

    pub(crate) fn scheme(&self, name: &str) -> Result<&Scheme> {
        named("scheme", name, &self.schemes, |scheme| scheme.name)
    }

    /// A filter or scheme whose locations are to be tested.
    pub(super) fn subject(&self, name: &str) -> Result<Subject> {
        let schemes = self.schemes.iter().map(Subject::from);
        let filters = self.filters.iter().map(|entry| Subject {
            name: entry.name,
            role: entry.role,
            make: entry.locate,
        });
        let all: Vec<_> = schemes.chain(filters).collect();
        named("scheme or filter", name, &all, |subject| subject.name).copied()
    }

    /// Checks the names that a run was narrowed to.
    pub fn check(&self, narrow: &Narrow) -> Result<()> {
        let mut filters = narrow.filters.iter();
        filters.try_for_each(|name| self.filter(name).map(|_| ()))?;
        let mut schemes = narrow.schemes.iter();
        schemes.try_for_each(|name| self.scheme(name).map(|_| ()))
    }

    /// Rows of the subjects that take part in some cell.
    pub fn subjects(&self, taking_part: impl Fn(&str) -> bool) -> Vec<SubjectRow> {
        let filters = self.filters.iter().map(|entry| entry.row());
        let rows = filters.chain(self.schemes.iter().map(Scheme::row));
        rows.filter(|row| taking_part(&row.subject)).collect()
    }
}
