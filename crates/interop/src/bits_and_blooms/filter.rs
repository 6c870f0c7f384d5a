//! The filter and its binary file format.

use alloc::vec::Vec;

use bouquet_bits::BitArray;
use bouquet_core::{Incompatible, Parameter, SpecError, Union};

use super::{Scheme, estimate_parameters, four_words};
use crate::{
    ForeignDecodeError, Locate, ReadError, Term,
    filter::{allocate, impl_filter, set},
    read::{Reader, all_of, no_memory},
    write::{Pieces, Put, gathered},
};

/// The largest k that the decoder accepts: far more than any sizing gives, but small enough that no
/// lookup takes longer than a millisecond.
pub(super) const MAX_HASHES: u64 = 1 << 16;

/// By how many bits m may exceed the length of the bit set in a file (64 KiB). Without this limit a
/// few bytes of input could make the decoder allocate any amount of memory.
pub(super) const MAX_MISSING: u64 = 8 << 16;

/// A filter of Go's bits-and-blooms.
///
/// `insert` returns the opposite of the peer's `TestOrAdd` and `TestAndAdd`: `true` means that the
/// key was definitely not present before.
///
/// ```
/// use bouquet_interop::GoBloom;
///
/// let mut filter = GoBloom::with_estimates(1_000, 0.01)?;
/// assert!(filter.insert("rose"));
/// let bytes = filter.to_bytes(); // what MarshalBinary and WriteTo give
/// assert_eq!(GoBloom::from_bytes(&bytes)?, filter);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoBloom {
    scheme: Scheme,
    /// The bits: as many as the larger of m and the length.
    bits: BitArray,
    /// The length of the peer's bit set, in bits. It may be less than m; then it grows to include
    /// the highest bit that was ever set.
    len: u64,
}

impl GoBloom {
    /// An empty filter with m = `size_bits` and k = `hashes`, like the peer's `New(m, k)`.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: `size_bits` or `hashes` is 0, `hashes` is above 65,536, or the memory cannot
    /// be allocated.
    pub fn new(size_bits: u64, hashes: u32) -> Result<Self, SpecError> {
        if u64::from(hashes) > MAX_HASHES {
            return Err(SpecError::HashesOutOfRange {
                hashes,
                max: MAX_HASHES as u32,
            });
        }
        Ok(Self {
            scheme: Scheme::new(size_bits, hashes)?,
            bits: allocate(size_bits)?,
            len: size_bits,
        })
    }
}

impl_filter!(GoBloom, [u64; 4], crate::GoKey);

impl GoBloom {
    /// An empty filter like that of the peer's `NewWithEstimates(capacity, target_fpr)`.
    ///
    /// # Errors
    ///
    /// As [`estimate_parameters`] and [`new`](Self::new).
    pub fn with_estimates(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        let parameters = estimate_parameters(capacity, target_fpr)?;
        Self::new(parameters.size_bits, parameters.hashes)
    }

