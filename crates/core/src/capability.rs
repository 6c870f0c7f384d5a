//! Capabilities that only some filters have. A bound on one of these is checked by the
//! compiler; nothing has to be queried at run time.

use crate::{Incompatible, Key, KeyHash, Prehashed, filter::hash_of};

/// Removes keys.
///
/// # For users
///
/// `false`: the key was definitely absent, and nothing changed. `true`: it was
/// removed once. **Remove only what you inserted.** A non-member that is a
/// false positive of `contains` can be removed, and then members that share
/// its slots become false negatives; no filter can detect this.
///
/// # Implementor contract
///
/// Removing a key that was inserted makes no other member a false negative.
#[diagnostic::on_unimplemented(
    message = "no key can be removed from `{Self}`",
    note = "take `CountingBloom` or `CuckooFilter`: a bit that is cleared may belong to other keys too"
)]
pub trait Remove: Prehashed<Hash = KeyHash> {
    /// Removes the key with this hash once.
    fn remove_hash(&mut self, hash: Self::Hash) -> bool;

    /// Removes a key once.
    fn remove<K: Key + ?Sized>(&mut self, key: &K) -> bool
    where
        Self: Sized,
    {
        self.remove_hash(hash_of(self, key))
    }
}

/// Adds another filter's keys.
///
/// # Implementor contract
///
/// The result is the filter that inserting the keys of both would have produced. A filter of
/// another geometry or seed is rejected with an error that names the parameter, and nothing
/// changes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no union",
    note = "`StandardBloom`, `BlockedBloom`, `PartitionedBloom`, `CountingBloom`, `AtomicBloom` and `ShardedBloom` have; `ScalableBloom` and `CuckooFilter` have a method `union_with` of their own, at the FPR of both or if there is room; else insert the keys again"
)]
pub trait Union {
    /// Adds all keys of `other`.
    ///
    /// # Errors
    ///
    /// [`Incompatible`] names the parameter in which the two differ.
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible>;
}

/// Keeps the keys that another filter may contain too.
///
/// # Implementor contract
///
/// Every key that is a member of both filters is a member of the result. (The result may
/// contain more keys than a filter built from the common keys alone.) A filter of another
/// geometry or seed is rejected with an error that names the parameter, and nothing changes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no intersection",
    note = "`StandardBloom`, `BlockedBloom`, `PartitionedBloom`, `CountingBloom`, `AtomicBloom` and `ShardedBloom` have"
)]
pub trait Intersect {
    /// Drops keys that `other` definitely does not contain.
    ///
    /// # Errors
    ///
    /// [`Incompatible`] names the parameter in which the two differ.
    fn intersect_with(&mut self, other: &Self) -> Result<(), Incompatible>;
}

/// Inserts keys through a shared reference, from any number of threads.
///
/// # For users
///
/// When an insert has returned, the key is present for every thread that synchronises with the
/// inserting one. `true`: the key was definitely not present when the call began. Two threads
/// that insert the same key at the same time may both get `true`.
///
/// # Implementor contract
///
/// If several threads insert at once, no key is lost.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be inserted into by several threads at once",
    note = "take `AtomicBloom` or `ShardedBloom`, or put it behind a `Mutex`"
)]
pub trait ConcurrentInsert: Prehashed + Sync {
    /// Inserts the key with this hash.
    fn insert_hash_shared(&self, hash: Self::Hash) -> bool;

    /// Inserts a key.
    fn insert_shared(&self, key: &[u8]) -> bool {
        self.insert_hash_shared(self.hash_key(key))
    }
}

/// Geometry of a filter, and statistics of its current contents.
///
/// Three different rates are called FPR: the *target* FPR is what was requested, the *expected*
/// FPR is the theory's value for a number of keys, averaged over all filters of this geometry,
/// and the *estimated* FPR is computed from the bits of this one filter.
///
/// There is no count of inserted keys: a Bloom filter does not store it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no statistics",
    note = "every filter of this family and its views have: `estimated_keys`, `estimated_fpr`, `fill_ratio`"
)]
pub trait Inspect {
    /// Keys the filter is sized for (n).
    fn capacity(&self) -> u64;

    /// Bits of storage (m).
    fn size_bits(&self) -> u64;

    /// Probes per key (k).
    fn hashes(&self) -> u32;

    /// Share of slots that are not zero, from 0 to 1. Scans all bits.
    fn fill_ratio(&self) -> f64;

    /// Whether no slot is occupied, so that the filter contains no key. Reads the slots up to the
    /// first that is occupied, and all of them in composed filters and views.
    fn is_empty(&self) -> bool {
        self.fill_ratio() == 0.0
    }

    /// Bytes of memory allocated, including the value itself. For a view, the borrowed bytes
    /// are not counted.
    fn memory_bytes(&self) -> usize;

    /// The mean FPR of filters of this geometry with `keys` different keys.
    fn expected_fpr(&self, keys: u64) -> f64;

    /// The FPR with the current contents, computed from the bits. Scans all bits.
    fn estimated_fpr(&self) -> f64;

    /// The estimated number of different keys inserted, computed from the bits; infinite if
    /// every slot is occupied. Scans all bits.
    fn estimated_keys(&self) -> f64;
}
