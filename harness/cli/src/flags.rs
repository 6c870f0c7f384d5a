//! Flags that several commands share, each declared once; a command can replace parts of their help
//! texts.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, bail};
use clap::Arg;

use crate::output::{Format, say};
use bouquet_ground::groups::distinct;
use bouquet_lab::experiment::Profile;
use bouquet_lab::workload::{KeySet, Manifest};
use bouquet_theory as theory;

/// The name of the key set from `--keys FILE`.
pub const OWN: &str = "keys";

/// Replaces the help texts of flags that are declared here. Each line of `words` has a flag's name
/// and its text; the text of `out` is the default folder.
pub fn with(words: &'static str) -> impl Fn(Arg) -> Arg {
    move |arg| {
        let mut lines = words.lines().filter_map(|line| line.split_once(": "));
        match lines.find(|(name, _)| arg.get_id() == name) {
            Some(("out", folder)) => arg.default_value(folder),
            Some((_, help)) => arg.help(help),
            None => arg,
        }
    }
}

/// Which filters are measured, on which keys.
#[derive(clap::Args, Clone, Debug)]
pub struct Chosen {
    /// Only these filters.
    #[arg(long, alias = "filter", value_delimiter = ',', value_name = "NAME,…")]
    pub filters: Vec<String>,
    /// Only these key sets.
    #[arg(long, alias = "dataset", value_delimiter = ',', value_name = "NAME,…")]
    pub datasets: Vec<String>,
    /// Your own keys, one per line, beside the key sets; alone with `--datasets keys`.
    #[arg(long, value_name = "FILE")]
    pub keys: Option<PathBuf>,
    /// In the file of keys a NUL byte ends a key, not a line feed.
    #[arg(short = '0', requires = "keys")]
    pub nul: bool,
}

impl Chosen {
    /// Loads the user's own keys, and the key sets that were named, by default those of `usual`.
    pub fn load<'n>(&'n self, usual: impl Iterator<Item = &'n str>) -> Result<Vec<Arc<KeySet>>> {
        let mut sets = Vec::new();
        let is_own = |name: &&String| *name == OWN;
        let own_wanted = self.datasets.iter().any(|name| name == OWN);
        match &self.keys {
            Some(path) => {
                let end = if self.nul { 0 } else { b'\n' };
                let (set, warning) = KeySet::read_file(OWN, path, end)?;
                if let Some(warning) = warning {
                    say(&format!("warning: {warning}"));
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
        // A set that the user names is used even if no definition contains it.
        let named = named().map(String::as_str);
        let is_wanted = |name: &&str| {
            self.datasets.is_empty() || self.datasets.iter().any(|asked| asked == name)
        };
        for name in distinct(usual.filter(is_wanted).chain(named)) {
            sets.push(Arc::new(manifest.load(name)?));
        }
        Ok(sets)
    }
}

/// How much is measured.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Effort {
    /// Under 20 seconds, for a first look.
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// More hits and points, for figures that are to be quoted.
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
pub struct Run {
    /// Where all randomness comes from.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = theory::whole::<u64>, display_order = 100)]
    pub seed: u64,
    /// The folder of the report.
    #[arg(long, value_name = "DIR", display_order = 102)]
    pub out: Option<PathBuf>,
    /// How the table of results goes to standard output.
    #[arg(long, value_enum, default_value = "table", display_order = 104)]
    pub format: Format,
}

/// The number of threads.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Jobs {
    /// Threads that measure; all cores if not given.
    #[arg(long, value_name = "NUMBER", value_parser = threads, display_order = 101)]
    jobs: Option<usize>,
}

fn threads(text: &str) -> Result<usize, String> {
    match theory::whole(text)? {
        0 => Err("give at least 1".into()),
        threads => Ok(threads),
    }
}

impl Jobs {
    pub fn count(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.unwrap_or_else(cores)
    }
}

/// Flags of every command that measures and judges.
#[derive(clap::Args, Clone, Debug)]
pub struct Judged {
    #[command(flatten)]
    pub effort: Effort,
    #[command(flatten)]
    pub run: Run,
    #[command(flatten)]
    pub jobs: Jobs,
    /// Exit with 3 if the verdict is inconclusive.
    #[arg(long, display_order = 105)]
    pub strict: bool,
}
