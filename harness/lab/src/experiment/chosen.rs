//! The experiments of a command line.

use std::path::PathBuf;

use anyhow::{Result, bail};

use super::Experiment;

impl Experiment {
    /// Those of these files, or else those with these names, or all that come along.
    pub fn chosen(files: &[PathBuf], names: &[String]) -> Result<Vec<Self>> {
        if !files.is_empty() {
            let own = files.iter().map(|path| Self::read(path));
            let own: Vec<Self> = own.collect::<Result<_>>()?;
            for (i, one) in own.iter().enumerate() {
                if own[..i].iter().any(|other| other.name == one.name) {
                    bail!("two experiments are called {:?}: rename one", one.name);
                }
            }
            return Ok(own);
        }
        let mut shipped = Self::shipped()?;
        let known: Vec<&str> = shipped.iter().map(|one| one.name.as_str()).collect();
        if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
            let known = known.join(", ");
            bail!("no experiment is called {name:?}; there are {known}");
        }
        shipped.retain(|one| names.is_empty() || names.contains(&one.name));
        Ok(shipped)
    }
}
