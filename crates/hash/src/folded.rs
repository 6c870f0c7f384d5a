//! A hash by folded 64 x 64-bit multiplications: the fastest sound hash of short keys that
//! needs only a multiplier.

mod side_by_side;
mod stream;

use core::{array, fmt};

use bouquet_core::{Key, KeyHash, KeyHasher, SeededHasher, StreamHasher};

use crate::wide::WordVectors;
use side_by_side::{Folding, SIDE_BY_SIDE};
pub use stream::FoldedStream;

/// Arbitrary constants: hexadecimal digits of π after the point.
const A: u64 = 0x243f_6a88_85a3_08d3;
const B: u64 = 0xbe54_66cf_34e9_0c6d;
/// One pair per lane. If two lanes had the same constants, swapping their pieces would not
/// change the hash, and a piece read by both lanes would nearly cancel out.
const C: [u64; 4] = [
    0xa409_3822_299f_31d1,
    0xc0ac_29b7_c97c_50dd,
    0x3f84_d5b5_b547_0917,
    0x9216_d5d9_8979_fb1b,
];
const D: [u64; 4] = [
    0x082e_fa98_ec4e_6c89,
    0xd131_0ba6_98df_b5ac,
    0x2ffd_72db_d01a_dfb7,
    0xb8e1_afed_6a26_7e96,
];
const E: u64 = 0x4528_21e6_38d0_1377;

/// Spreads a length over a word: 2^64 divided by the golden ratio, made odd.
const G: u64 = 0x9e37_79b9_7f4a_7c15;
/// The last factor. It is near 2^64, so that the high word of a product can take every value up
/// to the largest: the first constant of MurmurHash3's finaliser.
const LAST: u64 = 0xff51_afd7_ed55_8ccd;

/// The number of bytes that one lane processes at a time.
const PIECE: usize = 16;
/// The number of bytes of a long key that the four lanes process in parallel.
const STRIPE: usize = 4 * PIECE;

/// A seeded hash by folded multiplications: the default hasher.
///
/// A key of up to 16 bytes takes two multiplications of 64 by 64 bits. The 128-bit product of
/// the first is folded to 64 bits, high word XOR low word. The second product gives the place
/// (high XOR low) and the probe (high XOR low rotated by 23). A key of 17 to 48 bytes takes
/// four multiplications whatever its length, three of them in parallel; a key of 49 to 64 bytes
/// takes five, and every further 64 bytes take four more. Hashes of different keys do not
/// depend on each other, so they overlap.
///
/// Its hash-collision floor is n/2^64: low enough for every filter whose target FPR is above
/// that, so for all except the largest and strictest. Use [`Xxh3Wide`](crate::Xxh3Wide) for
/// those.
///
/// **The seed is not a secret key.** Whoever can choose the keys can construct any number of
/// keys that collide under every seed: a word of the key that makes a factor without a seed
/// zero removes the neighbouring word from the hash. For adversarial keys use `SipKeyed`.
///
/// ```
/// use bouquet_core::KeyHasher;
/// use bouquet_hash::Folded;
///
/// assert_eq!(Folded::new().hash(b"rose"), Folded::with_seed(0).hash(b"rose"));
/// assert_ne!(Folded::new().hash(b"rose"), Folded::with_seed(1).hash(b"rose"));
/// ```
///
/// # The function
///
/// All words are little-endian. `fold(x, y)` is the XOR of the two halves of the 128-bit
/// product `x * y`. A, B, C0 to C3, D0 to D3 and E are words of the digits of π (B and C0 made
/// odd), and L = length * 0x9e3779b97f4a7c15 modulo 2^64.
///
/// 1. A key of at most 16 bytes becomes two words u and v. With 9 bytes or more, u is its first
///    8 bytes and v its last 8 bytes. With fewer, v equals u, and u is: for 8 bytes, these
///    bytes; for 4 to 7, the first 4 bytes as the low half and the last 4 as the high half; for
///    1 to 3, the first, middle and last byte (`first | middle << 8 | last << 16`, the middle
///    at index length / 2); for 0, zero. Then `f = fold(u ^ seed ^ A, v + (B ^ L))`, the sum
///    modulo 2^64.
/// 2. A longer key has three lanes, or four if it has more than 48 bytes; lane i starts as
///    `seed ^ Di`. Each lane takes pieces of 16 bytes, as words u and v, and becomes `fold(u ^
///    Ci, v ^ lane)`. While more than 64 bytes are left, the lanes take the next 64, lane 0 the
///    first 16 of them. Finally each lane takes one more piece. If the key has at most 48
///    bytes, the last pieces are those that end at byte 16, at the smaller of 32 and the
///    length, and at the length; if it has at most 64 bytes, those that end at bytes 16, 32 and
///    48 and at the length; if it is longer, the last 64 bytes, part of which may be read
///    twice. Then f is the XOR of the lanes and L.
/// 3. The 128-bit product `(f ^ E ^ rotate_left(seed, 32)) * 0xff51afd7ed558ccd` is `high,
///    low`: place is `high ^ low`, probe is `high ^ rotate_left(low, 23)`.
///
/// Sources: the folded multiplication is that of Wang Yi's
/// [wyhash](https://github.com/wangyi-fudan/wyhash) and of Orson Peters' foldhash; the
/// arrangement is this crate's own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Folded {
    // The seed as the two steps of a short key use it, which saves two instructions per key.
    /// `seed ^ A`
    first: u64,
    /// `E ^ rotate_left(seed, 32)`
    last: u64,
}

