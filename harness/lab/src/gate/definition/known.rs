//! The names that a definition may use.

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::registry::{Entry, MakeLane, filters, known_faults, members, racers};
use crate::schemes::{Scheme, schemes};
use crate::workload::named;

/// What names may mean.
pub struct Known {
    filters: Vec<Arc<Entry>>,
    schemes: Vec<Scheme>,
    /// Filters with a known fault, which no list shows.
    faults: Vec<(Arc<Entry>, MakeLane)>,
}

impl Known {
    pub fn new() -> Self {
        let faults = known_faults().into_iter();
        Self {
            filters: filters().into_iter().map(Arc::new).collect(),
            schemes: schemes(),
            faults: faults
                .map(|(entry, make)| (Arc::new(entry), make))
                .collect(),
        }
    }

    pub fn filter(&self, name: &str) -> Result<(Arc<Entry>, Option<MakeLane>)> {
        if let Some((entry, make)) = self.faults.iter().find(|(entry, _)| entry.name == name) {
            return Ok((entry.clone(), Some(*make)));
        }
        let entry = named("filter", name, &self.filters, |entry| entry.name)?;
        let racer = racers().into_iter().find(|racer| racer.name == name);
        Ok((entry.clone(), racer.map(|racer| racer.make)))
    }

    /// Names with those in place of a group's that belong to it.
    pub fn members<'a>(&'a self, names: &'a [String]) -> Vec<&'a str> {
        members(&self.filters, names)
    }

    pub fn scheme(&self, name: &str) -> Result<&Scheme> {
        let mut schemes = self.schemes.iter();
        schemes
            .find(|scheme| scheme.name == name)
            .with_context(|| format!("no scheme is called {name:?}; see bouquet list"))
    }
}
