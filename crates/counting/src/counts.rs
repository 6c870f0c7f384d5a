//! The operations that counters support and bits do not.

use bouquet_bits::BitArray;
use bouquet_core::{Key, KeyHash, KeyHasher, Remove, SpecError};

use crate::CountingBloom;

impl<H: KeyHasher> CountingBloom<H> {
    /// Removes a key once; `false` if it was definitely absent, and then
    /// nothing has changed.
    ///
    /// **Remove only what you inserted, as often as you inserted it.** A non-member that is a
    /// false positive of [`contains`](Self::contains) is removed like a member, and members
    /// that share its counters become false negatives: of 10,000 members of a filter at 1 %,
    /// 465 become false negatives when 100 false positives are removed. No check can prevent
    /// this, because the counters of a false positive look like a member's.
    ///
    /// `true` does not mean that `contains` now returns `false`: the key may have been inserted
    /// more than once, it may collide with other keys, or its counters may be saturated.
    /// Saturated counters are not decremented: their true count is unknown, and one step down
    /// might be one too many.
    ///
    /// O(k), one pass over the key's counters; a non-member needs only a few of them.
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
                // The decrements are undone exactly, because a saturated counter did not
                // change. This is needed not only for absent keys: two probes of a present key
                // may share a counter that holds only one of their counts.
                for slot in self.geometry().slots(hash).take(taken) {
                    self.counters.increment(slot);
                }
                return false;
            }
            self.counters.decrement(slot);
        }
        true
    }

    /// The estimated number of times that the key is present, never too low: the smallest of
    /// its counters. It is too high if other keys share all of its counters, which has the
    /// probability of a false positive.
    ///
    /// The [maximum](crate::CounterBits::max) of the counters, 15 or 255, means that many or
    /// more.
    ///
    /// Source: Cohen and Matias, "Spectral Bloom filters", SIGMOD 2003, where this is called
    /// "minimum selection".
    pub fn estimated_count<K: Key + ?Sized>(&self, key: &K) -> u32 {
        let slots = self.geometry().slots(self.hash(key));
        slots.fold(u32::MAX, |least, slot| {
            least.min(self.counters.get(slot).into())
        })
    }

    /// The number of saturated counters. Scans all counters.
    ///
    /// Answers stay correct, but removals do not free saturated counters: if there are many,
    /// the fill ratio only rises. To reset them, [`clear`](Self::clear) the filter and insert
    /// the keys again, or use wider counters.
    pub fn saturated(&self) -> u64 {
        self.counters.count_saturated()
    }

    /// The mean number of saturated counters after `keys` different keys, each inserted once:
    /// 3e-8 at a million keys and 1 %, with 4 bits. Keys that are inserted repeatedly saturate
    /// more counters, and removals do not reset them.
    pub fn expected_saturated(&self, keys: u64) -> f64 {
        self.geometry().expected_saturated(keys)
    }

    /// The bits of the standard filter of the same keys: a bit is set if the counter is above
    /// zero. With counters of 4 bits they need a quarter of the memory, for sending or keeping.
    ///
    /// Together with k and the hasher they make a `StandardBloom`, with its `from_bits`.
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
