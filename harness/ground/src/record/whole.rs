//! How many rows a run wrote: of what was deleted since, no verdict would tell.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{
    Row, RunRow,
    damaged::{damaged, from_here},
};

/// The fact of a run that lists its files of records with their rows.
pub const FACT: &str = "rows";

fn count(path: &Path) -> Result<u64> {
    let damaged = |error| damaged(path, error);
    let mut rows = csv::Reader::from_path(path).map_err(damaged)?;
    let mut count = 0;
    for row in rows.records() {
        row.map_err(damaged)?;
        count += 1;
    }
    Ok(count)
}

/// Fails if a file that the run wrote is not among these, or has not as many rows
/// as the run wrote. Records from before this was written down list nothing.
pub fn check(run: &[RunRow], files: &[PathBuf]) -> Result<()> {
    for (name, wanted) in listed(run)? {
        let named = |path: &&PathBuf| path.file_name().is_some_and(|own| own == name);
        let Some(path) = files.iter().find(named) else {
            bail!("{name} is missing among the records: the run wrote {wanted} rows there");
        };
        let found = count(path)?;
        if found != wanted {
            bail!(
                "{}: {found} rows, the run wrote {wanted}; a verdict takes all of them, so measure \
                 again",
                from_here(path).display()
            );
        }
    }
    Ok(())
}

/// The files of records that the run wrote beside its facts, with their rows.
pub fn listed(run: &[RunRow]) -> Result<Vec<(&str, u64)>> {
    let fact = run.iter().find(|row| row.name == FACT);
    let listed = fact.map_or("", |fact| &fact.value).split(", ");
    let parsed = |listed| {
        parsed(listed).with_context(|| {
            format!(
                "{}: {listed:?} among the {FACT} is no file and number",
                RunRow::FILE
            )
        })
    };
    listed.filter(|one| !one.is_empty()).map(parsed).collect()
}

fn parsed(listed: &str) -> Option<(&str, u64)> {
    let (name, rows) = listed.split_once(' ')?;
    Some((name, rows.parse().ok()?))
}
