//! Which keys of a stream came before, however long it is.

use anyhow::Result;
use bouquet_blocked::{BlockedBloom, Words64};
use bouquet_catalogue::Hasher;
use bouquet_core::{Inner, Inspect, KeyHash, KeyHasher as _, Spec};
use bouquet_scalable::{Policy, ScalableBloom, StandardBloom};

use super::{
    HashKey, Hashing,
    hashing::{Origin, Words, hashers},
};

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
    /// Numbers out of range, a hash without its key or with one that is not its own, or
    /// no memory.
    pub fn new(
        first_capacity: u64,
        fpr: f64,
        hashing: Hashing,
        key: Option<&HashKey>,
    ) -> Result<Self> {
        hashing.check(None, key)?;
        let policy = Policy::new(Spec::new(first_capacity, fpr)?);
        let policy = policy.growth(GROWTH)?.tightening(TIGHTENING)?;
        Ok(Self {
            filter: hashing.pick(&hashers!(begun))?(policy, key)?,
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

/// Begins a filter of this policy.
type Begin = fn(Policy, Option<&HashKey>) -> Result<Box<dyn Growing>>;

fn begun<H: Hasher, O: Origin<H>>(_: Words) -> (u16, Begin) {
    (H::ID, |policy, key| {
        let hasher = O::fresh(0, key)?;
        match policy.target_fpr() < LOW_FPR {
            true => growing::<StandardBloom<H>>(policy, hasher),
            false => growing::<BlockedBloom<Words64, H>>(policy, hasher),
        }
    })
}

fn growing<F: Inner + 'static>(policy: Policy, hasher: F::Hasher) -> Result<Box<dyn Growing>> {
    Ok(Box::new(ScalableBloom::<F>::with_policy(policy, hasher)?))
}

impl<F: Inner> Growing for ScalableBloom<F> {
    fn take(&mut self, keys: &[&[u8]], hashes: &mut [KeyHash], new: &mut [bool]) -> Result<()> {
        self.hasher().hash_batch(keys, hashes);
        let inserted = self.insert_hash_each(hashes, new);
        Ok(inserted.map_err(|refused| refused.error)?)
    }

    fn expected_fpr(&self) -> f64 {
        Inspect::expected_fpr(self, self.keys())
    }
}
