//! The filter and its Redis string.

use alloc::vec::Vec;

use bouquet_core::{Incompatible, Parameter, SpecError, Union};

use super::{RedissonHash, Scheme, optimal};
use crate::{
    ForeignDecodeError, Locate, ReadError,
    bitmap::Bitmap,
    filter::impl_filter,
    read::{Reader, all_of},
};

/// A filter of Redisson.
///
/// The string is the value that `GET` returns for the filter's name. The settings are in the Redis
/// hash `{name}:config`: m is `size`, k is `hashIterations`.
///
/// Keys are the bytes that the codec writes: the text with `StringCodec`, the bytes with
/// `ByteArrayCodec`.
///
/// ```
/// use bouquet_interop::RedissonBloom;
///
/// let mut filter = RedissonBloom::with_estimates(1_000, 0.01)?;
/// filter.insert("rose");
/// let (string, size) = (filter.to_bytes(), filter.size_bits());
/// assert_eq!(RedissonBloom::from_bytes(&string, size, filter.hashes())?, filter);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RedissonBloom {
    scheme: Scheme,
    bits: Bitmap,
}

impl RedissonBloom {
    /// An empty filter with m = `size_bits` (the setting `size`) and k = `hashes` (the setting
    /// `hashIterations`).
    ///
    /// # Errors
    ///
    /// As [`Scheme::new`], and [`SpecError::OutOfMemory`].
    pub fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        Ok(Self {
            scheme: Scheme::new(size_bits, hashes)?,
            bits: Bitmap::new(size_bits)?,
        })
    }
}

impl_filter!(RedissonBloom, RedissonHash, crate::RedisKey);

impl RedissonBloom {
    /// An empty filter like that of `tryInit(capacity, target_fpr)`.
    ///
    /// # Errors
    ///
    /// As [`optimal`], and [`SpecError::OutOfMemory`].
    pub fn with_estimates(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        let parameters = optimal(capacity, target_fpr)?;
        Self::new(parameters.size_bits, parameters.hashes)
    }

    /// Reads the string of a filter with these settings. The string does not contain them: with
    /// wrong settings every member becomes a false negative.
    ///
    /// Needs the memory of `size_bits` bits, even if the string is shorter.
    ///
    /// # Errors
    ///
    /// [`ForeignDecodeError`]: the string has more than `size_bits` bits, or the settings are out of
    /// range.
    pub fn from_bytes(
        bytes: &[u8],
        size_bits: u64,
        hashes: u32,
    ) -> Result<Self, ForeignDecodeError> {
        all_of(bytes, |reader| Self::read(reader, size_bits, hashes))
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
        size_bits: u64,
        hashes: u32,
    ) -> Result<Self, ReadError<E>> {
        Self::read(&mut Reader::new(len, &mut fill), size_bits, hashes)
    }

    fn read<E>(
        reader: &mut Reader<'_, E>,
        size_bits: u64,
        hashes: u32,
    ) -> Result<Self, ReadError<E>> {
        let scheme = Scheme::new(size_bits, hashes).map_err(|_| ForeignDecodeError::no_bits())?;
        let bits = Bitmap::read(reader, size_bits)?;
        Ok(Self { scheme, bits })
    }

    /// Returns the string; it is empty if no key was inserted.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bits.to_bytes()
    }

    /// Like [`to_bytes`](Self::to_bytes), but passes the bytes to `put` in order, in pieces of 4
    /// KiB.
    ///
    /// # Errors
    ///
    /// The first error that `put` returns.
    pub fn write_to<E>(&self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.bits.write(&mut put)
    }

    /// Inserts the key with this hash; `true` if it was definitely not present before. Redisson's
    /// `add` returns the same value.
    pub fn insert_hash(&mut self, hash: RedissonHash) -> bool {
        self.bits.insert(self.scheme.locations(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: RedissonHash) -> bool {
        self.bits.contains(self.scheme.locations(hash))
    }

    /// The number of bits m that a key's probes range over.
    pub fn size_bits(&self) -> u64 {
        self.scheme.slots()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.scheme.probes()
    }

    /// The estimated number of keys inserted, computed from the number of set bits as the peer's
    /// `count` does; see [`count`](super::count()).
    pub fn count(&self) -> Option<u64> {
        super::count(self.size_bits(), self.hashes(), self.count_ones())
    }

    fn hash_bytes(key: &[u8]) -> RedissonHash {
        RedissonHash::of(key)
    }
}

/// Computes the OR of both strings, as `BITOP OR` does.
impl Union for RedissonBloom {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        let parameters = [
            (Parameter::SizeBits, self.size_bits(), other.size_bits()),
            (
                Parameter::Hashes,
                self.hashes().into(),
                other.hashes().into(),
            ),
        ];
        self.bits.union_with(&other.bits, parameters)
    }
}
