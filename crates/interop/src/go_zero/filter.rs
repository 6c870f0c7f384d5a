//! The filter and its Redis string.

use alloc::vec::Vec;

use bouquet_core::{Incompatible, Parameter, SpecError, Union};

use super::{GoZeroHash, Scheme};
use crate::{
    DecodeError, Locate, ReadError,
    bitmap::Bitmap,
    filter::impl_filter,
    read::{Reader, all_of},
};

/// A filter of go-zero.
///
/// The string is what `GET` gives for the filter's Redis key, empty if there is
/// no such key, and what `SET` puts there.
///
/// ```
/// use bouquet_interop::GoZeroBloom;
///
/// let mut filter = GoZeroBloom::new(20_000)?;
/// filter.insert("rose");
/// let string = filter.to_bytes();
/// assert_eq!(GoZeroBloom::from_bytes(&string, 20_000)?, filter);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoZeroBloom {
    scheme: Scheme,
    bits: Bitmap,
}

impl GoZeroBloom {
    /// `New(store, key, size_bits)`: m bits, 1 to 2^32, and k = 14. The peer's
    /// advice is 20 bits per key.
    ///
    /// # Errors
    ///
    /// [`SpecError::ZeroSizeBits`], [`SpecError::AboveLimit`],
    /// [`SpecError::OutOfMemory`].
    pub fn new(size_bits: u64) -> Result<Self, SpecError> {
        Ok(Self {
            scheme: Scheme::new(size_bits)?,
            bits: Bitmap::new(size_bits)?,
        })
    }

    /// An empty filter with the fewest bits that meet the target FPR at capacity with 14
    /// probes: what to give to the peer's `New`.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and [`SpecError`] if an argument is out of range.
    ///
    /// ```
    /// use bouquet_interop::GoZeroBloom;
    ///
    /// let filter = GoZeroBloom::for_target(1_000, 0.01)?;
    /// assert_eq!(filter.size_bits(), 11_011);
    /// # Ok::<(), bouquet_interop::SpecError>(())
    /// ```
    pub fn for_target(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        Self::new(Scheme::for_target(capacity, target_fpr)?.slots())
    }

    /// Reads the string of a filter of `size_bits` bits, a number that the
    /// string does not contain: with a wrong one that is not too small all keys are false negatives.
    ///
    /// Takes the memory of `size_bits`, however short the string is.
    ///
    /// # Errors
    ///
    /// [`DecodeError`]: the string has more bits, or they are none or more than
    /// 2^32.
    pub fn from_bytes(bytes: &[u8], size_bits: u64) -> Result<Self, DecodeError> {
        all_of(bytes, |reader| Self::read(reader, size_bits))
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
    ) -> Result<Self, ReadError<E>> {
        Self::read(&mut Reader::new(len, &mut fill), size_bits)
    }

    fn read<E>(reader: &mut Reader<'_, E>, size_bits: u64) -> Result<Self, ReadError<E>> {
        let scheme = Scheme::new(size_bits).map_err(|_| DecodeError::no_bits())?;
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
    /// before. (The peer does not report it.)
    pub fn insert_hash(&mut self, hash: GoZeroHash) -> bool {
        self.bits.insert(self.scheme.locations(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: GoZeroHash) -> bool {
        self.bits.contains(self.scheme.locations(hash))
    }

    /// Bits that keys are located in (m).
    pub fn size_bits(&self) -> u64 {
        self.scheme.slots()
    }

    fn hash_bytes(key: &[u8]) -> GoZeroHash {
        GoZeroHash::of(key)
    }
}

impl_filter!(GoZeroBloom, GoZeroHash, crate::GoKey);

/// The bits of both strings, as `BITOP OR` gives them.
impl Union for GoZeroBloom {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        let parameters = [(Parameter::SizeBits, self.size_bits(), other.size_bits())];
        self.bits.union_with(&other.bits, parameters)
    }
}
