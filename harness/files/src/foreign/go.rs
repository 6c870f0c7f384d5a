//! Go's bits-and-blooms.

use std::io::{self, Write};

use anyhow::Result;
use bouquet_core::Union;
use bouquet_interop::GoBloom;

use super::{Array, System, classic};
use crate::{Facts, Format, held::Load};

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

    fn arrays(&self) -> Vec<Array<'_>> {
        vec![Array {
            slots: self.size_bits(),
            words: self.words(),
        }]
    }

    fn load(&self, arrays: &[Array<'_>], target_fpr: Option<f64>) -> Load {
        classic(arrays, self.hashes(), target_fpr)
    }

    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
    }
}