impl Folded {
    /// The hasher with seed 0.
    pub const fn new() -> Self {
        Self::with_seed(0)
    }

    /// The hasher with this seed. Filters with different seeds have different false positives,
    /// and cannot be united.
    pub const fn with_seed(seed: u64) -> Self {
        Self {
            first: seed ^ A,
            last: E ^ seed.rotate_left(32),
        }
    }

    const fn seed(self) -> u64 {
        self.first ^ A
    }

    /// The hash of a key of at most 16 bytes, from its two words. One factor is computed with
    /// XOR and the other with a sum: if both were computed alike, swapping the two factors of a
    /// short key would give another key with the same hash.
    #[inline]
    const fn of_words(self, (u, v): (u64, u64), length: u64) -> KeyHash {
        self.finish(fold(u ^ self.first, v.wrapping_add(B ^ spread(length))))
    }

    /// The hash of a key of more than 16 bytes. Always inlined, so that the initial lanes are
    /// constants if the seed is.
    #[inline(always)]
    fn of_long(self, key: &[u8]) -> KeyHash {
        if key.len() <= 3 * PIECE {
            self.of_three(key)
        } else if key.len() <= STRIPE
            && let (Some(first), Some(last)) = (key.first_chunk(), key.last_chunk())
        {
            self.of_four(first, last, key.len() as u64)
        } else {
            self.of_more(key)
        }
    }

    /// Same as `of_long`, for any seed. A separate function, so that hashers with seed 0 do not
    /// contain this code.
    #[inline(never)]
    fn of_long_seeded(self, key: &[u8]) -> KeyHash {
        self.of_long(key)
    }

    /// The hash of a key of 17 to 48 bytes. It reads three pieces whatever the length: a branch
    /// on the length would be mispredicted for half of the keys.
    #[inline]
    fn of_three(self, key: &[u8]) -> KeyHash {
        let to = |end| piece(key, end);
        let words = [to(PIECE), to(key.len().min(2 * PIECE)), to(key.len())];
        self.of_last(self.lanes(), words, key.len() as u64)
    }

    /// The hash of a key of 49 to 64 bytes, from its first 48 and its last 16 bytes.
    #[inline]
    fn of_four(self, first: &[u8; 3 * PIECE], last: &[u8; PIECE], length: u64) -> KeyHash {
        let to = |end| piece(first, end);
        let words = [to(PIECE), to(2 * PIECE), to(3 * PIECE), piece(last, PIECE)];
        self.of_last(self.lanes(), words, length)
    }

    /// The hash of a key of more than 64 bytes.
    #[inline(never)]
    fn of_more(self, key: &[u8]) -> KeyHash {
        let mut lanes = self.lanes();
        let mut left = key;
        while let Some((stripe, rest)) = left.split_first_chunk()
            && !rest.is_empty()
        {
            lanes = taken(lanes, words(stripe));
            left = rest;
        }
        let last = key.last_chunk().map_or([(0, 0); 4], words);
        self.of_last(lanes, last, key.len() as u64)
    }

    #[inline]
    fn lanes<const N: usize>(self) -> [u64; N] {
        array::from_fn(|i| self.seed() ^ D[i])
    }

    /// The hash of a key of more than 16 bytes, from the state of each lane before its last
    /// piece and the words of these pieces.
    #[inline]
    fn of_last<const N: usize>(
        self,
        lanes: [u64; N],
        words: [(u64, u64); N],
        length: u64,
    ) -> KeyHash {
        let folded = taken(lanes, words)
            .into_iter()
            .fold(0, |all, lane| all ^ lane);
        self.finish(folded ^ spread(length))
    }