    /// Reads the bytes that `MarshalBinary`, `GobEncode` and `WriteTo` write. (An `encoding/gob`
    /// stream wraps these bytes in a type description, and cannot be read here.)
    ///
    /// | offset | bytes | content, big-endian |
    /// | --- | --- | --- |
    /// | 0 | 8 | m |
    /// | 8 | 8 | k |
    /// | 16 | 8 | length of the bit set, in bits: not always m |
    /// | 24 | 8 per word | words; bit i is bit i mod 64 of word i/64 |
    ///
    /// # Errors
    ///
    /// [`ForeignDecodeError`]. This is stricter than the peer, which checks nothing: m and k must not be
    /// 0, k must be at most 65,536, m at most 64 KiB above the length, no bit past the length may
    /// be set, and nothing may follow the words.
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
        let m = reader.checked("m", u64::from_be_bytes, |m| m > 0, "at least 1")?;
        let allowed = |k| k > 0 && k <= MAX_HASHES;
        let k = reader.checked("k", u64::from_be_bytes, allowed, "1 to 65536")?;
        let len = u64::from_be_bytes(reader.array("length of the bit set")?);
        reader.only("words", len.div_ceil(64).saturating_mul(8))?;
        check_m((m, 0), len)?;
        let bits = reader.bits("words", (len, m), u64::from_be_bytes)?;
        Ok(Self::from_parts((m, 0), k, (bits, len))?)
    }

    /// Builds the filter from m, k and the bit set with its length. `offset` is the position of m
    /// in the input, for the error.
    pub(super) fn from_parts(
        (m, offset): (u64, u64),
        k: u64,
        (bits, len): (BitArray, u64),
    ) -> Result<Self, ForeignDecodeError> {
        check_m((m, offset), len)?;
        let bits = fitted(bits, m.max(len)).ok_or_else(|| no_memory(offset, "m", m.div_ceil(8)))?;
        let scheme = Scheme::new(m, k as u32).map_err(|_| ForeignDecodeError {
            offset,
            field: "m",
            found: Term::Words("m or k of 0"),
            wanted: Term::Words("at least 1"),
        })?;
        Ok(Self { scheme, bits, len })
    }

    /// Returns the bytes that `MarshalBinary` and `WriteTo` write, and that
    /// [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        gathered(24 + self.len.div_ceil(64) * 8, |put| self.write(put))
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
        for number in [self.size_bits(), self.hashes().into(), self.len] {
            out.bytes(&number.to_be_bytes())?;
        }
        let words = self.bit_set_words();
        out.words(words, 8 * words.len() as u64, u64::to_be_bytes)?;
        out.flush()
    }

    /// The words that contain the first `len` bits.
    pub(super) fn bit_set_words(&self) -> &[u64] {
        &self.bits.words()[..self.len.div_ceil(64) as usize]
    }

    /// Inserts the key with this hash; `true` if it was definitely not present
    /// before.
    pub fn insert_hash(&mut self, hash: [u64; 4]) -> bool {
        if self.len < self.size_bits() {
            let highest = self.scheme.locations(hash).max();
            self.len = highest.map_or(self.len, |slot| self.len.max(slot + 1));
        }
        set(&mut self.bits, self.scheme.locations(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: [u64; 4]) -> bool {
        self.scheme.locations(hash).all(|slot| self.bits.test(slot))
    }

    /// The number of bits m that a key's probes range over; the peer's `Cap`.
    pub fn size_bits(&self) -> u64 {
        self.scheme.slots()
    }

    /// Probes per key (k).
    pub fn hashes(&self) -> u32 {
        self.scheme.probes()
    }

    /// The scheme, which locates the slots of a key.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The length of the peer's bit set, in bits. It is m for filters that `New` made and a
    /// multiple of 64 for those of `From`; where it is less than m, inserts can make it grow.
    pub fn bit_set_len(&self) -> u64 {
        self.len
    }

    /// The estimated number of keys inserted, computed from the number of set bits as the peer's
    /// `ApproximatedSize` does; see [`approximated_size`](super::approximated_size).
    pub fn approximated_size(&self) -> Option<u32> {
        super::approximated_size(self.size_bits(), self.hashes(), self.count_ones())
    }

    fn hash_bytes(key: &[u8]) -> [u64; 4] {
        four_words(key)
    }
}

/// Like the peer's `Merge`, which also rejects a filter with another m or k. Unlike the peer, this
/// also rejects a filter whose bit set has another length.
impl Union for GoBloom {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        let parameters = [
            (Parameter::SizeBits, self.size_bits(), other.size_bits()),
            (
                Parameter::Hashes,
                self.hashes().into(),
                other.hashes().into(),
            ),
            (Parameter::Other("bit set length"), self.len, other.len),
        ];
        crate::filter::union_with(&mut self.bits, &other.bits, parameters)
    }
}

/// Returns an error if m, read at `offset`, exceeds the length of the bit set by more than the
/// allowed number of bits.
pub(super) fn check_m((m, offset): (u64, u64), len: u64) -> Result<(), ForeignDecodeError> {
    if m <= len.saturating_add(MAX_MISSING) {
        return Ok(());
    }
    Err(ForeignDecodeError {
        offset,
        field: "m",
        found: Term::Number(m.into()),
        wanted: Term::Words("at most 524288 more than the length of the bit set"),
    })
}

/// Changes the length of the array to `m` bits. Returns `None` if the memory cannot be allocated.
fn fitted(mut bits: BitArray, m: u64) -> Option<BitArray> {
    bits.truncate(m);
    if bits.len() == m {
        return Some(bits);
    }
    let mut longer = BitArray::new(m).ok()?;
    for slot in bits.iter_ones() {
        longer.set(slot);
    }
    Some(longer)
}
