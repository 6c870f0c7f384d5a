//! Multiplications of 64 by 64 bits, folded: the fastest sound hash of short
//! keys that needs nothing but a multiplier.

mod stream;

use core::array;

use bouquet_core::{KeyHash, KeyHasher, SeededHasher, StreamHasher};

pub use stream::FoldedStream;

/// Constants without a purpose of their own: digits of π after the point, in base
/// 16.
const A: u64 = 0x243f_6a88_85a3_08d3;
const B: u64 = 0xbe54_66cf_34e9_0c6d;
/// One for each lane: lanes that were alike would give keys whose pieces change
/// places one hash, and take two equal pieces out of it.
const C: [u64; 3] = [
    0xa409_3822_299f_31d1,
    0xc0ac_29b7_c97c_50dd,
    0x3f84_d5b5_b547_0917,
];
const D: u64 = 0x082e_fa98_ec4e_6c89;
const E: u64 = 0x4528_21e6_38d0_1377;

/// Spreads a length over a word: 2^64 by the golden ratio, odd.
const G: u64 = 0x9e37_79b9_7f4a_7c15;
/// The last factor, near 2^64, so that the high word of a product reaches its top:
/// the first constant of MurmurHash3's finaliser.
const LAST: u64 = 0xff51_afd7_ed55_8ccd;

/// Bytes that one step takes.
const STEP: usize = 16;
/// Bytes that the three lanes take side by side.
const STRIPE: usize = 3 * STEP;

/// A hash of folded multiplications, with a seed: the default hasher.
///
/// A key of up to 16 bytes takes two multiplications of 64 by 64 bits. The 128
/// bits of the first are folded to 64, high word XOR low word; both words of the
/// second make the place (high XOR low) and the probe (high XOR low turned by 23).
/// Every 16 bytes more take one multiplication more, three of which run side by side
/// in keys past 48 bytes. Many keys take as long, each, as one: vectors have no such
/// multiplication, and one key does not wait for another.
///
/// Its hash floor is n/2^64: fine for every filter whose target FPR is above
/// that, so for all but the largest and strictest.
/// [`Xxh3Wide`](crate::Xxh3Wide) is for those.
///
/// **The seed is no key.** Whoever may choose the keys and knows the seed, or
/// learns it from answers, writes down as many that collide as they like: a word
/// that makes a factor zero takes the word beside it out of the hash. For
/// adversarial keys take `SipKeyed`.
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
/// All words are little-endian. With `fold(x, y)` the XOR of the two halves of
/// the product `x * y` of 128 bits, A, B, C0 to C2, D and E words of the digits of π
/// (made odd: B, C0), and `s = seed ^ A`:
///
/// 1. While more than 48 bytes are left, three lanes, all `s` at first, take 16
///    bytes each, as words u and v: lane i is `fold(u ^ Ci, v ^ lane)`. Then
///    `s = lane0 ^ lane1 ^ lane2`.
/// 2. While more than 16 bytes are left: `s = fold(u ^ D, v ^ s)`.
/// 3. `f = fold(u ^ s, v ^ B ^ length * G)`, G being 0x9e3779b97f4a7c15 and the product
///    modulo 2^64, where u and v are the last 16 bytes of
///    the key, read again in part if fewer are left. A key of at most 16 bytes
///    gives: of 9 and more its first and its last 8 bytes, of 4 to 8 its first 4
///    below its last 4 and 0, of 1 to 3 its first, middle and last byte
///    (`first | middle << 8 | last << 16`, the middle at length / 2) and 0, and
///    of none 0 and 0.
/// 4. The product of 128 bits `(f ^ E ^ rotate_left(seed, 32)) * L`, L being
///    0xff51afd7ed558ccd, is `high, low`: place is `high ^ low`, probe is
///    `high ^ rotate_left(low, 23)`.
///
/// From: the folded multiplication of Wang Yi, [wyhash](https://github.com/wangyi-fudan/wyhash),
/// and of Orson Peters' foldhash; the arrangement is this crate's own.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Folded {
    seed: u64,
}

impl Folded {
    /// The hasher of seed 0.
    pub const fn new() -> Self {
        Self::with_seed(0)
    }

    /// The hasher of this seed. Filters of different seeds have different false
    /// positives, and cannot be united.
    pub const fn with_seed(seed: u64) -> Self {
        Self { seed }
    }

    #[inline]
    const fn start(self) -> u64 {
        self.seed ^ A
    }

    /// Step 3 for `(u, v)`, and step 4.
    #[inline]
    const fn finish(self, s: u64, (u, v): (u64, u64), length: u64) -> KeyHash {
        // The length is spread over a word, or the low bits of a key would undo it; and
        // comes before the fold, or keys that differ in it alone would have neighbouring
        // places.
        let f = fold(u ^ s, v ^ B ^ length.wrapping_mul(G));
        let product = (f ^ E ^ self.seed.rotate_left(32)) as u128 * LAST as u128;
        let (high, low) = ((product >> 64) as u64, product as u64);
        // The lowest bits of a product depend on the lowest of its factors alone, and the
        // highest on the highest: turned against each other all are good in both words.
        KeyHash::new(high ^ low, high ^ low.rotate_left(23))
    }

