//! What only some filters can do. A bound on one of these is checked by the
//! compiler; nothing has to be asked at run time.

use crate::{Incompatible, Prehashed};

/// Takes back keys.
///
/// # What a user gets
///
/// `false`: the key was certainly absent, and nothing changed. `true`: it was
/// taken back once. **Remove only what you inserted.** A stranger that
/// `contains` takes for a member can be removed, and then members that share
/// its slots are lost; no filter can tell.
///
/// # What an implementor owes
///
/// Removing a member once inserted hides no other member.
pub trait Remove: Prehashed {
    /// Takes back the key with this hash once.
    fn remove_hash(&mut self, hash: Self::Hash) -> bool;

    /// Takes back a key once.
    fn remove(&mut self, key: &[u8]) -> bool {
        self.remove_hash(self.hash_key(key))
    }
}

/// Takes in another filter's keys.
///
/// # What an implementor owes
///
/// The result is the filter that would have got the keys of both. Filters of
/// another geometry or seed are refused by name, and nothing changes.
pub trait Union {
    /// Adds all keys of `other`.
    ///
    /// # Errors
    ///
    /// [`Incompatible`] names the parameter in which the two differ.
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible>;
}

/// Keeps the keys that another filter holds too.
///
/// # What an implementor owes
///
/// Every key held by both is held by the result. (It may hold more than a
/// filter made from the common keys alone.) Filters of another geometry or seed
/// are refused by name, and nothing changes.
pub trait Intersect {
    /// Drops keys that `other` does not hold.
    ///
    /// # Errors
    ///
    /// [`Incompatible`] names the parameter in which the two differ.
    fn intersect_with(&mut self, other: &Self) -> Result<(), Incompatible>;
}

/// Takes keys through a shared reference, from any number of threads.
///
/// # What a user gets
///
/// When an insert has returned, the key is held for every thread that learns of
/// it. `true`: it was certainly not held when the call began. Two threads that
/// insert one key at the same time may both be told `true`.
///
/// # What an implementor owes
///
/// N threads lose nothing.
pub trait ConcurrentInsert: Prehashed + Sync {
    /// Inserts the key with this hash.
    fn insert_hash_shared(&self, hash: Self::Hash) -> bool;

    /// Inserts a key.
    fn insert_shared(&self, key: &[u8]) -> bool {
        self.insert_hash_shared(self.hash_key(key))
    }
}

/// What a filter can tell of itself.
///
/// Three rates carry the name FPR, and they are not the same: the *target* is
/// what was asked, the *expected* is theory for a number of keys, averaged over
/// all filters of this geometry, and the *estimated* is read from the bits of
/// this one.
///
/// There is no count of insertions: a Bloom filter does not know it.
pub trait Inspect {
    /// Keys the filter is sized for (n).
    fn capacity(&self) -> u64;

    /// Bits of storage (m).
    fn size_bits(&self) -> u64;

    /// Probes a key (k).
    fn hashes(&self) -> u32;

    /// Share of slots that are not zero, 0 to 1. Costs a pass over the bits.
    fn fill_ratio(&self) -> f64;

    /// Bytes allocated, the value itself included.
    fn memory_bytes(&self) -> usize;

    /// The mean FPR of filters of this geometry with `keys` different keys.
    fn expected_fpr(&self, keys: u64) -> f64;

    /// The FPR now, from the bits. Costs a pass over them.
    fn estimated_fpr(&self) -> f64;

    /// The number of different keys inserted, from the bits; infinite if every
    /// slot is taken. Costs a pass over the bits.
    fn estimated_keys(&self) -> f64;
}
