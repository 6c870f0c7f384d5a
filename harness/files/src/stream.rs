//! Which keys of a stream came before, however long it is.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use bouquet_blocked::{BlockedBloom, Words64};
use bouquet_catalogue::{Hasher, hash::Words};
use bouquet_core::{Inner, KeyHash, KeyHasher as _, Spec, SpecError};
use bouquet_scalable::{Policy, ScalableBloom, StandardBloom};

use super::{
    HashKey, Hashing,
    chunk::{Chunk, Hash},
    hashing::{Origin, hashers},
    keys::Keys,
    make::wrong_spec,
};

/// Every stage is asked for each key: few large ones, then.
const GROWTH: u32 = 3;
/// Late stages have a small share of the FPR, and with few stages it costs few bits.
const TIGHTENING: f64 = 0.5;
/// From here on down blocks take more bits than the time is worth.
const LOW_FPR: f64 = 1e-4;

/// The keys that came, in a filter that grows with them.
pub struct Stream {
    filter: Box<dyn Growing>,
    fpr: f64,
    new: Vec<bool>,
}

impl Stream {
    /// With room for some keys to begin with; a new key is taken for one that
    /// came with probability at most `fpr`.
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
        let begin = hashing.pick(&hashers!(begun))?;
        let filter = policy(first_capacity, fpr).and_then(|policy| begin(policy, key));
        Ok(Self {
            filter: filter.map_err(|error| in_flags(error, fpr))?,
            fpr,
            new: Vec::new(),
        })
    }

    /// The keys with their hashes, as this takes them.
    pub fn hashed(&self, keys: Keys) -> Keys {
        keys.hashed(Some(self.filter.hash()))
    }

    /// Whether each key, [hashed](Self::hashed) for it, is new: it did not come before, and
    /// not before in this chunk.
    ///
    /// # Errors
    ///
    /// No more memory, or keys that were not read for it.
    pub fn are_new(&mut self, keys: &Chunk) -> Result<&[bool]> {
        let hashes = keys.hashes()?;
        self.new.clear();
        self.new.resize(hashes.len(), false);
        let taken = self.filter.take(hashes, &mut self.new);
        taken.map_err(|error| in_flags(error, self.fpr))?;
        Ok(&self.new)
    }
}

/// A scalable filter, whatever its stages are.
trait Growing {
    /// Of each key whether it is new.
    fn take(&mut self, hashes: &[KeyHash], new: &mut [bool]) -> Result<()>;
    fn hash(&self) -> Arc<Hash>;
}

/// What is wrong with a filter, or the next stage of one, whose hash is not wide enough.
fn in_flags(error: anyhow::Error, fpr: f64) -> anyhow::Error {
    let Some(SpecError::BelowHashFloor { hash_bits, .. }) = wrong_spec(&error) else {
        return error;
    };
    let wider = match *hash_bits < 128 {
        true => "--hasher xxh3-wide, ",
        false => "",
    };
    anyhow!(
        "--fpr {fpr:?}: so many lines take a hash of more than {hash_bits} bits: give {wider}a \
         higher --fpr or a lower --capacity"
    )
}

fn policy(first_capacity: u64, fpr: f64) -> Result<Policy> {
    let policy = Policy::new(Spec::new(first_capacity, fpr)?);
    Ok(policy.growth(GROWTH)?.tightening(TIGHTENING)?)
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

fn growing<F: Inner<Hasher: Hasher> + 'static>(
    policy: Policy,
    hasher: F::Hasher,
) -> Result<Box<dyn Growing>> {
    Ok(Box::new(ScalableBloom::<F>::with_policy(policy, hasher)?))
}

impl<F: Inner<Hasher: Hasher> + 'static> Growing for ScalableBloom<F> {
    fn take(&mut self, hashes: &[KeyHash], new: &mut [bool]) -> Result<()> {
        let inserted = self.try_insert_hash_each(hashes, new);
        Ok(inserted.map_err(|rejected| rejected.error)?)
    }

    fn hash(&self) -> Arc<Hash> {
        let hasher = self.hasher().clone();
        Arc::new(move |keys, hashes| hasher.hash_batch(keys, hashes))
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use bouquet_hash::Folded;

    use super::*;

    /// Over many stages of both kinds: the first of each key passes but for the share
    /// that is promised, and none passes twice.
    #[test]
    fn the_promise_is_kept_however_many_keys_come() {
        for (fpr, keys) in [(0.05, 200_000u64), (1e-6, 20_000)] {
            let mut stream = Stream::new(100, fpr, Hashing::default(), None).unwrap();
            let mut passed = 0;
            for first in (0..keys).step_by(500) {
                let mut are_new = |keys: Range<u64>| {
                    let hash = |key: u64| Folded::default().hash_key(&key);
                    let hashes: Vec<KeyHash> = keys.map(hash).collect();
                    let mut new = vec![false; hashes.len()];
                    stream.filter.take(&hashes, &mut new).unwrap();
                    new.into_iter().filter(|new| *new).count() as u64
                };
                let now = are_new(first..first + 500);
                assert_eq!(are_new(first..first + 500), 0);
                assert_eq!(are_new(first / 2..first / 2 + 500), 0);
                passed += now;
            }
            let (missing, most) = ((keys - passed) as f64, fpr * keys as f64);
            let spread = 5.0 * most.sqrt().max(1.0);
            assert!(missing <= most + spread, "{fpr}: {missing}");
        }
    }
}
