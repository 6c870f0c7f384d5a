//! The names that a definition may use.

use std::sync::Arc;

use anyhow::Result;

use crate::plan::Catalogue;
use crate::registry::{Entry, MakeLane, members, racers};
use crate::schemes::Scheme;

/// What names may mean.
pub struct Known(Catalogue);

impl Known {
    pub fn new() -> Self {
        Self(Catalogue::new())
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
        let entry = self.0.filter(name)?;
        let racer = racers().into_iter().find(|racer| racer.name == name);
        Ok((entry.clone(), racer.map(|racer| racer.make)))
    }

    /// Names with those in place of a group's that belong to it.
    pub fn members<'a>(&'a self, names: &'a [String]) -> Vec<&'a str> {
        members(&self.0.filters, names)
    }

    pub fn scheme(&self, name: &str) -> Result<&Scheme> {
        self.0.scheme(name)
    }
}
