//! The traits that every filter implements, for queries and inserts.

use core::convert::Infallible;

use crate::{BatchError, CannotFail, ContainsIter, InsertIter, Key, KeyHash, batch::CHUNK};

/// An approximate set: it may contain a key that was never inserted, and never
/// misses one that was.
///
/// # For users
///
/// `contains_bytes` returns `false` only if the key is definitely absent. It returns
/// `true` for every key that was inserted and not removed, and for a non-member
/// with the probability (FPR) that [`Inspect`](crate::Inspect) gives.
///
/// The trait is object-safe and takes bytes. On a concrete filter, the inherent method `contains`
/// takes any [`Key`] (or, in a filter of another system, the keys that the system defines), and so
/// does [`Prehashed::contains`] in generic code over native filters.
///
/// ```
/// use bouquet_core::Filter;
///
/// fn known<'a>(filter: &dyn Filter, names: &[&'a str]) -> Vec<&'a str> {
///     names.iter().copied().filter(|name| filter.contains_bytes(name.as_bytes())).collect()
/// }
/// ```
///
/// # Implementor contract
///
/// No false negatives, whatever happened in between: growth, removal of other keys, union,
/// storing and loading. The answer depends only on the filter and the bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a filter",
    note = "every filter of this family is: `StandardBloom`, `BlockedBloom` and the others, and views of them"
)]
pub trait Filter {
    /// Returns whether the filter may contain the key; `false` means that it is definitely
    /// absent.
    fn contains_bytes(&self, key: &[u8]) -> bool;

    /// Queries many keys at once: `found[i]` becomes the answer for `keys[i]`.
    ///
    /// The answers are those of [`contains_bytes`](Self::contains_bytes). Variants that can
    /// overlap the memory accesses of a batch override this.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    fn contains_bytes_batch(&self, keys: &[&[u8]], found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        for (key, found) in keys.iter().zip(found) {
            *found = self.contains_bytes(key);
        }
    }
}

/// A filter whose keys can be hashed once and used with many filters.
///
/// # For users
///
/// `filter.contains_hash(filter.hash_key(key))` equals `filter.contains_bytes(key)`, and the hash
/// can be used with every filter that has an equal hasher.
///
/// # Implementor contract
///
/// The equality above must hold, and `Hash` must be cheap to copy. In all native filters `Hash`
/// is [`KeyHash`](crate::KeyHash); filters of foreign formats have their own type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not take hashes of keys",
    note = "for keys of any type, write the bound `Prehashed<Hash = KeyHash>`",
    note = "with the bound `Filter` and with `dyn Filter`, write `contains_bytes`"
)]
pub trait Prehashed: Filter {
    /// The hash type that a key is reduced to.
    type Hash: Copy;

    /// The hash of a key.
    fn hash_key(&self, key: &[u8]) -> Self::Hash;

    /// Returns whether the filter may contain the key with this hash; `false` means that it is
    /// definitely absent.
    fn contains_hash(&self, hash: Self::Hash) -> bool;

    /// Queries many keys at once by their hashes: `found[i]` becomes the answer for
    /// `hashes[i]`.
    ///
    /// The answers are those of [`contains_hash`](Self::contains_hash).
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    fn contains_hash_batch(&self, hashes: &[Self::Hash], found: &mut [bool]) {
        assert_eq!(hashes.len(), found.len(), "one answer per key");
        for (hash, found) in hashes.iter().zip(found) {
            *found = self.contains_hash(*hash);
        }
    }

    /// Returns whether a native filter may contain the key; `false` means that it is definitely
    /// absent. Behind a pointer such as `&dyn Prehashed<Hash = KeyHash>`, use
    /// [`FilterExt::contains_key`].
    fn contains<K: Key + ?Sized>(&self, key: &K) -> bool
    where
        Self: Prehashed<Hash = KeyHash> + Sized,
    {
        key.with_bytes(|bytes| self.contains_bytes(bytes))
    }

