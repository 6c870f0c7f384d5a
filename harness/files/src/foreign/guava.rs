//! Guava.

use std::io::{self, Write};

use anyhow::Result;
use bouquet_core::Union;
use bouquet_interop::{GuavaBloom, guava::Strategy};

use super::{Array, System, one_array};
use crate::{Facts, Format};

/// The format by the strategy.
pub fn format_of(filter: &GuavaBloom) -> Format {
    match filter.strategy() {
        Strategy::Mitz32 => Format::Guava32,
        Strategy::Mitz64 => Format::Guava,
    }
}

impl System for GuavaBloom {
    fn describe(&self) -> Facts {
        let strategy = match self.strategy() {
            Strategy::Mitz32 => "MURMUR128_MITZ_32",
            Strategy::Mitz64 => "MURMUR128_MITZ_64",
        };
        Facts {
            filter: "Guava BloomFilter".into(),
            hash: format!("{strategy}, of what the funnel feeds"),
            size_bits: self.size_bits(),
            hashes: Some(self.hashes()),
            note: Some(
                "the funnel is not in the file: text is stringFunnel(UTF_8); for longs, integers \
                 and UTF-16 give their bytes with --hex, little-endian",
            ),
            ..Facts::default()
        }
    }

    one_array!(write);
}
