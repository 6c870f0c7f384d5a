//! The filter and its Redis string.

use alloc::vec::Vec;

use bouquet_core::{Incompatible, Parameter, SpecError, Union};

use super::{GoZeroHash, Scheme};
use crate::{
    ForeignDecodeError, Locate, ReadError,
    bitmap::Bitmap,
    filter::impl_filter,
    read::{Reader, all_of},
};

/// A filter of go-zero.
///
/// The string is the value that `GET` returns for the filter's Redis key (empty if the key does not
/// exist), and that `SET` can store there.
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
    /// An empty filter of `size_bits` bits, 1 to 2^32, like `New(store, key, size_bits)`. k is
    /// always 14. The peer recommends 20 bits per key.
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
}

impl_filter!(GoZeroBloom, GoZeroHash, crate::GoKey);

impl GoZeroBloom {
    /// An empty filter with the fewest bits for which the expected FPR at `capacity` with 14 probes
    /// meets the target. Pass its `size_bits` to the peer's `New`.
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

    /// Reads the string of a filter of `size_bits` bits. The string does not contain this number:
    /// if it is wrong and not too small for the string, every member becomes a false negative.
    ///
    /// Needs the memory of `size_bits` bits, even if the string is shorter.
    ///
    /// # Errors
    ///
    /// [`ForeignDecodeError`]: the string has more than `size_bits` bits, or `size_bits` is 0 or above
    /// 2^32.
    pub fn from_bytes(bytes: &[u8], size_bits: u64) -> Result<Self, ForeignDecodeError> {
        all_of(bytes, |reader| Self::read(reader, size_bits))
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
    ) -> Result<Self, ReadError<E>> {
        Self::read(&mut Reader::new(len, &mut fill), size_bits)
    }

    fn read<E>(reader: &mut Reader<'_, E>, size_bits: u64) -> Result<Self, ReadError<E>> {
        let scheme = Scheme::new(size_bits).map_err(|_| ForeignDecodeError::no_bits())?;
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

    /// Inserts the key with this hash; `true` if it was definitely not present before. (The peer
    /// does not return this.)
    pub fn insert_hash(&mut self, hash: GoZeroHash) -> bool {
        self.bits.insert(self.scheme.locations(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: GoZeroHash) -> bool {
        self.bits.contains(self.scheme.locations(hash))
    }

    /// The number of bits m that a key's probes range over.
    pub fn size_bits(&self) -> u64 {
        self.scheme.slots()
    }

    fn hash_bytes(key: &[u8]) -> GoZeroHash {
        GoZeroHash::of(key)
    }
}

/// Computes the OR of both strings, as `BITOP OR` does.
impl Union for GoZeroBloom {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        let parameters = [(Parameter::SizeBits, self.size_bits(), other.size_bits())];
        self.bits.union_with(&other.bits, parameters)
    }
}
