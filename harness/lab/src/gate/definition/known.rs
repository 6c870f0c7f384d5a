//! The names that a definition may use.

use std::sync::Arc;

use anyhow::{Context, Result, bail};

use crate::registry::{Entry, MakeLane, filters, known_faults, racers};
use crate::schemes::{Scheme, schemes};

/// What names may mean.
pub struct Known {
    filters: Vec<Arc<Entry>>,
    /// Filters with a known fault, which no list shows.
    faults: Vec<(Arc<Entry>, MakeLane)>,
    schemes: Vec<Scheme>,
}

impl Known {
    pub fn new() -> Self {
        let faults = known_faults().into_iter();
        Self {
            filters: filters().into_iter().map(Arc::new).collect(),
            faults: faults
                .map(|fault| (Arc::new(fault.entry), fault.make))
                .collect(),
            schemes: schemes(),
        }
    }

    pub fn filter(&self, name: &str) -> Result<(Arc<Entry>, Option<MakeLane>)> {
        if let Some((entry, make)) = self.faults.iter().find(|(entry, _)| entry.name == name) {
            return Ok((entry.clone(), Some(*make)));
        }
        let Some(entry) = self.filters.iter().find(|entry| entry.name == name) else {
            let known: Vec<_> = self.filters.iter().map(|entry| entry.name).collect();
            bail!(
                "no filter is called {name:?}; there are {}",
                known.join(", ")
            );
        };
        let racer = racers().into_iter().find(|racer| racer.name == name);
        Ok((entry.clone(), racer.map(|racer| racer.make)))
    }

    pub fn scheme(&self, name: &str) -> Result<&Scheme> {
        self.schemes
            .iter()
            .find(|scheme| scheme.name == name)
            .with_context(|| format!("no scheme is called {name:?}; see bouquet list"))
    }
}
