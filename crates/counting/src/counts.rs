//! What counters can do and bits cannot.

use bouquet_bits::BitArray;
use bouquet_core::{Key, KeyHash, KeyHasher, Remove, SpecError};

use crate::CountingBloom;

impl<H: KeyHasher> CountingBloom<H> {
    /// Removes a key once; `false` if it was definitely absent, and then
    /// nothing has changed.
    ///
    /// **Remove only what you inserted, as often as you inserted it.** A
    /// non-member that is a false positive of [`contains`](Self::contains) is removed
    /// like a member, and members that share its counters become false negatives: of 10,000
    /// members at 1 %, 465 after the removal of 100 false positives. No check can
    /// prevent it, because the counters of a false positive look like a member's.
    ///
    /// `true` does not mean that `contains` now returns `false`: the key may have been
    /// inserted more than once, collide, or have a saturated counter. Those are
    /// stuck: they have lost count, and one step down might be one too many.
    ///
    /// O(k), one pass over the key's counters; for a non-member a few of them.
    ///
    /// ```
    /// use bouquet_counting::CountingBloom;
    ///
    /// let mut sessions = CountingBloom::new(1_000, 0.01)?;
    /// sessions.insert("alice");
    /// assert!(sessions.remove("alice"));
    /// assert!(!sessions.contains("alice"));
    /// assert!(!sessions.remove("alice"));
    /// # Ok::<(), bouquet_counting::SpecError>(())
    /// ```
    #[inline]
    #[doc(alias("delete"))]
    pub fn remove<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        self.remove_hash(hash)
    }

    /// Removes the key with this hash once; see [`remove`](Self::remove).
    #[inline]
    pub fn remove_hash(&mut self, hash: KeyHash) -> bool {
        for (taken, slot) in self.geometry().slots(hash).enumerate() {
            if self.counters.get(slot) == 0 {
                // Undone exactly: a counter at its maximum did not move. Not
                // only for keys that are definitely absent: probes of a member that
                // collide have counted twice, and may have found one here.
                for slot in self.geometry().slots(hash).take(taken) {
                    self.counters.increment(slot);
                }
                return false;
            }
            self.counters.decrement(slot);
        }
        true
    }

    /// About how many times the key is present, never too low: the least
    /// of its counters. Too high if other keys share all of its counters, with
    /// the probability of a false positive.
    ///
    /// The [maximum](crate::CounterBits::max) of the counters, 15 or 255, stands for
    /// that many or more.
    ///
    /// From: Cohen and Matias, "Spectral Bloom filters", SIGMOD 2003, where this
    /// is the "minimum selection".
    pub fn estimated_count<K: Key + ?Sized>(&self, key: &K) -> u32 {
        let slots = self.geometry().slots(self.hash(key));
        slots.fold(u32::MAX, |least, slot| {
            least.min(self.counters.get(slot).into())
        })
    }

    /// Counters that are stuck at their maximum. Costs a pass over them.
    ///
    /// Answers stay correct, but removals do not free them: with many of
    /// them, the fill only rises. [`clear`](Self::clear) and new inserts, or
    /// wider counters, help.
    pub fn saturated(&self) -> u64 {
        self.counters.count_saturated()
    }

    /// The mean number of saturated counters after `keys` different keys, each
    /// inserted once: 3e-8 at a million keys and 1 %, with 4 bits. Keys inserted
    /// repeatedly saturate more, and removals do not unsaturate them.
    pub fn expected_saturated(&self, keys: u64) -> f64 {
        self.geometry().expected_saturated(keys)
    }

    /// The bits of the standard filter that got the same keys: set where a
    /// counter is above zero. To be sent or kept in a quarter of the memory.
    ///
    /// Together with k and the hasher they make a `StandardBloom`, by its
    /// `from_bits`.
    ///
    /// # Errors
    ///
    /// [`SpecError::OutOfMemory`].
    pub fn to_bits(&self) -> Result<BitArray, SpecError> {
        let bits = self.counters.to_bits();
        bits.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })
    }
}

impl<H: KeyHasher> Remove for CountingBloom<H> {
    fn remove_hash(&mut self, hash: KeyHash) -> bool {
        self.remove_hash(hash)
    }
}
