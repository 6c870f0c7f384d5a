//! The filter and its file format.

use alloc::vec::Vec;

use bouquet_bits::BitArray;
use bouquet_core::{Incompatible, Parameter, SpecError, Union};

use super::{GuavaHash, Mitz32, Mitz64, Release};
use crate::{
    ForeignDecodeError, Locate, ReadError,
    filter::{allocate, impl_filter, set},
    read::{Reader, all_of, no_memory},
    write::{Pieces, Put, gathered},
};

/// How the slots of a key are computed from its hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Strategy {
    /// `MURMUR128_MITZ_32`, 0 in the file: used by old filters.
    Mitz32,
    /// `MURMUR128_MITZ_64`, 1 in the file: used by `create`.
    Mitz64,
}

/// The scheme of one of the two strategies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scheme {
    Mitz32(Mitz32),
    Mitz64(Mitz64),
}

impl Scheme {
    fn new(strategy: Strategy, longs: u32, hashes: u32) -> Result<Self, SpecError> {
        Ok(match strategy {
            Strategy::Mitz32 => Self::Mitz32(Mitz32::new(longs, hashes)?),
            Strategy::Mitz64 => Self::Mitz64(Mitz64::new(longs, hashes)?),
        })
    }

    fn locations(self, hash: GuavaHash) -> impl Iterator<Item = u64> {
        let (narrow, wide) = match self {
            Self::Mitz32(scheme) => (Some(scheme.locations(hash)), None),
            Self::Mitz64(scheme) => (None, Some(scheme.locations(hash))),
        };
        let narrow = narrow.into_iter().flatten();
        narrow.chain(wide.into_iter().flatten())
    }
}

/// A filter of Guava.
///
/// Keys of bytes are hashed as by Guava's `byteArrayFunnel`, text as by `stringFunnel(UTF_8)`,
/// `i64` as by `longFunnel` and `i32` as by `integerFunnel`. For other funnels pass a
/// [`GuavaHash`]. The file does not say which funnel was used.
///
/// ```
/// use bouquet_interop::{GuavaBloom, guava::{GuavaHash, Release}};
///
/// let mut filter = GuavaBloom::create(Release::V33, 1_000, 0.01)?;
/// assert!(filter.insert("rose")); // put returns true as well
/// assert!(!filter.contains_hash(GuavaHash::of_chars("rose".encode_utf16())));
/// let bytes = filter.to_bytes(); // what writeTo writes
/// assert_eq!(GuavaBloom::from_bytes(&bytes)?, filter);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuavaBloom {
    scheme: Scheme,
    bits: BitArray,
}

impl GuavaBloom {
    /// An empty filter with m = 64 `longs` and k = `hashes`.
    ///
    /// # Errors
    ///
    /// As [`Mitz64::new`], and [`SpecError::OutOfMemory`].
    pub fn new(strategy: Strategy, longs: u32, hashes: u32) -> Result<Self, SpecError> {
        let scheme = Scheme::new(strategy, longs, hashes)?;
        let bits = allocate(64 * u64::from(longs))?;
        Ok(Self { scheme, bits })
    }
}

impl_filter!(GuavaBloom, GuavaHash, crate::GuavaKey);

impl GuavaBloom {
    /// An empty filter like that of this release's `create(funnel, capacity, target_fpr)`.
    ///
    /// # Errors
    ///
    /// As [`Mitz64::create`], and [`SpecError::OutOfMemory`].
    pub fn create(release: Release, capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        let scheme = Mitz64::create(release, capacity, target_fpr)?;
        Ok(Self {
            scheme: Scheme::Mitz64(scheme),
            bits: allocate(scheme.slots())?,
        })
    }

