//! From a key's bytes to the two 64-bit words from which a filter derives its probes.

use core::{fmt::Debug, ops::RangeInclusive};

use crate::Key;

/// Hasher IDs that this project will never assign: choose the ID of your own hasher from here.
pub const USER_HASHER_IDS: RangeInclusive<u16> = 0x8000..=0xffff;

/// The hash of one key: all that a filter needs of the key.
///
/// The two words have different jobs, so that no bit of the hash is used for two decisions:
///
/// - `place` picks *where*: a shard, then a block. Every pick consumes part of it through
///   [`split`](Self::split), and only the remaining part is passed on.
/// - `probe` determines the slots *within* a filter or block and nothing else. A filter without
///   shards or blocks uses the remaining part of `place` as the step from slot to slot, so that
///   all bits of a wide hash count.
///
/// Reusing a word is a classic bug of sharded filters: if four shards and their blocks are
/// picked by the same bits, three quarters of the blocks stay empty and a filter sized for 1 %
/// has an FPR of 70 %.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KeyHash {
    /// Picks the shard and the block; consumed by [`split`](Self::split).
    pub place: u64,
    /// Determines the slots within a filter or block.
    pub probe: u64,
}

impl KeyHash {
    /// A hash from two independent, uniformly distributed words.
    #[inline]
    pub const fn new(place: u64, probe: u64) -> Self {
        Self { place, probe }
    }

    /// Makes a hash from one uniformly distributed word, by remixing it into two.
    ///
    /// Two keys with the same word are the same key to every filter. Of all non-members of a
    /// set of n keys, a share of about n/2^64 has the same word as a member: the
    /// *hash-collision floor* of the FPR.
    #[inline]
    pub const fn from_word(word: u64) -> Self {
        Self {
            place: word,
            probe: remix(word),
        }
    }

    /// Picks one of `n` places and returns its index together with the remaining hash.
    ///
    /// The index is the high word of `place * n`, uniform over `0..n` to within n/2^64; the low
    /// word is the new `place`, uniform and independent of the index. Splitting by a and then
    /// by b is as uniform as splitting by a*b.
    ///
    /// ```
    /// # use bouquet_core::KeyHash;
    /// let (shard, rest) = KeyHash::from_word(0xc0ff_ee00_dead_beef).split(64);
    /// let (block, _) = rest.split(1_000);
    /// assert!(shard < 64 && block < 1_000);
    /// ```
    #[inline]
    pub const fn split(self, n: u64) -> (u64, Self) {
        let product = self.place as u128 * n as u128;
        (
            (product >> 64) as u64,
            Self {
                place: product as u64,
                probe: self.probe,
            },
        )
    }
}

/// A bijection without any linear relation between `word` and the result: the finaliser of
/// MurmurHash3, with an offset so that 0 does not map to 0.
#[inline]
const fn remix(word: u64) -> u64 {
    let mut x = word ^ 0x9e37_79b9_7f4a_7c15;
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

/// A hash function for keys, with its seed or secret inside.
///
/// # For users
///
/// A filter takes its hasher as a type parameter, so that choosing one costs
/// nothing at run time. Two filters can be united or compared only if their
/// hashers are equal, seed included.
///
/// # Implementing your own
///
/// - `hash` depends only on the bytes and the seed: not on the machine, its byte order, the
///   process or an enabled feature. A stored filter can be read only while later releases
///   compute the same hashes.
/// - Both words of the result are uniform and independent, also for keys that differ in one
///   bit. If your function gives one good word, [`KeyHash::from_word`] makes the second.
/// - Hashers with equal seeds are equal, hashers with different seeds are not ([`PartialEq`]).
/// - [`Debug`] does not print a secret.
/// - `ID` is from [`USER_HASHER_IDS`], and never changes.
///
/// The law `hasher` of `bouquet-testkit` tests these rules as far as they can be tested.
///
/// ```
/// use bouquet_core::{KeyHash, KeyHasher};
///
/// /// FNV-1a: short, and too weak for a filter. The law shows it.
/// #[derive(Clone, Debug, PartialEq, Eq)]
/// struct Fnv1a;
///
/// impl KeyHasher for Fnv1a {
///     const ID: u16 = 0x8001;
///     const HASH_BITS: u32 = 64;
///
///     fn seed(&self) -> u64 {
///         0
///     }
///
///     fn hash(&self, key: &[u8]) -> KeyHash {
///         KeyHash::from_word(key.iter().fold(0xcbf2_9ce4_8422_2325, |h, byte| {
///             (h ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
///         }))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a hasher of keys",
    note = "take `Folded`, `Xxh3`, `Xxh3Wide` or `SipKeyed`, or implement `KeyHasher` with an ID of your own",
    note = "of a `BuildHasher`: `StdHasher<{Self}>`, for filters that are not stored"
)]
pub trait KeyHasher: Clone + Eq + Debug {
    /// Identifies the hash function in files and errors. An ID is never assigned to another
    /// function.
    const ID: u16;