    /// Queries many keys at once, in a native filter: `found[i]` becomes the answer for
    /// `keys[i]`, the same as that of [`contains`](Self::contains).
    ///
    /// Variants whose inherent batch method hashes several keys in parallel override this.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool])
    where
        Self: Prehashed<Hash = KeyHash> + Sized,
    {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        for (keys, found) in keys.chunks(HASHED).zip(found.chunks_mut(HASHED)) {
            self.contains_hash_batch(&hashes_of(self, keys)[..keys.len()], found);
        }
    }
}

/// The number of keys that are hashed at a time: several chunks of a batch.
const HASHED: usize = 4 * CHUNK;

/// The hash of a key, as the filter's own methods compute it.
#[inline]
pub(crate) fn hash_of<F: Prehashed<Hash = KeyHash> + ?Sized, K: Key + ?Sized>(
    filter: &F,
    key: &K,
) -> KeyHash {
    key.with_bytes(|bytes| filter.hash_key(bytes))
}

/// The hashes of 1 to [`HASHED`] keys; unused elements at the end repeat the first hash.
#[inline]
fn hashes_of<F: Prehashed<Hash = KeyHash>, K: Key>(filter: &F, keys: &[K]) -> [KeyHash; HASHED] {
    let mut hashes = [hash_of(filter, &keys[0]); HASHED];
    for (hash, key) in hashes.iter_mut().zip(keys).skip(1) {
        *hash = hash_of(filter, key);
    }
    hashes
}

/// A native filter that accepts keys and may reject one. (Filters of other systems have
/// inherent methods for the keys that their systems define.)
///
/// # For users
///
/// `Ok(true)`: the key was definitely not present before. `Ok(false)`: it may have been present
/// before. In both cases it is present now. (The meaning of `true` is that of
/// [`HashSet::insert`](https://doc.rust-lang.org/std/collections/struct.HashSet.html#method.insert).)
/// `Err`: nothing changed.
///
/// # Implementor contract
///
/// Returns `Ok(b)` exactly if the key is present from now on, with b `true` exactly if
/// `contains` was `false` before; an error leaves the filter unchanged. A filter that accepts
/// every key has `Error = Infallible` and thereby implements [`Insert`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no keys",
    note = "views are read-only: `load` the filter; a filter of another system has its own `insert`"
)]
pub trait TryInsert: Prehashed<Hash = KeyHash> {
    /// Why a key can be rejected.
    type Error;

    /// Inserts the key with this hash.
    ///
    /// # Errors
    ///
    /// If the key is rejected; nothing has changed then.
    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Self::Error>;

    /// Inserts a key.
    ///
    /// # Errors
    ///
    /// If the key is rejected; nothing has changed then.
    fn try_insert<K: Key + ?Sized>(&mut self, key: &K) -> Result<bool, Self::Error>
    where
        Self: Sized,
    {
        self.try_insert_hash(hash_of(self, key))
    }

    /// Inserts keys in order and returns how many were definitely new.
    ///
    /// # Errors
    ///
    /// The first rejected key ends the batch: the keys before it are present.
    fn try_insert_batch<K: Key>(&mut self, keys: &[K]) -> Result<usize, BatchError<Self::Error>>
    where
        Self: Sized,
    {
        let mut new = 0;
        for (index, key) in keys.iter().enumerate() {
            match self.try_insert(key) {
                Ok(was_new) => new += usize::from(was_new),
                Err(error) => return Err(BatchError { index, error }),
            }
        }
        Ok(new)
    }

