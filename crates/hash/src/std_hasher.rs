//! Use of the hashers of the standard library's hash maps.

use core::{
    fmt,
    hash::{BuildHasher, Hasher},
};

use bouquet_core::{KeyHash, KeyHasher};

/// Wraps any [`BuildHasher`] as used by hash maps, for a filter that is used beside a hash map:
/// `RandomState` of the standard library, or the hashers of ahash, foldhash or rustc-hash.
///
/// # What it cannot guarantee
///
/// - **Stable hashes.** A `BuildHasher` may hash differently in the next release of its crate
///   or of Rust and on another machine; `RandomState` hashes differently in every process. So
///   these filters cannot be stored: `encode` and `save` do not compile. The hasher ID is 0,
///   which no file has.
/// - **The target FPR.** It is met if the hash is uniform in all its 64 bits, and the hashes of
///   some hash maps are not. The law `hasher` of `bouquet-testkit`, which tests
///   [`Folded`](crate::Folded) and the others, does not test the wrapped hasher.
/// - **Exact equality.** A `BuildHasher` cannot be compared. Two are considered equal if they
///   give the same hash of a fixed text: equal ones always do, and different ones with
///   probability 2^-64, provided that their whole seed affects the hash.
///
/// ```
/// use std::hash::RandomState;
///
/// use bouquet_core::KeyHasher;
/// use bouquet_hash::StdHasher;
///
/// let hasher = StdHasher::new(RandomState::new());
/// assert_eq!(hasher, hasher.clone());
/// assert_ne!(hasher.hash(b"rose"), hasher.hash(b"tulip"));
/// ```
#[derive(Clone, Default)]
pub struct StdHasher<S>(S);

impl<S: BuildHasher> StdHasher<S> {
    /// A hasher that hashes a key's bytes with `build`.
    pub const fn new(build: S) -> Self {
        Self(build)
    }

    #[inline]
    fn word(&self, bytes: &[u8]) -> u64 {
        let mut hasher = self.0.build_hasher();
        hasher.write(bytes);
        hasher.finish()
    }

    fn check(&self) -> u64 {
        self.word(b"bouquet hasher check")
    }
}

impl<S: BuildHasher + Clone> KeyHasher for StdHasher<S> {
    const ID: u16 = 0;
    const HASH_BITS: u32 = 64;

    /// The hash of a fixed text, by which hashers are compared.
    fn seed(&self) -> u64 {
        self.check()
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> KeyHash {
        KeyHash::from_word(self.word(key))
    }
}

/// Compares the hashes of a fixed text.
impl<S: BuildHasher> PartialEq for StdHasher<S> {
    fn eq(&self, other: &Self) -> bool {
        self.check() == other.check()
    }
}

impl<S: BuildHasher> Eq for StdHasher<S> {}

impl<S> fmt::Debug for StdHasher<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdHasher").finish_non_exhaustive()
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::{collections::HashSet, hash::RandomState};

    use super::*;

    #[test]
    fn it_is_the_hash_of_the_bytes() {
        let build = RandomState::new();
        let hasher = StdHasher::new(build.clone());
        let mut own = build.build_hasher();
        own.write(b"rose");
        assert_eq!(hasher.hash(b"rose"), KeyHash::from_word(own.finish()));
        assert_eq!(hasher.hash_key("rose"), hasher.hash(b"rose"));
        let words: HashSet<_> = (0..10_000u64).map(|key| hasher.hash_key(&key)).collect();
        assert_eq!(words.len(), 10_000);
    }

    #[test]
    fn another_seed_is_another_hasher() {
        let hasher = StdHasher::<RandomState>::default();
        assert_eq!(hasher, hasher.clone());
        assert_eq!(hasher.seed(), hasher.clone().seed());
        for _ in 0..10 {
            assert_ne!(hasher, StdHasher::default());
        }
        assert!(!format!("{hasher:?}").contains(char::is_numeric));
    }
}