    /// Keys of more than 16 bytes: kept out of line, for they are too long to be
    /// copied into every caller.
    #[inline(never)]
    fn hash_long(self, key: &[u8]) -> KeyHash {
        let s = self.start();
        let (steps, rest) = key.as_chunks();
        let last = key.last_chunk().map_or((0, 0), pair);
        // Up to 64 bytes without the loops, whose counting takes as long as the products.
        // The last step is always left over.
        let s = match (steps, rest.is_empty()) {
            ([a], _) | ([a, _], true) => taken(s, a),
            ([a, b], _) | ([a, b, _], true) => taken(taken(s, a), b),
            ([a, b, c], _) | ([a, b, c, _], true) => joined(striped([s; 3], [a, b, c])),
            _ => return self.hash_longer(key),
        };
        self.finish(s, last, key.len() as u64)
    }

    /// Keys of more than 64 bytes.
    #[inline(never)]
    fn hash_longer(self, key: &[u8]) -> KeyHash {
        let mut left = key;
        let mut lanes = [self.start(); 3];
        while let Some((stripe, rest)) = left.split_first_chunk()
            && !rest.is_empty()
        {
            take_stripe(&mut lanes, stripe);
            left = rest;
        }
        self.finish_long(joined(lanes), key, left.len(), key.len() as u64)
    }

    /// Steps 2 and 3 of a key of more than 16 bytes, of whose end `tail` is at
    /// least the last 16 and all that is left.
    #[inline]
    fn finish_long(self, mut s: u64, tail: &[u8], left: usize, length: u64) -> KeyHash {
        let mut rest = &tail[tail.len() - left..];
        while let Some((step, after)) = rest.split_first_chunk()
            && !after.is_empty()
        {
            s = taken(s, step);
            rest = after;
        }
        let last = tail.last_chunk().map_or((0, 0), pair);
        self.finish(s, last, length)
    }
}

impl KeyHasher for Folded {
    const ID: u16 = 4;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        self.seed
    }

    #[inline]
    fn hash(&self, key: &[u8]) -> KeyHash {
        match short(key) {
            Some(words) => self.finish(self.start(), words, key.len() as u64),
            None => self.hash_long(key),
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

/// The words of a key of at most 16 bytes.
#[inline]
fn short(key: &[u8]) -> Option<(u64, u64)> {
    Some(match key.len() {
        // By itself, since every integer comes by here.
        8 => (u64::from_le_bytes(*key.first_chunk()?), 0),
        9..=STEP => (
            u64::from_le_bytes(*key.first_chunk()?),
            u64::from_le_bytes(*key.last_chunk()?),
        ),
        4..=7 => {
            let first = u32::from_le_bytes(*key.first_chunk()?);
            let last = u32::from_le_bytes(*key.last_chunk()?);
            (u64::from(first) | u64::from(last) << 32, 0)
        }
        1..=3 => {
            let (first, last) = (key[0], key[key.len() - 1]);
            let middle = key[key.len() / 2];
            (
                u64::from(first) | u64::from(middle) << 8 | u64::from(last) << 16,
                0,
            )
        }
        0 => (0, 0),
        _ => return None,
    })
}

/// Step 2 for sixteen bytes.
#[inline]
fn taken(s: u64, step: &[u8; STEP]) -> u64 {
    let (u, v) = pair(step);
    fold(u ^ D, v ^ s)
}

#[inline]
fn take_stripe(lanes: &mut [u64; 3], stripe: &[u8; STRIPE]) {
    if let ([a, b, c], _) = stripe.as_chunks() {
        *lanes = striped(*lanes, [a, b, c]);
    }
}

/// Step 1 for sixteen bytes a lane.
#[inline]
fn striped(lanes: [u64; 3], steps: [&[u8; STEP]; 3]) -> [u64; 3] {
    array::from_fn(|i| {
        let (u, v) = pair(steps[i]);
        fold(u ^ C[i], v ^ lanes[i])
    })
}

#[inline]
const fn joined([a, b, c]: [u64; 3]) -> u64 {
    a ^ b ^ c
}

/// Sixteen bytes as two words.
#[inline]
fn pair(step: &[u8; STEP]) -> (u64, u64) {
    let all = u128::from_le_bytes(*step);
    (all as u64, (all >> 64) as u64)
}

#[inline]
const fn fold(x: u64, y: u64) -> u64 {
    let product = x as u128 * y as u128;
    (product >> 64) as u64 ^ product as u64
}
