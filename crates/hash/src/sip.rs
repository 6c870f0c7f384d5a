//! SipHash-1-3, for adversarial keys.

use core::{array, fmt, hash::Hasher};

use bouquet_core::{HashStream, KeyHash, KeyHasher, StreamHasher};
use siphasher::sip::{SipHasher13, SipHasher24};

/// SipHash-1-3 under a secret 128-bit key, remixed to two words by
/// [`KeyHash::from_word`]: the hasher for keys that an adversary may choose.
///
/// A filter that answers untrusted queries over a network needs this hasher. Whoever can
/// compute the hash can construct non-members that are all false positives, or members that set
/// as many bits as possible and so raise the FPR several times. **A seed does not help**: XXH3
/// and MurmurHash3 have keys that collide whatever the seed. SipHash is a pseudo-random
/// function: without its key, nothing about a hash can be predicted.
///
/// The secret must come from the system's random source, be stored beside the filter like a
/// password, and be supplied again when the filter is opened. Answers still leak a little: an
/// adversary who sees them learns which keys are false positives, one query at a time.
///
/// [`Debug`](fmt::Debug) shows the check value of [`seed`](KeyHasher::seed),
/// never the secret. Equality compares the secret itself.
///
/// # Cost
///
/// About three times the cost of [`Xxh3`](crate::Xxh3).
///
/// ```
/// use bouquet_core::KeyHasher;
/// use bouquet_hash::SipKeyed;
///
/// # fn from_the_random_source() -> [u8; 16] { [7; 16] }
/// let hasher = SipKeyed::with_key(from_the_random_source());
/// assert_ne!(hasher.hash(b"a"), SipKeyed::with_key([0; 16]).hash(b"a"));
/// ```
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012. The
/// variant with one round per word and three final rounds is the authors' faster variant, and
/// that of the hash tables of Rust and Python.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SipKeyed {
    /// Only the secret, as two words. A hasher that stored its state would be four times as
    /// large, and a filter of many parts has a copy of the hasher in each.
    secret: [u64; 2],
}

impl SipKeyed {
    /// The hasher with this secret: 16 bytes, in the order of the paper.
    pub fn with_key(secret: [u8; 16]) -> Self {
        let word = |i: usize| u64::from_le_bytes(array::from_fn(|j| secret[8 * i + j]));
        Self {
            secret: [word(0), word(1)],
        }
    }

    /// A hasher with a new random secret, for a filter that exists only as long as the process:
    /// the secret cannot be read back. For a filter that is stored, use
    /// [`with_key`](Self::with_key). Needs the feature `std`.
    ///
    /// The secret is derived from the keys of two of the standard library's hash maps, which
    /// the system's random source has seeded: a SipHash under each of them gives one word.
    ///
    /// ```
    /// use bouquet_hash::SipKeyed;
    ///
    /// assert_ne!(SipKeyed::random(), SipKeyed::random());
    /// ```
    #[cfg(feature = "std")]
    pub fn random() -> Self {
        use std::hash::{BuildHasher, RandomState};

        Self {
            secret: array::from_fn(|word| RandomState::new().hash_one(word)),
        }
    }

    #[inline]
    fn begin(&self) -> SipHasher13 {
        SipHasher13::new_with_keys(self.secret[0], self.secret[1])
    }
}

impl KeyHasher for SipKeyed {
    const ID: u16 = 3;
    const HASH_BITS: u32 = 64;
    const KEYED: bool = true;

    /// A check value: it differs for different secrets (except with probability 2^-64), and may
    /// be published if the secret came from a random source.
    ///
    /// It is SipHash-2-4 of a fixed text under the secret. Because the numbers of rounds
    /// differ, it is independent of the hash of every key.
    fn seed(&self) -> u64 {
        let [first, second] = self.secret;
        SipHasher24::new_with_keys(first, second).hash(b"bouquet key check")
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> KeyHash {
        KeyHash::from_word(self.begin().hash(key))
    }
}

impl StreamHasher for SipKeyed {
    type Stream = SipStream;

    fn stream(&self) -> SipStream {
        SipStream(self.begin())
    }
}

impl fmt::Debug for SipKeyed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SipKeyed")
            .field("check", &format_args!("{:016x}", self.seed()))
            .finish_non_exhaustive()
    }
}

/// The state of a key that is being hashed by [`SipKeyed`]. It contains the secret, but its
/// `Debug` output does not show it.
#[derive(Clone)]
pub struct SipStream(SipHasher13);

impl HashStream for SipStream {
    fn write(&mut self, part: &[u8]) {
        self.0.write(part);
    }

    fn finish(&self) -> KeyHash {
        KeyHash::from_word(self.0.finish())
    }
}

impl fmt::Debug for SipStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SipStream").finish_non_exhaustive()
    }
}
