//! Go's bits-and-blooms.

use anyhow::Result;
use bouquet_core::Union;
use bouquet_interop::{DecodeError, GoBloom, Term};

use super::{Array, System, classic};
use crate::files::{Facts, Format, held::Load};

/// Bytes before the words.
const HEADER_BYTES: usize = 24;

/// The filter of a JSON text.
pub fn of_json(bytes: &[u8]) -> Result<GoBloom, DecodeError> {
    let text = std::str::from_utf8(bytes).map_err(|error| DecodeError {
        offset: error.valid_up_to() as u64,
        field: "text",
        found: Term::Words("bytes that are no UTF-8"),
        wanted: Term::Words("JSON"),
    })?;
    GoBloom::from_json(text)
}

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

    fn to_file(&self, format: Format) -> Vec<u8> {
        match format {
            Format::GoJson => self.to_json().into_bytes(),
            _ => self.to_bytes(),
        }
    }

    fn arrays(&self) -> Vec<Array> {
        let words = self.to_bytes().split_off(HEADER_BYTES);
        vec![Array::of_big_endian(self.size_bits(), words)]
    }

    fn load(&self, arrays: &[Array], target_fpr: Option<f64>) -> Load {
        classic(arrays, self.hashes(), target_fpr)
    }

    fn union(&mut self, other: &Self) -> Result<()> {
        Ok(self.union_with(other)?)
    }
}
