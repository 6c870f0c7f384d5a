//! Keys, and who is member and who non-member. Seeded, no clock.

mod file;
mod generate;
mod manifest;
mod members;
mod set;

pub use generate::{mix, shuffle};
pub use manifest::Manifest;
pub use members::Workload;
pub use set::KeySet;

use anyhow::{Context, Result};
use bouquet_ground::unknown::unknown;

/// The one of this name; fails with the names that there are.
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

/// The seed of a cell: a function of the run's seed and what the cell is, so
/// that leaving out other cells does not change it.
pub fn seed_of(run: u64, parts: &[&str], number: u64) -> u64 {
    let text = parts.iter().flat_map(|part| part.bytes().chain([0]));
    text.fold(mix(run ^ mix(number)), |seed, byte| {
        mix(seed ^ u64::from(byte))
    })
}
