//! Which keys of a stream came before, however long it is.

use anyhow::Result;
use bouquet_core::{Inspect, Spec};
use bouquet_hash::Folded;
use bouquet_scalable::ScalableBloom;

/// The keys that came, in a filter that grows with them.
pub struct Stream {
    filter: ScalableBloom,
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
        let spec = Spec::new(first_capacity, fpr)?;
        Ok(Self {
            filter: ScalableBloom::with_hasher(spec, Folded::default())?,
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
        self.found.clear();
        self.found.resize(keys.len(), false);
        // Asking brings the memory that inserting needs, for many keys at once.
        self.filter.contains_batch(keys, &mut self.found);
        for (key, new) in keys.iter().zip(&mut self.found) {
            *new = !*new && self.filter.insert(*key)?;
        }
        Ok(&self.found)
    }

    /// The chance at which the next new key is taken for one that came.
    pub fn expected_fpr(&self) -> f64 {
        self.filter.expected_fpr(self.filter.keys())
    }
}
