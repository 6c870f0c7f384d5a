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
        valley(self, units, keys)
    }
}

/// By a walk from the textbook's number: the FPR has one valley.
pub fn valley(model: &(impl Model + ?Sized), units: u64, keys: u64) -> u32 {
    let fpr = |hashes| model.fpr(units, hashes, keys);
    let most = model.most_hashes(units).max(1);
    let bits_per_key = units as f64 * model.unit() as f64 / keys.max(1) as f64;
    let mut best = classic_hashes(bits_per_key).min(most);
    let mut lowest = fpr(best);
    while best > 1 {
        let fewer = fpr(best - 1);
        if fewer > lowest {
            break;
        }
        (best, lowest) = (best - 1, fewer);
    }
    while best < most {
        let more = fpr(best + 1);
        if more >= lowest {
            break;
        }
        (best, lowest) = (best + 1, more);
    }
    best
}

/// The textbook's k for a number of bits per key.
pub fn classic_hashes(bits_per_key: f64) -> u32 {
    let hashes = (bits_per_key * std::f64::consts::LN_2).round();
    (hashes.min(f64::from(MAX_HASHES)) as u32).max(1)
}
