//! How the keys of a batch are hashed.

use crate::{Key, KeyHash, KeyHasher};

/// Computes the hashes of the keys of a batch: implemented by a reference to a [`KeyHasher`],
/// and by [`Ready`] for keys that are hashes already. With it, each batch operation of a filter
/// is written once for both.
///
/// ```
/// use bouquet_core::{KeyHash, batch::{Hashes, Ready}};
///
/// fn first<K>(keys: &[K], hashing: impl Hashes<K>) -> Option<KeyHash> {
///     keys.first().map(|key| hashing.one(key))
/// }
///
/// let hash = KeyHash::new(1, 2);
/// assert_eq!(first(&[hash], Ready), Some(hash));
/// ```
pub trait Hashes<K>: Copy {
    /// Whether [`many`](Self::many) is faster than calling [`one`](Self::one) for each key; see
    /// [`KeyHasher::HASHES_IN_BATCHES`].
    const IN_BATCHES: bool;

    /// Whether [`one`](Self::one) takes only a few machine instructions.
    const ARE_QUICK: bool;

    /// The hash of a key.
    fn one(self, key: &K) -> KeyHash;

    /// Computes the hashes of many keys: `hashes[i]` becomes `self.one(&keys[i])`.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    fn many(self, keys: &[K], hashes: &mut [KeyHash]);
}

impl<K: Key, H: KeyHasher> Hashes<K> for &H {
    const IN_BATCHES: bool = H::HASHES_IN_BATCHES;
    const ARE_QUICK: bool = matches!(K::LEN, Some(..=16)) && !H::KEYED;

    #[inline(always)]
    fn one(self, key: &K) -> KeyHash {
        self.hash_key(key)
    }

    #[inline]
    fn many(self, keys: &[K], hashes: &mut [KeyHash]) {
        self.hash_batch(keys, hashes);
    }
}

/// The [`Hashes`] implementation for keys that are hashes already: it returns them unchanged.
#[derive(Clone, Copy, Debug)]
pub struct Ready;

impl Hashes<KeyHash> for Ready {
    const IN_BATCHES: bool = false;
    const ARE_QUICK: bool = true;

    #[inline(always)]
    fn one(self, hash: &KeyHash) -> KeyHash {
        *hash
    }

    #[inline]
    fn many(self, from: &[KeyHash], to: &mut [KeyHash]) {
        to.copy_from_slice(from);
    }
}