    /// The number of independent bits in a hash, 64 or 128: no filter of n keys has an FPR
    /// below about n/2^`HASH_BITS`.
    const HASH_BITS: u32;

    /// Whether the hasher has a secret key, which must not be stored beside a filter. If so,
    /// [`seed`](Self::seed) is a check value.
    const KEYED: bool = false;

    /// Whether [`hash_batch`](Self::hash_batch) of short keys is faster than a loop that calls
    /// [`hash_key`](Self::hash_key) and uses each hash at once. If `false`, a filter that fits
    /// in the cache uses such a loop; the answers are the same.
    const HASHES_IN_BATCHES: bool = false;

    /// The value that distinguishes this hasher from others of its type: the seed, or, for a
    /// hasher with a secret key, a check value that does not reveal the key.
    fn seed(&self) -> u64;

    /// The hash of a key.
    fn hash(&self, key: &[u8]) -> KeyHash;

    /// The hash of any [`Key`]: the hash of its bytes.
    #[inline]
    fn hash_key<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        key.with_bytes(|bytes| self.hash(bytes))
    }

    /// The hashes of many keys: `hashes[i]` becomes [`hash_key`](Self::hash_key) of `keys[i]`.
    /// Hashers that can hash many keys faster override it.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    #[inline]
    fn hash_batch<K: Key>(&self, keys: &[K], hashes: &mut [KeyHash]) {
        assert_eq!(keys.len(), hashes.len(), "one hash per key");
        for (key, hash) in keys.iter().zip(hashes) {
            *hash = self.hash_key(key);
        }
    }
}

/// A [`KeyHasher`] that can be rebuilt from its seed alone, for example to open a stored
/// filter.
///
/// `from_seed(hasher.seed())` equals `hasher`. Hashers with a secret key do not implement this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made again from its seed",
    note = "a hasher with a secret key is given when the filter is opened: `decode_with`, `load_with`"
)]
pub trait SeededHasher: KeyHasher {
    /// Creates the hasher with this seed.
    fn from_seed(seed: u64) -> Self;
}

/// A [`KeyHasher`] that can hash a key given in parts.
///
/// However a key is cut into parts, the hash is that of the joined bytes.
pub trait StreamHasher: KeyHasher {
    /// The state of a hash between two parts.
    type Stream: HashStream;

    /// Starts hashing a key.
    fn stream(&self) -> Self::Stream;

    /// The hash of the joined parts, computed without copying them together.
    fn hash_parts(&self, parts: &[&[u8]]) -> KeyHash {
        let mut stream = self.stream();
        for part in parts {
            stream.write(part);
        }
        stream.finish()
    }
}

/// The state of a key that is being hashed.
pub trait HashStream: Clone {
    /// Adds the next bytes of the key.
    fn write(&mut self, part: &[u8]);

    /// The hash of all bytes so far; more bytes may be added afterwards.
    fn finish(&self) -> KeyHash;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_picks_evenly_and_keeps_the_rest() {
        let n = 3;
        let mut counts = [0; 3];
        for i in 0..3_000u64 {
            let word = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (index, rest) = KeyHash::from_word(word).split(n);
            counts[index as usize] += 1;
            assert_eq!(rest.place, word.wrapping_mul(n));
            assert_eq!(rest.probe, remix(word));
        }
        assert!(
            counts.iter().all(|c| (990..=1_010).contains(c)),
            "{counts:?}"
        );
    }

    #[test]
    fn splitting_twice_is_splitting_by_the_product() {
        let hash = KeyHash::from_word(0x0123_4567_89ab_cdef);
        let (shard, rest) = hash.split(64);
        let (block, _) = rest.split(100);
        assert_eq!(shard * 100 + block, hash.split(6_400).0);
    }

    #[test]
    fn one_place_takes_nothing() {
        assert_eq!(KeyHash::new(7, 9).split(1), (0, KeyHash::new(7, 9)));
    }
}
