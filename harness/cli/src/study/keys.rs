//! The key sets of a run.

use std::{path::Path, sync::Arc};

use anyhow::{Result, bail};

use super::say;
use bouquet_lab::workload::{KeySet, Manifest};

/// The name under which `--keys FILE` goes.
pub const OWN: &str = "keys";

/// The key sets that were asked for.
pub struct Asked<'a> {
    /// All that are not narrowed away, if none.
    pub datasets: &'a [String],
    pub keys: Option<&'a Path>,
    pub nul: bool,
    pub quiet: bool,
}

impl Asked<'_> {
    /// Loads the user's own keys, and the key sets that were named or else these.
    pub fn load<'n>(&'n self, usual: impl Iterator<Item = &'n str>) -> Result<Vec<Arc<KeySet>>> {
        let mut sets = Vec::new();
        let is_own = |name: &&String| *name == OWN;
        let own_wanted = self.datasets.iter().any(|name| name == OWN);
        match self.keys {
            Some(path) => {
                let end = if self.nul { 0 } else { b'\n' };
                let (set, warning) = KeySet::read_file(OWN, path, end)?;
                if let Some(warning) = warning {
                    say(self.quiet, &format!("warning: {warning}"));
                }
                sets.push(Arc::new(set));
            }
            None if own_wanted => {
                bail!("--datasets {OWN} means your own keys: give them with --keys FILE")
            }
            None => {}
        }
        if own_wanted && self.datasets.iter().all(|name| is_own(&name)) {
            return Ok(sets);
        }
        let manifest = Manifest::find()?;
        let named = || self.datasets.iter().filter(|name| !is_own(name));
        named().try_for_each(|name| manifest.check_name(name))?;
        // A set that is asked for by name is used, whether or not a definition has it.
        let named = named().map(String::as_str);
        let is_wanted = |name: &&str| {
            self.datasets.is_empty() || self.datasets.iter().any(|asked| asked == name)
        };
        let mut seen = Vec::new();
        for name in usual.filter(is_wanted).chain(named) {
            if !seen.contains(&name) {
                seen.push(name);
                sets.push(Arc::new(manifest.load(name)?));
            }
        }
        Ok(sets)
    }
}
