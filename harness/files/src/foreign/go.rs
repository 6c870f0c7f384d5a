//! Go's bits-and-blooms.

use std::io::{self, Write};

use anyhow::Result;
use bouquet_core::Union;
use bouquet_interop::GoBloom;

use super::{Array, System, one_array};
use crate::{Facts, Format};

impl System for GoBloom {
    fn describe(&self) -> Facts {
        Facts {
            filter: "bits-and-blooms".into(),
            hash: "MurmurHash3 x64 128, four words".into(),
            size_bits: self.size_bits(),
            hashes: Some(self.hashes()),
            ..Facts::default()
        }
    }

    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::GoJson => self.write_json_to(|piece| out.write_all(piece)),
            _ => self.write_to(|piece| out.write_all(piece)),
        }
    }

    one_array!();
}
