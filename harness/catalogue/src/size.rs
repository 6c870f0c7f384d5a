//! A size that is given exactly, in bits.

use anyhow::{Context, Result, bail};

/// The flags --bits (m) and --hashes (k) of `bouquet build`.
#[derive(Clone, Copy, Debug)]
pub struct ExactSize {
    pub size_bits: u64,
    pub hashes: Option<u32>,
}

impl ExactSize {
    pub fn hashes(&self) -> Result<u32> {
        self.hashes.with_context(|| {
            let bits = self.size_bits;
            format!("--bits {bits}: that alone does not settle the filter: give --hashes too")
        })
    }

    /// Fails if --hashes differs from `only`, the single number of hashes that the filter supports.
    pub fn only_hashes(&self, only: u32) -> Result<()> {
        match self.hashes {
            Some(hashes) if hashes != only => {
                bail!("--hashes {hashes}: such a filter has {only}, always: leave --hashes out")
            }
            _ => Ok(()),
        }
    }

    /// The value of --bits divided by `unit`; fails if --bits is not a multiple of `unit`.
    pub fn units(&self, unit: u64) -> Result<u64> {
        let size_bits = self.size_bits;
        if !size_bits.is_multiple_of(unit) {
            let below = size_bits / unit * unit;
            // A filter of 0 bits is not suggested.
            let below = Some(below).filter(|below| *below > 0);
            let whole = [below, size_bits.checked_next_multiple_of(unit)];
            let whole: Vec<String> = whole.iter().flatten().map(u64::to_string).collect();
            let whole = whole.join(" or ");
            bail!("--bits {size_bits} is no multiple of {unit}: take {whole}");
        }
        Ok(size_bits / unit)
    }
}
