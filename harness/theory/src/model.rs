//! Describes a filter that has a size, a number of hashes and an FPR for the solver.

use anyhow::{Result, bail};
use bouquet_core::math::{MAX_HASHES, Parameters};

use super::search::least_units;

/// Maps a number of keys and a target FPR to a size, in units, and a number of hashes k.
pub type Sizing<'a> = &'a dyn Fn(u64, f64) -> Result<Parameters>;

/// A filter with m bits and k probes, described by its closed forms.
pub struct Model<'a> {
    /// The size in bits is always a multiple of this.
    pub unit: u64,
    /// The exact FPR, for a size in units, a number of hashes and a number of keys.
    pub fpr: &'a dyn Fn(u64, u32, u64) -> f64,
    /// The smallest size with which the FPR is at most the target, and its number of hashes. It is
    /// searched for if no crate computes it for the layout.
    pub least: Option<Sizing<'a>>,
    /// The size with which our own filter is built, if that differs from `least`.
    pub built: Option<Sizing<'a>>,
    /// The largest number of hashes that is possible at a size in units.
    pub most_hashes: &'a dyn Fn(u64) -> u32,
    /// The number of hashes with the lowest FPR, for a size in units and a number of keys; ties go
    /// to the smaller number. It is searched for if no crate computes it.
    pub best_hashes: Option<&'a dyn Fn(u64, u64) -> u32>,
}

impl<'a> Model<'a> {
    /// A model without functions of a crate: sizes and hashes are searched for.
    pub fn new(unit: u64, fpr: &'a dyn Fn(u64, u32, u64) -> f64) -> Self {
        Self {
            unit,
            fpr,
            least: None,
            built: None,
            most_hashes: &|_| MAX_HASHES,
            best_hashes: None,
        }
    }

    pub fn least(&self, keys: u64, fpr: f64) -> Result<Parameters> {
        if let Some(least) = self.least {
            return least(keys, fpr);
        }
        let keeps = |units| (self.fpr)(units, self.best_hashes(units, keys), keys) <= fpr;
        let Some(units) = least_units(self.unit, keys, fpr, keeps) else {
            bail!("no filter of up to 2^48 bits keeps {fpr:?} at {keys} keys")
        };
        Ok(Parameters {
            size_bits: units,
            hashes: self.best_hashes(units, keys),
        })
    }

    pub fn built(&self, keys: u64, fpr: f64) -> Result<Parameters> {
        self.built
            .map_or_else(|| self.least(keys, fpr), |built| built(keys, fpr))
    }

    pub fn best_hashes(&self, units: u64, keys: u64) -> u32 {
        match self.best_hashes {
            Some(best) => best(units, keys),
            None => self.valley(units, keys),
        }
    }

    /// The best number of hashes, searched for step by step from the textbook's value: as a
    /// function of it, the FPR has a single minimum.
    fn valley(&self, units: u64, keys: u64) -> u32 {
        let fpr = |hashes| (self.fpr)(units, hashes, keys);
        let most = (self.most_hashes)(units).max(1);
        let bits_per_key = units as f64 * self.unit as f64 / keys.max(1) as f64;
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
}

/// The largest number of hashes, which is at most the number of slots.
pub fn at_most_a_slot_each(slots: u64) -> u32 {
    slots.min(MAX_HASHES.into()) as u32
}

/// The textbook's number of hashes for this number of bits per key.
pub fn classic_hashes(bits_per_key: f64) -> u32 {
    let hashes = (bits_per_key * std::f64::consts::LN_2).round();
    (hashes.min(f64::from(MAX_HASHES)) as u32).max(1)
}
