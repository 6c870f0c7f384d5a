//! The names that a definition may use.

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::registry::{Entry, MakeLane, filters, members, racers};
use crate::schemes::{Scheme, schemes};
use crate::workload::named;

/// What names may mean.
pub struct Known {
    filters: Vec<Arc<Entry>>,
    schemes: Vec<Scheme>,
}

impl Known {
    pub fn new() -> Self {
        Self {
            filters: filters().into_iter().map(Arc::new).collect(),
            schemes: schemes(),
        }
    }

    pub fn filter(&self, name: &str) -> Result<(Arc<Entry>, Option<MakeLane>)> {
        // What a gate must find, which no list shows.
        #[cfg(any(test, feature = "faults"))]
        if let Some((entry, make)) = crate::registry::known_faults()
            .into_iter()
            .find(|(entry, _)| entry.name == name)
        {
            return Ok((entry.into(), Some(make)));
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
