//! Flags that several commands share.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, bail};

use crate::output::{Format, say};
use bouquet_catalogue::theory;
use bouquet_measure::experiment::Profile;
use bouquet_measure::workload::{KeySet, Manifest};
use bouquet_record::groups::distinct;

/// The name of the key set from `--keys FILE`.
pub const OWN: &str = "keys";

/// Which filters are measured, on which keys.
#[derive(clap::Args, Clone, Debug)]
pub struct KeySetArgs {
    /// Only these filters.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    pub filters: Vec<String>,
    /// Only these key sets.
    #[arg(long, alias = "dataset", value_delimiter = ',', value_name = "NAME,…")]
    pub datasets: Vec<String>,
    /// Your own keys, one per line, in addition to the key sets; only these with `--datasets keys`.
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// Keys in the file end with NUL, not with a line feed.
    #[arg(short = '0', requires = "keys")]
    pub nul: bool,
}

impl KeySetArgs {
    /// Loads the user's own keys and the key sets named by `--datasets` or, without it, by `usual`.
    pub fn load<'n>(&'n self, usual: impl Iterator<Item = &'n str>) -> Result<Vec<Arc<KeySet>>> {
        let mut sets = Vec::new();
        let is_wanted = |name: &str| self.datasets.iter().any(|own| own == name);
        if let Some(path) = &self.keys {
            let end = if self.nul { 0 } else { b'\n' };
            let (set, warning) = KeySet::read_file(OWN, path, end)?;
            if let Some(warning) = warning {
                say(&format!("warning: {warning}"));
            }
            sets.push(Arc::new(set));
        }
        if self.keys.is_none() && is_wanted(OWN) {
            bail!("--datasets {OWN} means your own keys: give them with --keys FILE");
        }
        let named = self.datasets.iter().map(String::as_str);
        let named = named.filter(|name| *name != OWN);
        if is_wanted(OWN) && named.clone().next().is_none() {
            return Ok(sets);
        }
        let manifest = Manifest::find()?;
        for name in named.clone() {
            manifest.check_name(name)?;
        }
        // A key set that the user names is loaded even if `usual` does not contain it.
        let usual = usual.filter(|name| self.datasets.is_empty() || is_wanted(name));
        for name in distinct(usual.chain(named)) {
            sets.push(Arc::new(manifest.load(name)?));
        }
        Ok(sets)
    }
}

/// How much is measured.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Effort {
    /// Measure less: seconds instead of minutes.
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// Measure more, for figures that are to be published.
    #[arg(long)]
    pub full: bool,
}

impl Effort {
    pub fn profile(self) -> Profile {
        Profile::chosen(self.quick, self.full)
    }
}

/// Flags of every command that measures.
#[derive(clap::Args, Clone, Debug)]
pub struct OutputArgs {
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>, display_order = 100)]
    pub seed: u64,
    /// The folder of the report.
    #[arg(long, value_name = "DIR", display_order = 102)]
    pub out: Option<PathBuf>,
    /// The format of the results on standard output.
    #[arg(long, value_enum, default_value = "table", display_order = 104)]
    pub format: Format,
}

/// Parses a whole number of at least 1, such as `1000000`, `1_000_000` or `1e6`.
pub fn count(text: &str) -> Result<u64, String> {
    match theory::whole(text)? {
        0 => Err("give at least 1".into()),
        count => Ok(count),
    }
}

/// Flags of every command that measures and judges.
#[derive(clap::Args, Clone, Debug)]
pub struct VerdictArgs {
    #[command(flatten)]
    pub effort: Effort,
    #[command(flatten)]
    pub run: OutputArgs,
    /// Threads that measure; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = count, display_order = 101)]
    jobs: Option<u64>,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long, display_order = 105)]
    pub strict: bool,
}

impl VerdictArgs {
    pub fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, |jobs| jobs as usize)
    }
}