    #[inline]
    const fn finish(self, folded: u64) -> KeyHash {
        let product = (folded ^ self.last) as u128 * LAST as u128;
        let (high, low) = ((product >> 64) as u64, product as u64);
        // The lowest bits of a product depend only on the lowest bits of its factors, and its
        // highest bits mainly on their highest bits. With `low` rotated, every bit of both
        // words is well mixed.
        KeyHash::new(high ^ low, high ^ low.rotate_left(23))
    }
}

/// The hasher with seed 0.
impl Default for Folded {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Folded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folded")
            .field("seed", &self.seed())
            .finish()
    }
}

impl KeyHasher for Folded {
    const ID: u16 = 4;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        (*self).seed()
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> KeyHash {
        if key.len() <= PIECE {
            self.of_words(short(key), key.len() as u64)
        } else if self.seed() == 0 {
            // The default seed: the lanes are constants in the code, so a key of 50 bytes takes
            // a tenth less time, and the hasher remains a single word.
            Self::new().of_long(key)
        } else {
            self.of_long_seeded(key)
        }
    }

    /// Short keys whose length the compiler knows, such as integers, are hashed in parallel
    /// with AVX-512, in about two thirds of the time of one after the other. AVX2 has no 64-bit
    /// product and would be slower, so it is not used.
    #[inline]
    fn hash_batch<K: Key>(&self, keys: &[K], hashes: &mut [KeyHash]) {
        assert_eq!(keys.len(), hashes.len(), "one hash per key");
        let mut done = 0;
        if matches!(K::LEN, Some(..=PIECE))
            && keys.len() >= 2 * SIDE_BY_SIDE
            && let Some(vectors) = WordVectors::detect()
        {
            done = keys.len() / SIDE_BY_SIDE * SIDE_BY_SIDE;
            vectors.run(Folding {
                seed: self.seed(),
                keys: &keys[..done],
                hashes: &mut hashes[..done],
            });
        }
        for (key, hash) in keys[done..].iter().zip(&mut hashes[done..]) {
            *hash = self.hash_key(key);
        }
    }
}

impl SeededHasher for Folded {
    fn from_seed(seed: u64) -> Self {
        Self::with_seed(seed)
    }
}

impl StreamHasher for Folded {
    type Stream = FoldedStream;

    fn stream(&self) -> FoldedStream {
        FoldedStream::new(*self)
    }
}

/// The two words of a key of at most 16 bytes; up to 8 bytes, one word is used for both
/// factors. If the other factor were a constant, keys that differ only in their high bits would
/// have products in arithmetic progression, which was visible in their locations.
#[inline]
fn short(key: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (key.first_chunk(), key.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        if key.len() > 8 {
            (first, last)
        } else {
            (first, first)
        }
    } else if let (Some(first), Some(last)) = (key.first_chunk(), key.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        let word = u64::from(first) | u64::from(last) << 32;
        (word, word)
    } else if let (Some(first), Some(last)) = (key.first(), key.last()) {
        let middle = key[key.len() / 2];
        let word = u64::from(*first) | u64::from(middle) << 8 | u64::from(*last) << 16;
        (word, word)
    } else {
        (0, 0)
    }
}

/// Updates each lane with its piece.
#[inline]
fn taken<const N: usize>(lanes: [u64; N], words: [(u64, u64); N]) -> [u64; N] {
    array::from_fn(|i| fold(words[i].0 ^ C[i], words[i].1 ^ lanes[i]))
}

/// The words of a stripe, two per lane.
#[inline]
fn words(stripe: &[u8; STRIPE]) -> [(u64, u64); 4] {
    array::from_fn(|i| piece(stripe, (i + 1) * PIECE))
}

/// The 16 bytes of the key that end at `end`, as two words; `end` is at least 16 and within the
/// key.
#[inline]
fn piece(key: &[u8], end: usize) -> (u64, u64) {
    let bytes = key[end - PIECE..end].try_into();
    let all = bytes.map_or(0, u128::from_le_bytes);
    (all as u64, (all >> 64) as u64)
}

/// Spreads a length over a word. Otherwise the low bits of a key could cancel the length, and
/// keys that differ only in length would have neighbouring places.
#[inline]
const fn spread(length: u64) -> u64 {
    length.wrapping_mul(G)
}

#[inline]
const fn fold(x: u64, y: u64) -> u64 {
    let product = x as u128 * y as u128;
    (product >> 64) as u64 ^ product as u64
}
