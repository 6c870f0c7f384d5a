//! What a filter with a size, a number of hashes and an FPR is to the solver.

use anyhow::Result;
use bouquet_core::math::{MAX_HASHES, Parameters};

/// A filter of m bits and k probes, by its closed form.
pub trait Model {
    /// Sizes are multiples of so many bits.
    fn unit(&self) -> u64;

    /// The exact FPR of so many units and hashes with so many keys.
    fn fpr(&self, units: u64, hashes: u32, keys: u64) -> f64;

    /// The smallest size that keeps the FPR at these keys, and the k that does
    /// it. The size is in units.
    fn least(&self, keys: u64, fpr: f64) -> Result<Parameters>;

    /// What our own filter is built with for them.
    fn built(&self, keys: u64, fpr: f64) -> Result<Parameters> {
        self.least(keys, fpr)
    }

    /// The most hashes that so many units can have.
    fn most_hashes(&self, _units: u64) -> u32 {
        MAX_HASHES
    }

    /// The number of hashes that gives the lowest FPR, the lowest of equals.
    fn best_hashes(&self, units: u64, keys: u64) -> u32 {
        let size_bits = units as f64 * self.unit() as f64;
        let most = self.most_hashes(units).max(1);
        let start = classic_hashes(size_bits / keys.max(1) as f64).min(most);
        let (mut best, mut fpr) = (start, self.fpr(units, start, keys));
        for down in [true, false] {
            loop {
                let next = if down { best - 1 } else { best + 1 };
                if next == 0 || next > most {
                    break;
                }
                let next_fpr = self.fpr(units, next, keys);
                if next_fpr > fpr || (next_fpr == fpr && !down) {
                    break;
                }
                (best, fpr) = (next, next_fpr);
            }
        }
        best
    }
}

/// The textbook's k for a number of bits per key.
pub fn classic_hashes(bits_per_key: f64) -> u32 {
    let hashes = (bits_per_key * std::f64::consts::LN_2).round();
    (hashes.min(f64::from(MAX_HASHES)) as u32).max(1)
}
