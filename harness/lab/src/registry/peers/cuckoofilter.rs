//! The baseline on the scoreboard.

use anyhow::{Context, Result};
use cuckoofilter::ExportedCuckooFilter;

use super::{Contender, Hashing, Store, reload};
use crate::registry::baselines::{self, Cuckoo};

pub fn contender() -> Contender {
    Contender {
        entry: baselines::cuckoofilter(),
        release: "cuckoofilter 0.5.0",
        hashing: Hashing::Fixed,
        is_static: false,
        unite: None,
        reload: Some(reload::<Cuckoo>),
    }
}

impl Store for Cuckoo {
    /// What it exports: its fingerprints and their number.
    fn write(&self) -> Result<Vec<u8>> {
        let ExportedCuckooFilter { mut values, length } = self.0.export();
        values.extend_from_slice(&(length as u64).to_le_bytes());
        Ok(values)
    }

    fn read(mut bytes: Vec<u8>) -> Result<Self> {
        let (_, length) = bytes.split_last_chunk().context("no length")?;
        let length = u64::from_le_bytes(*length) as usize;
        bytes.truncate(bytes.len() - size_of::<u64>());
        Ok(Self(
            ExportedCuckooFilter {
                values: bytes,
                length,
            }
            .into(),
        ))
    }
}
