//! MurmurHash3: x64 128, of a whole key or of a key in parts, and x86 32.
//!
//! The hash function of Go's bits-and-blooms and go-zero, of Guava, and of many others. It is
//! here to open their filters, not to create new ones: it is easy to invert, so anyone can
//! construct keys that collide under **every** seed, and other functions are faster. So this
//! crate has no [`KeyHasher`](bouquet_core::KeyHasher) that uses it.
//!
//! Several of these systems need the hash of the key *and* the hashes of the key followed by
//! one byte. The full 16-byte blocks are the same for all of them, so they are mixed once, and
//! the state is then finished several times. No byte of the key is copied to the heap.
//!
//! ```
//! use bouquet_hash::murmur3::{Murmur3, four_words, x64_128};
//!
//! let [a, b, c, d] = four_words(b"rose");
//! assert_eq!([a, b], x64_128(b"rose", 0));
//! assert_eq!([c, d], x64_128(b"rose\x01", 0));
//!
//! let mut parts = Murmur3::new(0);
//! parts.write(b"ro");
//! parts.write(b"se");
//! assert_eq!(parts.finish(), [a, b]);
//! ```
//!
//! Source: Austin Appleby, `MurmurHash3.cpp` (SMHasher, public domain, 2011).

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// The number of bytes in a block.
const BLOCK: usize = 16;

/// The hash of `key`: the two words h1 and h2 of the reference, in that order.
///
/// The reference returns them as 16 bytes, each word little-endian.
#[inline]
pub fn x64_128(key: &[u8], seed: u32) -> [u64; 2] {
    Murmur3::of(key, seed).finish()
}

/// The word h1 of [`x64_128`], used by systems that need only 64 bits.
#[inline]
pub fn x64_64(key: &[u8], seed: u32) -> u64 {
    x64_128(key, seed)[0]
}

/// MurmurHash3 x86 32 of `key`, which is a different function than the others here.
///
/// ```
/// assert_eq!(bouquet_hash::murmur3::x86_32(b"Hello, world!", 0), 0xc036_3e43);
/// ```
pub fn x86_32(key: &[u8], seed: u32) -> u32 {
    let scramble = |k: u32| {
        k.wrapping_mul(0xcc9e_2d51)
            .rotate_left(15)
            .wrapping_mul(0x1b87_3593)
    };
    let (blocks, tail) = key.as_chunks::<4>();
    let mut hash = blocks.iter().fold(seed, |hash, block| {
        (hash ^ scramble(u32::from_le_bytes(*block)))
            .rotate_left(13)
            .wrapping_mul(5)
            .wrapping_add(0xe654_6b64)
    });
    let mut last = [0; 4];
    last[..tail.len()].copy_from_slice(tail);
    hash ^= scramble(u32::from_le_bytes(last));
    hash ^= key.len() as u32;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

/// The hash of `key` and the hash of `key` followed by the byte 1, both with seed 0, in one
/// pass: the base hashes of bits-and-blooms, from which
/// [`BitsAndBlooms`](crate::scheme::BitsAndBlooms) computes locations.
///
/// # Cost
///
/// One pass over the blocks and two finalisations: less than two hashes, and the longer the
/// key, the larger the saving.
#[inline]
pub fn four_words(key: &[u8]) -> [u64; 4] {
    Murmur3::of(key, 0).finish_four()
}

/// The state of MurmurHash3 between the parts of a key.
///
/// However a key is cut into parts, the hash is that of the joined bytes. More parts may be
/// written after [`finish`](Self::finish).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Murmur3 {
    h1: u64,
    h2: u64,
    /// The bytes since the last full block, as a little-endian number.
    tail: u128,
    /// The number of bytes so far.
    length: u64,
}

impl Murmur3 {
    /// The state before the first byte.
    #[inline]
    pub const fn new(seed: u32) -> Self {
        Self {
            h1: seed as u64,
            h2: seed as u64,
            tail: 0,
            length: 0,
        }
    }

    /// The state after all of `key`.
    #[inline]
    pub fn of(key: &[u8], seed: u32) -> Self {
        let mut state = Self::new(seed);
        state.write_aligned(key);
        state
    }