    /// Inserts keys by their hashes, in order: `new[i]` becomes what
    /// [`try_insert_hash`](Self::try_insert_hash) returns for `hashes[i]`. Variants that can
    /// overlap the memory accesses of a batch override this.
    ///
    /// # Errors
    ///
    /// Those of [`try_insert_batch`](Self::try_insert_batch).
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    fn try_insert_hash_each(
        &mut self,
        hashes: &[KeyHash],
        new: &mut [bool],
    ) -> Result<(), BatchError<Self::Error>> {
        assert_eq!(hashes.len(), new.len(), "one answer per key");
        for (index, (hash, new)) in hashes.iter().zip(new).enumerate() {
            match self.try_insert_hash(*hash) {
                Ok(was_new) => *new = was_new,
                Err(error) => return Err(BatchError { index, error }),
            }
        }
        Ok(())
    }

    /// Inserts keys of any type, in order: `new[i]` becomes what [`FilterExt::insert_key`]
    /// returns for `keys[i]`. Variants that hash several keys in parallel override this.
    ///
    /// # Errors
    ///
    /// Those of [`try_insert_batch`](Self::try_insert_batch).
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    fn try_insert_keys_each<K: Key>(
        &mut self,
        keys: &[K],
        new: &mut [bool],
    ) -> Result<(), BatchError<Self::Error>>
    where
        Self: Sized,
    {
        assert_eq!(keys.len(), new.len(), "one answer per key");
        let chunks = keys.chunks(HASHED).zip(new.chunks_mut(HASHED));
        for (first, (keys, new)) in (0..).step_by(HASHED).zip(chunks) {
            let hashes = hashes_of(self, keys);
            let taken = self.try_insert_hash_each(&hashes[..keys.len()], new);
            taken.map_err(|BatchError { index, error }| BatchError {
                index: first + index,
                error,
            })?;
        }
        Ok(())
    }

    /// Inserts keys by their hashes, in order, and returns how many were
    /// definitely new.
    ///
    /// # Errors
    ///
    /// Those of [`try_insert_batch`](Self::try_insert_batch).
    fn try_insert_hash_batch(
        &mut self,
        hashes: &[KeyHash],
    ) -> Result<usize, BatchError<Self::Error>> {
        let mut new = 0;
        for (index, hash) in hashes.iter().enumerate() {
            match self.try_insert_hash(*hash) {
                Ok(was_new) => new += usize::from(was_new),
                Err(error) => return Err(BatchError { index, error }),
            }
        }
        Ok(new)
    }
}

/// A filter that accepts every key: the trait that most code should be generic over.
///
/// Implemented for every [`TryInsert`] that cannot fail; it cannot be implemented by hand. Its
/// methods take the same key types as the filters' inherent methods: on a `&mut` reference the
/// compiler finds the trait's method first if the inherent method takes `&self`, as in filters
/// that threads share.
///
/// ```
/// use bouquet_core::Insert;
///
/// /// Keeps the first of each line, dropping now and then one that is new.
/// fn dedup<'a>(lines: &[&'a str], seen: &mut impl Insert) -> Vec<&'a str> {
///     lines.iter().copied().filter(|line| seen.insert(line)).collect()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no keys, or may reject one",
    note = "use `TryInsert` for a filter that can be full, such as `ScalableBloom` or `CuckooFilter`",
    note = "views are read-only: `load` the filter; a filter of another system has its own `insert`; a set is no filter"
)]
pub trait Insert: TryInsert<Error = Infallible> {
    /// Inserts a key; `true` if it was definitely not present before.
    fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool
    where
        Self: Sized,
    {
        match self.try_insert(key) {
            Ok(was_new) => was_new,
        }
    }

    /// Inserts the key with this hash; `true` if it was definitely not present
    /// before.
    fn insert_hash(&mut self, hash: KeyHash) -> bool {
        match self.try_insert_hash(hash) {
            Ok(was_new) => was_new,
        }
    }

    /// Inserts keys and returns how many were definitely new.
    fn insert_batch<K: Key>(&mut self, keys: &[K]) -> usize
    where
        Self: Sized,
    {
        match self.try_insert_batch(keys) {
            Ok(new) => new,
        }
    }

