//! XXH3 with 64 and with 128 bits.

use core::fmt;

use bouquet_core::{HashStream, Key, KeyHash, KeyHasher, SeededHasher, StreamHasher, batch::CHUNK};
use xxhash_rust::xxh3;

use crate::wide::{Work, widest};

/// XXH3 with 64 bits and a seed, remixed to two words by [`KeyHash::from_word`].
///
/// Its hash-collision floor is n/2^64: low enough for every filter whose target FPR is above
/// that, so for all except the largest and strictest. Use [`Xxh3Wide`] for those.
///
/// **The seed is not a secret key.** Keys that collide under every seed can be constructed; for
/// adversarial keys use `SipKeyed`.
///
/// ```
/// use bouquet_core::KeyHasher;
/// use bouquet_hash::Xxh3;
///
/// assert_eq!(Xxh3::new().hash(b"rose"), Xxh3::with_seed(0).hash(b"rose"));
/// assert_ne!(Xxh3::new().hash(b"rose"), Xxh3::with_seed(1).hash(b"rose"));
/// ```
///
/// Source: Yann Collet, [xxHash specification](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md),
/// version 0.2.0; `XXH3_64bits_withSeed`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Xxh3 {
    seed: u64,
}

impl Xxh3 {
    /// The hasher with seed 0.
    pub const fn new() -> Self {
        Self::with_seed(0)
    }

    /// The hasher with this seed. Filters with different seeds have different false positives,
    /// and cannot be united.
    pub const fn with_seed(seed: u64) -> Self {
        Self { seed }
    }
}

impl KeyHasher for Xxh3 {
    const ID: u16 = 1;
    const HASH_BITS: u32 = 64;
    const HASHES_IN_BATCHES: bool = true;

    fn seed(&self) -> u64 {
        self.seed
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> KeyHash {
        KeyHash::from_word(xxh3::xxh3_64_with_seed(key, self.seed))
    }

    /// Integers, and other short keys whose length the compiler knows, are hashed in parallel
    /// in the processor's vectors: with AVX-512 in a sixth of the time. For other keys only the
    /// remixing is done in parallel.
    #[inline]
    fn hash_batch<K: Key>(&self, keys: &[K], hashes: &mut [KeyHash]) {
        assert_eq!(keys.len(), hashes.len(), "one hash per key");
        let seed = self.seed;
        let (keys, last_keys) = keys.as_chunks();
        let (hashes, last_hashes) = hashes.as_chunks_mut();
        for (keys, hashes) in keys.iter().zip(hashes) {
            if matches!(K::LEN, Some(..=SHORT)) {
                widest(Hashing { seed, keys, hashes });
                continue;
            }
            let mut words = [0; CHUNK];
            for (word, key) in words.iter_mut().zip(keys) {
                *word = word_of(key, seed);
            }
            let words = &words;
            widest(Remixing { words, hashes });
        }
        for (key, hash) in last_keys.iter().zip(last_hashes) {
            *hash = self.hash_key(key);
        }
    }
}

/// Keys of up to this many bytes are hashed by XXH3 without branches.
const SHORT: usize = 16;

#[inline(always)]
fn word_of<K: Key>(key: &K, seed: u64) -> u64 {
    key.with_bytes(|key| xxh3::xxh3_64_with_seed(key, seed))
}

struct Hashing<'a, K> {
    seed: u64,
    keys: &'a [K; CHUNK],
    hashes: &'a mut [KeyHash; CHUNK],
}

impl<K: Key> Work for Hashing<'_, K> {
    #[inline(always)]
    fn run(self) {
        let Self { seed, keys, hashes } = self;
        for (key, hash) in keys.iter().zip(hashes) {
            *hash = KeyHash::from_word(word_of(key, seed));
        }
    }
}

struct Remixing<'a> {
    words: &'a [u64; CHUNK],
    hashes: &'a mut [KeyHash; CHUNK],
}

impl Work for Remixing<'_> {
    #[inline(always)]
    fn run(self) {
        for (word, hash) in self.words.iter().zip(self.hashes) {
            *hash = KeyHash::from_word(*word);
        }
    }
}

impl SeededHasher for Xxh3 {
    fn from_seed(seed: u64) -> Self {
        Self::with_seed(seed)
    }
}

impl StreamHasher for Xxh3 {
    type Stream = Xxh3Stream;

    fn stream(&self) -> Xxh3Stream {
        Xxh3Stream(xxh3::Xxh3::with_seed(self.seed))
    }
}

/// The state of a key that is being hashed by [`Xxh3`], about 600 bytes: it is cheaper to join
/// short parts than to stream them.
#[derive(Clone)]
pub struct Xxh3Stream(xxh3::Xxh3);

impl HashStream for Xxh3Stream {
    fn write(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    fn finish(&self) -> KeyHash {
        KeyHash::from_word(self.0.digest())
    }
}

impl fmt::Debug for Xxh3Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xxh3Stream").finish_non_exhaustive()
    }
}

/// XXH3 with 128 bits and a seed: the high word is the place, the low word the probe.
///
/// For filters whose target FPR is below n/2^64, where chance collisions of 64-bit hashes would
/// be visible in the FPR. It is no safer against an adversary than [`Xxh3`].
///
/// # Cost
///
/// For keys of about sixty bytes a little above that of [`Xxh3`].
///
/// Source: the specification named at [`Xxh3`]; `XXH3_128bits_withSeed`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Xxh3Wide {
    seed: u64,
}

impl Xxh3Wide {
    /// The hasher with seed 0.
    pub const fn new() -> Self {
        Self::with_seed(0)
    }

    /// The hasher with this seed; see [`Xxh3::with_seed`].
    pub const fn with_seed(seed: u64) -> Self {
        Self { seed }
    }
}

impl KeyHasher for Xxh3Wide {
    const ID: u16 = 2;
    const HASH_BITS: u32 = 128;

    fn seed(&self) -> u64 {
        self.seed
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> KeyHash {
        from_wide(xxh3::xxh3_128_with_seed(key, self.seed))
    }
}

impl SeededHasher for Xxh3Wide {
    fn from_seed(seed: u64) -> Self {
        Self::with_seed(seed)
    }
}

impl StreamHasher for Xxh3Wide {
    type Stream = Xxh3WideStream;

    fn stream(&self) -> Xxh3WideStream {
        Xxh3WideStream(xxh3::Xxh3::with_seed(self.seed))
    }
}

/// The state of a key that is being hashed by [`Xxh3Wide`]; see [`Xxh3Stream`].
#[derive(Clone)]
pub struct Xxh3WideStream(xxh3::Xxh3);

impl HashStream for Xxh3WideStream {
    fn write(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    fn finish(&self) -> KeyHash {
        from_wide(self.0.digest128())
    }
}

impl fmt::Debug for Xxh3WideStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xxh3WideStream").finish_non_exhaustive()
    }
}

#[inline]
const fn from_wide(hash: u128) -> KeyHash {
    KeyHash::new((hash >> 64) as u64, hash as u64)
}