    /// Adds the next bytes of the key.
    pub fn write(&mut self, part: &[u8]) {
        let pending = self.pending();
        if pending == 0 {
            return self.write_aligned(part);
        }
        let (first, rest) = part.split_at(part.len().min(BLOCK - pending));
        self.tail |= little_endian(first) << (8 * pending);
        self.length = self.length.wrapping_add(first.len() as u64);
        if pending + first.len() == BLOCK {
            self.mix_block(self.tail);
            self.tail = 0;
            self.write_aligned(rest);
        }
    }

    /// The hash of all bytes so far: h1 and h2.
    #[inline]
    pub const fn finish(&self) -> [u64; 2] {
        let (k1, k2) = halves(self.tail);
        // Missing bytes are zeros here, and a word of zeros is mixed to zero.
        let h1 = self.h1 ^ scramble_1(k1) ^ self.length;
        let h2 = self.h2 ^ scramble_2(k2) ^ self.length;
        let h1 = h1.wrapping_add(h2);
        let h2 = h2.wrapping_add(h1);
        let h1 = finalise(h1);
        let h2 = finalise(h2);
        let h1 = h1.wrapping_add(h2);
        [h1, h2.wrapping_add(h1)]
    }

    /// The hash of all bytes so far followed by `suffix`, which is not added to the state.
    ///
    /// Location i of a go-zero filter is computed from the first word of this hash, with suffix
    /// i.
    #[inline]
    pub const fn finish_with(mut self, suffix: u8) -> [u64; 2] {
        let pending = self.pending();
        self.tail |= (suffix as u128) << (8 * pending);
        self.length = self.length.wrapping_add(1);
        if pending + 1 == BLOCK {
            self.mix_block(self.tail);
            self.tail = 0;
        }
        self.finish()
    }

    /// The words of [`finish`](Self::finish) and of [`finish_with(1)`](Self::finish_with): the
    /// four words of bits-and-blooms.
    #[inline]
    pub const fn finish_four(&self) -> [u64; 4] {
        let [a, b] = self.finish();
        let [c, d] = self.finish_with(1);
        [a, b, c, d]
    }

    /// The number of bytes in the tail.
    #[inline]
    const fn pending(&self) -> usize {
        (self.length % BLOCK as u64) as usize
    }

    /// Adds bytes; the tail must be empty.
    #[inline]
    fn write_aligned(&mut self, part: &[u8]) {
        let (blocks, rest) = part.as_chunks::<BLOCK>();
        for block in blocks {
            self.mix_block(u128::from_le_bytes(*block));
        }
        self.tail = little_endian(rest);
        self.length = self.length.wrapping_add(part.len() as u64);
    }

    #[inline]
    const fn mix_block(&mut self, block: u128) {
        let (k1, k2) = halves(block);
        self.h1 = (self.h1 ^ scramble_1(k1))
            .rotate_left(27)
            .wrapping_add(self.h2)
            .wrapping_mul(5)
            .wrapping_add(0x52dc_e729);
        self.h2 = (self.h2 ^ scramble_2(k2))
            .rotate_left(31)
            .wrapping_add(self.h1)
            .wrapping_mul(5)
            .wrapping_add(0x3849_5ab5);
    }
}

#[inline]
const fn halves(block: u128) -> (u64, u64) {
    (block as u64, (block >> 64) as u64)
}

#[inline]
const fn scramble_1(k1: u64) -> u64 {
    k1.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

#[inline]
const fn scramble_2(k2: u64) -> u64 {
    k2.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

#[inline]
const fn finalise(mut h: u64) -> u64 {
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

/// Converts up to 15 bytes to a little-endian number.
#[inline]
fn little_endian(bytes: &[u8]) -> u128 {
    match bytes.split_first_chunk::<8>() {
        Some((low, rest)) => {
            u128::from(u64::from_le_bytes(*low)) | (u128::from(below_eight(rest)) << 64)
        }
        None => u128::from(below_eight(bytes)),
    }
}

/// Converts up to 7 bytes to a little-endian number.
///
/// Performs two reads that may overlap. Bytes read twice are at the same position in both
/// words, so OR leaves them unchanged. That is faster than byte by byte.
#[inline]
fn below_eight(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | (u64::from(last) << (8 * (bytes.len() - 4)));
    }
    match *bytes {
        [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a] => u64::from(a),
        _ => 0,
    }
}
