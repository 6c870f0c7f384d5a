//! The baseline on the scoreboard.

use anyhow::{Context, Result};
use cuckoofilter::ExportedCuckooFilter;

use super::{Entry, stored};
use crate::registry::baselines::{self, Cuckoo};

pub fn contender() -> Entry {
    Entry {
        reload: stored(write, read),
        ..baselines::cuckoofilter()
    }
}

/// What it exports: its fingerprints and their number.
fn write(filter: &Cuckoo) -> Result<Vec<u8>> {
    let ExportedCuckooFilter { mut values, length } = filter.0.export();
    values.extend_from_slice(&(length as u64).to_le_bytes());
    Ok(values)
}

fn read(mut values: Vec<u8>) -> Result<Cuckoo> {
    let (_, length) = values.split_last_chunk().context("no length")?;
    let length = u64::from_le_bytes(*length) as usize;
    values.truncate(values.len() - size_of::<u64>());
    Ok(Cuckoo(ExportedCuckooFilter { values, length }.into()))
}
