//! What can be measured, by its name.

use std::sync::Arc;

use anyhow::{Result, bail};

use crate::battery::Expectations;
use crate::registry::{self, Entry};
use crate::schemes::{self, Locating, Scheme};
use crate::workload::Manifest;
use bouquet_ground::record::SubjectRow;

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

    pub fn filter(&self, name: &str) -> Result<&Arc<Entry>> {
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

    /// A filter or scheme whose locations are to be tested, if it tells them.
    pub fn locating_named(&self, name: &str) -> Result<Option<Locating>> {
        if let Some(scheme) = self.schemes.iter().find(|scheme| scheme.name == name) {
            return Ok(Some(scheme.locating()));
        }
        let entry = self.filter(name).map_err(|_| {
            let schemes = self.schemes.iter().map(|s| s.name);
            let known: Vec<_> = schemes.chain(self.filters.iter().map(|f| f.name)).collect();
            anyhow::anyhow!(
                "no scheme or filter is called {name:?}; there are {}",
                known.join(", ")
            )
        })?;
        Ok(entry.locating())
    }

    /// All filters that tell their locations and all schemes, or those that are named
    /// and the controls.
    pub fn locating(
        &self,
        filters: &[String],
        schemes: &[String],
        controls: &[&str],
    ) -> Result<Vec<Locating>> {
        self.check(filters, schemes)?;
        let all = filters.is_empty() && schemes.is_empty();
        let named = |names: &[String], name: &str| all || names.iter().any(|one| one == name);
        let wanted = self.filters.iter().filter(|one| named(filters, one.name));
        let taken =
            |scheme: &&Scheme| named(schemes, scheme.name) || controls.contains(&scheme.name);
        let schemes = self.schemes.iter().filter(taken).map(Scheme::locating);
        Ok(wanted
            .filter_map(|one| one.locating())
            .chain(schemes)
            .collect())
    }

    /// Refuses a table that names what there is not: such a line would fit nothing.
    /// `own` is what the user's key set is called.
    pub fn check_names(&self, table: &Expectations, own: &str) -> Result<()> {
        let filters = self.filters.iter().map(|f| (f.name, f.role));
        let schemes = self.schemes.iter().map(|s| (s.name, s.role));
        let known: Vec<(&str, &str)> = filters.chain(schemes).collect();
        for subject in table.subjects() {
            match subject.strip_prefix("role:") {
                Some(role) if !known.iter().any(|(_, other)| *other == role) => {
                    bail!("no scheme or filter has the role {role:?}")
                }
                None if !known.iter().any(|(name, _)| *name == subject) => {
                    bail!(
                        "no scheme or filter is called {subject:?}; `bouquet list` has their names"
                    )
                }
                _ => {}
            }
        }
        let manifest = Manifest::find()?;
        let mut sets = table.datasets().filter(|name| *name != own);
        sets.try_for_each(|name| manifest.check_name(name))
    }

    /// Checks the names that a run was narrowed to.
    pub fn check(&self, filters: &[String], schemes: &[String]) -> Result<()> {
        for name in filters {
            self.filter(name)?;
        }
        for name in schemes {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_names_what_there_is() {
        let table = Expectations::shipped().unwrap();
        Catalogue::new().check_names(&table, "keys").unwrap();
    }
}
