//! Which keys of a stream came before, however long it is.

use anyhow::Result;
use bouquet_blocked::BlockedBloom;
use bouquet_core::{Inner, Inspect, KeyHash, KeyHasher as _, Spec};
use bouquet_hash::Folded;
use bouquet_scalable::{Policy, ScalableBloom, StandardBloom};

/// Every stage is asked for each key: few large ones, then.
const GROWTH: u32 = 4;
/// Late stages have a small share of the FPR, and with few stages it costs few bits.
const TIGHTENING: f64 = 0.5;
/// From here on down blocks take more bits than the time is worth.
const LOW_FPR: f64 = 1e-4;

/// The keys that came, in a filter that grows with them.
pub struct Stream {
    filter: Box<dyn Growing>,
    hashes: Vec<KeyHash>,
    found: Vec<bool>,
}

impl Stream {
    /// With room for some keys to begin with; a new key is taken for one that
    /// came with a chance of at most `fpr`.
    ///
    /// # Errors
    ///
    /// Numbers out of range, or no memory.
    pub fn new(first_capacity: u64, fpr: f64) -> Result<Self> {
        let policy = Policy::new(Spec::new(first_capacity, fpr)?);
        let policy = policy.growth(GROWTH)?.tightening(TIGHTENING)?;
        let hasher = Folded::default();
        Ok(Self {
            filter: if fpr < LOW_FPR {
                Box::new(ScalableBloom::<StandardBloom>::with_policy(policy, hasher)?)
            } else {
                Box::new(ScalableBloom::<BlockedBloom>::with_policy(policy, hasher)?)
            },
            hashes: Vec::new(),
            found: Vec::new(),
        })
    }

    /// Whether each key is new: it did not come before, and not before in this
    /// batch.
    ///
    /// # Errors
    ///
    /// No more memory.
    pub fn are_new(&mut self, keys: &[&[u8]]) -> Result<&[bool]> {
        self.hashes.resize(keys.len(), KeyHash::new(0, 0));
        self.found.resize(keys.len(), false);
        self.filter.take(keys, &mut self.hashes, &mut self.found)?;
        Ok(&self.found)
    }

    /// The chance at which the next new key is taken for one that came.
    pub fn expected_fpr(&self) -> f64 {
        self.filter.expected_fpr()
    }
}

/// A scalable filter, whatever its stages are.
trait Growing {
    /// Of each key whether it is new, with room for as many hashes.
    fn take(&mut self, keys: &[&[u8]], hashes: &mut [KeyHash], new: &mut [bool]) -> Result<()>;
    fn expected_fpr(&self) -> f64;
}

impl<F: Inner<Hasher = Folded>> Growing for ScalableBloom<F> {
    fn take(&mut self, keys: &[&[u8]], hashes: &mut [KeyHash], new: &mut [bool]) -> Result<()> {
        self.hasher().hash_batch(keys, hashes);
        let inserted = self.insert_hash_each(hashes, new);
        Ok(inserted.map_err(|refused| refused.error)?)
    }

    fn expected_fpr(&self) -> f64 {
        Inspect::expected_fpr(self, self.keys())
    }
}