    /// Reads the bytes that `writeTo` writes. (Java serialisation is a different format.)
    ///
    /// | offset | bytes | content |
    /// | --- | --- | --- |
    /// | 0 | 1 | strategy, 0 or 1 |
    /// | 1 | 1 | k |
    /// | 2 | 4 | number of longs, big-endian, signed |
    /// | 6 | 8 per long | longs, big-endian; bit i is bit i mod 64 of long i/64 |
    ///
    /// # Errors
    ///
    /// [`ForeignDecodeError`]. Applies the same checks as the peer, and also rejects trailing bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ForeignDecodeError> {
        all_of(bytes, Self::read)
    }

    /// Like [`from_bytes`](Self::from_bytes), but reads `len` bytes from a source: `fill` must fill
    /// the buffer that it gets with the next bytes. Needs the memory of the filter and 4 KiB.
    ///
    /// # Errors
    ///
    /// [`ReadError`]: as [`from_bytes`](Self::from_bytes), or the error of `fill`.
    pub fn read_from<E>(
        len: u64,
        mut fill: impl FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, ReadError<E>> {
        Self::read(&mut Reader::new(len, &mut fill))
    }

    fn read<E>(reader: &mut Reader<'_, E>) -> Result<Self, ReadError<E>> {
        let strategy = match reader.checked("strategy", |[b]: [u8; 1]| b, |s| s < 2, "0 or 1")? {
            0 => Strategy::Mitz32,
            _ => Strategy::Mitz64,
        };
        let hashes = reader.checked("hashes (k)", |[b]: [u8; 1]| b, |k| k > 0, "1 to 255")?;
        let longs = reader.checked(
            "number of longs",
            i32::from_be_bytes,
            |n| n > 0,
            "at least 1",
        )?;
        let longs = longs.unsigned_abs();
        let (offset, size_bits) = (reader.offset(), 64 * u64::from(longs));
        reader.only("longs", size_bits / 8)?;
        let bits = reader.bits("longs", (size_bits, 0), u64::from_be_bytes)?;
        // The limits of the scheme were already checked above.
        let scheme = Scheme::new(strategy, longs, hashes.into())
            .map_err(|_| no_memory(offset, "longs", size_bits / 8))?;
        Ok(Self { scheme, bits })
    }

    /// Returns the bytes that `writeTo` writes, and that
    /// [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        gathered(6 + self.size_bits() / 8, |put| self.write(put))
    }

    /// Like [`to_bytes`](Self::to_bytes), but passes the bytes to `put` in order, in pieces of 4
    /// KiB.
    ///
    /// # Errors
    ///
    /// The first error that `put` returns.
    pub fn write_to<E>(&self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.write(&mut put)
    }

    fn write<E>(&self, put: Put<'_, E>) -> Result<(), E> {
        let mut out = Pieces::new(put);
        let strategy = match self.strategy() {
            Strategy::Mitz32 => 0,
            Strategy::Mitz64 => 1,
        };
        // The schemes guarantee at most 255 hashes and 2^31 - 1 longs, so the casts are exact.
        out.bytes(&[strategy, self.hashes() as u8])?;
        out.bytes(&(self.words().len() as u32).to_be_bytes())?;
        out.words(self.words(), self.size_bits() / 8, u64::to_be_bytes)?;
        out.flush()
    }

    /// Inserts the key with this hash; `true` if it was definitely not present before. Guava's
    /// `put` returns the same value.
    pub fn insert_hash(&mut self, hash: GuavaHash) -> bool {
        set(&mut self.bits, self.scheme.locations(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: GuavaHash) -> bool {
        self.scheme.locations(hash).all(|slot| self.bits.test(slot))
    }

    /// How the slots of a key are computed from its hash.
    pub fn strategy(&self) -> Strategy {
        match self.scheme {
            Scheme::Mitz32(_) => Strategy::Mitz32,
            Scheme::Mitz64(_) => Strategy::Mitz64,
        }
    }

    /// Bits of storage (m), 64 times the number of longs; the peer's `bitSize`.
    pub fn size_bits(&self) -> u64 {
        self.bits.len()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        match self.scheme {
            Scheme::Mitz32(scheme) => scheme.probes(),
            Scheme::Mitz64(scheme) => scheme.probes(),
        }
    }

    /// The FPR estimated from the set bits, (ones/m)^k: the peer's `expectedFpp`.
    pub fn estimated_fpr(&self) -> f64 {
        let fill = self.count_ones() as f64 / self.size_bits() as f64;
        libm::pow(fill, self.hashes().into())
    }

    /// The number of keys inserted, estimated from the set bits: the peer's
    /// `approximateElementCount`, round(-m/k ln(1 - ones/m)) with halves rounded up. `None` if
    /// every bit is set; the peer throws an exception then.
    pub fn approximate_element_count(&self) -> Option<u64> {
        super::sizing::approximate_element_count(self.size_bits(), self.hashes(), self.count_ones())
    }

    fn hash_bytes(key: &[u8]) -> GuavaHash {
        GuavaHash::of_bytes(key)
    }
}

/// Like the peer's `putAll`, which also rejects a filter with another funnel. That cannot be
/// checked here, because the file does not contain the funnel.
impl Union for GuavaBloom {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        let parameters = [
            (
                Parameter::Other("strategy"),
                self.strategy() as u64,
                other.strategy() as u64,
            ),
            (
                Parameter::Hashes,
                self.hashes().into(),
                other.hashes().into(),
            ),
        ];
        crate::filter::union_with(&mut self.bits, &other.bits, parameters)
    }
}
