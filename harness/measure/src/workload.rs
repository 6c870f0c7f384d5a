//! Keys, and their division into members and non-members. The same seeds always give the same keys
//! and the same division.

mod generate;
mod manifest;
mod members;
mod set;

pub use bouquet_catalogue::mix;
pub use generate::shuffle;
pub use manifest::Manifest;
pub use members::Workload;
pub use set::KeySet;

use anyhow::{Context, Result};
use bouquet_record::unknown::unknown;

/// The entry with this name; if there is none, the error lists the known names.
pub fn named<'a, T>(
    kind: &str,
    name: &str,
    all: &'a [T],
    name_of: impl Fn(&'a T) -> &'a str,
) -> Result<&'a T> {
    all.iter()
        .find(|one| name_of(one) == name)
        .with_context(|| {
            let known: Vec<&str> = all.iter().map(name_of).collect();
            unknown(kind, name, &known, "`bouquet evaluate --help` shows all")
        })
}

/// The seed of a cell (one measurement). It depends only on the run's seed and on `parts` and
/// `number`, which identify the cell, so leaving out other cells does not change it.
pub fn seed_of(run: u64, parts: &[&str], number: u64) -> u64 {
    let text = parts.iter().flat_map(|part| part.bytes().chain([0]));
    text.fold(mix(run ^ mix(number)), |seed, byte| {
        mix(seed ^ u64::from(byte))
    })
}
