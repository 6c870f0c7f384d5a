//! The filter and its file.

use alloc::vec::Vec;

use bouquet_bits::BitArray;
use bouquet_core::{Incompatible, Parameter, SpecError, Union};

use super::{GuavaHash, Mitz32, Mitz64, Release};
use crate::{
    DecodeError, Locate, ReadError,
    filter::{allocate, impl_filter, set},
    read::{Reader, all_of, no_memory},
    write::{Pieces, Put, gathered},
};

/// How locations follow from the hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// `MURMUR128_MITZ_32`, 0 in the file: old filters.
    Mitz32,
    /// `MURMUR128_MITZ_64`, 1 in the file: what `create` makes.
    Mitz64,
}

/// One of the two schemes.
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
/// Bytes are its `byteArrayFunnel`, text its `stringFunnel(UTF_8)`, `i64` its
/// `longFunnel`, `i32` its `integerFunnel`; for others give the
/// [`GuavaHash`]. The file does not say which one its keys went through.
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
    /// What `create(funnel, capacity, target_fpr)` of this release makes.
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

    /// m = 64 `longs` and k = `hashes`.
    ///
    /// # Errors
    ///
    /// As [`Mitz64::new`], and [`SpecError::OutOfMemory`].
    pub fn new(strategy: Strategy, longs: u32, hashes: u32) -> Result<Self, SpecError> {
        let scheme = Scheme::new(strategy, longs, hashes)?;
        let bits = allocate(64 * u64::from(longs))?;
        Ok(Self { scheme, bits })
    }

    /// Reads what `writeTo` writes. (Java serialisation is another form.)
    ///
    /// | offset | bytes | what |
    /// | --- | --- | --- |
    /// | 0 | 1 | strategy, 0 or 1 |
    /// | 1 | 1 | k |
    /// | 2 | 4 | number of longs, big-endian, signed |
    /// | 6 | 8 per long | longs, big-endian; bit i is bit i mod 64 of long i/64 |
    ///
    /// # Errors
    ///
    /// [`DecodeError`]. As strict as the peer, and nothing may follow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        all_of(bytes, Self::read)
    }

    /// Reads what `writeTo` writes, `len` bytes of it, as they come: `fill` fills
    /// a buffer with the next ones. Takes the memory of the filter and 4 KiB.
    ///
    /// # Errors
    ///
    /// [`ReadError`]: as [`from_bytes`](Self::from_bytes), and those of `fill`.
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
        // Their bounds are those just checked.
        let scheme = Scheme::new(strategy, longs, hashes.into())
            .map_err(|_| no_memory(offset, "longs", size_bits / 8))?;
        Ok(Self { scheme, bits })
    }

    /// Writes what `writeTo` writes: the bytes that
    /// [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        gathered(6 + self.size_bits() / 8, |put| self.write(put))
    }

    /// Writes the same in pieces of 4 KiB, which `put` takes in order.
    ///
    /// # Errors
    ///
    /// The first of `put`.
    pub fn write_to<E>(&self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.write(&mut put)
    }

    fn write<E>(&self, put: Put<'_, E>) -> Result<(), E> {
        let mut out = Pieces::new(put);
        let strategy = match self.strategy() {
            Strategy::Mitz32 => 0,
            Strategy::Mitz64 => 1,
        };
        // 255 and 2^31 - 1 at most, by the schemes.
        out.bytes(&[strategy, self.hashes() as u8])?;
        out.bytes(&(self.words().len() as u32).to_be_bytes())?;
        out.words(self.words(), self.size_bits() / 8, u64::to_be_bytes)?;
        out.flush()
    }

    /// Inserts the key with this hash; `true` if it was definitely not present
    /// before, as `put` returns.
    pub fn insert_hash(&mut self, hash: GuavaHash) -> bool {
        set(&mut self.bits, self.scheme.locations(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: GuavaHash) -> bool {
        self.scheme.locations(hash).all(|slot| self.bits.test(slot))
    }

    /// How locations follow from the hash.
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

    /// The FPR from the bits, (ones/m)^k: the peer's `expectedFpp`.
    pub fn estimated_fpr(&self) -> f64 {
        let fill = self.count_ones() as f64 / self.size_bits() as f64;
        libm::pow(fill, self.hashes().into())
    }

    /// The number of keys inserted, from the bits: the peer's
    /// `approximateElementCount`, round(-m/k ln(1 - ones/m)), halves up. `None`
    /// for a full filter, where the peer throws.
    pub fn approximate_element_count(&self) -> Option<u64> {
        super::sizing::approximate_element_count(self.size_bits(), self.hashes(), self.count_ones())
    }

    fn hash_bytes(key: &[u8]) -> GuavaHash {
        GuavaHash::of_bytes(key)
    }
}

impl_filter!(GuavaBloom, GuavaHash, crate::GuavaKey);

/// The peer's `putAll`. It rejects another funnel as well, which is not in the file.
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