    /// Inserts keys by their hashes and returns how many were definitely new.
    fn insert_hash_batch(&mut self, hashes: &[KeyHash]) -> usize {
        match self.try_insert_hash_batch(hashes) {
            Ok(new) => new,
        }
    }
}

// The second bound adds nothing but a better compiler message: the first implies it.
impl<F> Insert for F
where
    F: TryInsert<Error = Infallible> + ?Sized,
    F::Error: CannotFail,
{
}

/// Methods that take any [`Key`] in generic code, also for a native filter behind a pointer
/// such as `&dyn Prehashed<Hash = KeyHash>`. Filters of other systems do not have these
/// methods, and neither has `&dyn Filter`, which may be such a filter: query them with
/// [`Filter::contains_bytes`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a filter",
    note = "every filter of this family is: `StandardBloom`, `BlockedBloom` and the others, and views of them"
)]
pub trait FilterExt: Filter {
    /// Returns whether the filter may contain the key; `false` means that it is definitely
    /// absent.
    fn contains_key<K: Key + ?Sized>(&self, key: &K) -> bool
    where
        Self: Prehashed<Hash = KeyHash>,
    {
        key.with_bytes(|bytes| self.contains_bytes(bytes))
    }

    /// Inserts a key; `true` if it was definitely not present before.
    fn insert_key<K: Key + ?Sized>(&mut self, key: &K) -> bool
    where
        Self: Insert,
    {
        match self.try_insert_hash(hash_of(self, key)) {
            Ok(was_new) => was_new,
        }
    }

    /// Queries the keys of an iterator and returns an answer for each, in order. Keys are taken
    /// and queried in batches of 128.
    ///
    /// ```
    /// use bouquet_core::{FilterExt, KeyHash, Prehashed};
    ///
    /// fn known(filter: &impl Prehashed<Hash = KeyHash>, names: &[String]) -> usize {
    ///     filter.contains_iter(names).filter(|is_known| *is_known).count()
    /// }
    /// ```
    fn contains_iter<I>(&self, keys: I) -> ContainsIter<'_, Self, I::IntoIter>
    where
        Self: Prehashed<Hash = KeyHash> + Sized,
        I: IntoIterator<Item: Key>,
    {
        ContainsIter::new(self, keys.into_iter())
    }

    /// Inserts the keys of an iterator as the answers are consumed: the answers are, in order,
    /// what [`insert_key`](Self::insert_key) returns for each key. Keys are taken and inserted
    /// 128 at a time; all keys that were taken are in the filter, even if the iterator is
    /// dropped before their answers were consumed, or panics.
    ///
    /// If the filter exceeds the cache, this takes a fifth to two thirds of the time of single
    /// inserts; if it fits in the cache, up to a third more time than single inserts. In a
    /// sharded filter, whose single inserts through `&mut` need no lock, it takes about as long
    /// as single inserts.
    ///
    /// If the key iterator panics, the keys already taken are inserted while that panic
    /// unwinds: if hashing one of those keys panics too, the program aborts. If only hashing a
    /// key panics, the keys of its batch of 128 that have no answer yet are inserted by the
    /// next call.
    fn insert_iter<I>(&mut self, keys: I) -> InsertIter<'_, Self, I::IntoIter>
    where
        Self: Insert + Sized,
        I: IntoIterator<Item: Key>,
    {
        InsertIter::new(self, keys.into_iter())
    }

    /// Inserts every key of an iterator.
    fn extend_keys<K: Key>(&mut self, keys: impl IntoIterator<Item = K>)
    where
        Self: Insert,
    {
        for key in keys {
            self.insert_key(&key);
        }
    }
}

impl<F: Filter + ?Sized> FilterExt for F {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both traits must stay usable behind a pointer.
    #[expect(dead_code, reason = "compiling is the test")]
    fn object_safe(_: &dyn Filter, _: &dyn Prehashed<Hash = KeyHash>) {}
}
