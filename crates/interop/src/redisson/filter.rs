//! The filter and its Redis string.

use alloc::vec::Vec;

use bouquet_core::{Incompatible, Parameter, SpecError, Union};

use super::{RedissonHash, Scheme, optimal};
use crate::{
    DecodeError, Locate, ReadError,
    bitmap::Bitmap,
    filter::impl_filter,
    read::{Reader, all_of},
};

/// A filter of Redisson.
///
/// The string is what `GET` gives for the filter's name. Its settings are in the
/// hash `{name}:config`: m is `size`, k is `hashIterations`.
///
/// Keys are what the codec writes: with `StringCodec` the text, with
/// `ByteArrayCodec` the bytes.
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
    /// m = `size_bits`, the setting `size`, and k = `hashes`, the setting
    /// `hashIterations`.
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

    /// What `tryInit(capacity, target_fpr)` makes.
    ///
    /// # Errors
    ///
    /// As [`optimal`], and [`SpecError::OutOfMemory`].
    pub fn with_estimates(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        let parameters = optimal(capacity, target_fpr)?;
        Self::new(parameters.size_bits, parameters.hashes)
    }

    /// Reads the string of a filter with these settings, which the string does
    /// not contain: with wrong ones all keys are false negatives.
    ///
    /// Takes the memory of `size_bits`, however short the string is.
    ///
    /// # Errors
    ///
    /// [`DecodeError`]: the string has more bits, or the settings are not
    /// a filter's.
    pub fn from_bytes(bytes: &[u8], size_bits: u64, hashes: u32) -> Result<Self, DecodeError> {
        all_of(bytes, |reader| Self::read(reader, size_bits, hashes))
    }

    /// Reads the same from `len` bytes as they come: `fill` fills a buffer with
    /// the next ones. Takes the memory of the filter and 4 KiB.
    ///
    /// # Errors
    ///
    /// [`ReadError`]: as [`from_bytes`](Self::from_bytes), and those of `fill`.
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
        let scheme = Scheme::new(size_bits, hashes).map_err(|_| DecodeError::no_bits())?;
        let bits = Bitmap::read(reader, size_bits)?;
        Ok(Self { scheme, bits })
    }

    /// Writes the string; empty if no key was inserted.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bits.to_bytes()
    }

    /// Writes the same in pieces of 4 KiB, which `put` takes in order.
    ///
    /// # Errors
    ///
    /// The first of `put`.
    pub fn write_to<E>(&self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.bits.write(&mut put)
    }

    /// Inserts the key with this hash; `true` if it was definitely not present
    /// before, as `add` returns.
    pub fn insert_hash(&mut self, hash: RedissonHash) -> bool {
        self.bits.insert(self.scheme.locations(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: RedissonHash) -> bool {
        self.bits.contains(self.scheme.locations(hash))
    }

    /// Bits that keys are located in (m).
    pub fn size_bits(&self) -> u64 {
        self.scheme.slots()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.scheme.probes()
    }

    /// The number of keys inserted, as the peer's `count` reads it from the
    /// bits; see [`count`](super::count()).
    pub fn count(&self) -> Option<u64> {
        super::count(self.size_bits(), self.hashes(), self.count_ones())
    }

    fn hash_bytes(key: &[u8]) -> RedissonHash {
        RedissonHash::of(key)
    }
}

impl_filter!(RedissonBloom, RedissonHash, crate::RedisKey);

/// The bits of both strings, as `BITOP OR` gives them.
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
