//! The names that a definition may use.

use std::sync::Arc;

use anyhow::{Context, Result};

use crate::plan::Catalogue;
use crate::registry::{Entry, MakeLane, known_faults, members, racers};
use crate::schemes::Scheme;

/// What names may mean.
pub struct Known {
    listed: Catalogue,
    /// Filters with a known fault, which no list shows.
    faults: Vec<(Arc<Entry>, MakeLane)>,
}

impl Known {
    pub fn new() -> Self {
        let faults = known_faults().into_iter();
        Self {
            listed: Catalogue::new(),
            faults: faults
                .map(|(entry, make)| (Arc::new(entry), make))
                .collect(),
        }
    }

    pub fn filter(&self, name: &str) -> Result<(Arc<Entry>, Option<MakeLane>)> {
        if let Some((entry, make)) = self.faults.iter().find(|(entry, _)| entry.name == name) {
            return Ok((entry.clone(), Some(*make)));
        }
        let entry = self.listed.filter(name)?;
        let racer = racers().into_iter().find(|racer| racer.name == name);
        Ok((entry.clone(), racer.map(|racer| racer.make)))
    }

    /// Names with those in place of a group's that belong to it.
    pub fn members<'a>(&'a self, names: &'a [String]) -> Vec<&'a str> {
        members(&self.listed.filters, names)
    }

    pub fn scheme(&self, name: &str) -> Result<&Scheme> {
        let mut schemes = self.listed.schemes.iter();
        schemes
            .find(|scheme| scheme.name == name)
            .with_context(|| format!("no scheme is called {name:?}; see bouquet list"))
    }
}
