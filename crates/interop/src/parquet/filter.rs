//! The filter and its serialised form.

use alloc::vec::Vec;

use bouquet_blocked::SplitBlocks;
use bouquet_core::{Incompatible, Parameter, SpecError, Union, math::power};

use super::{ParquetHash, SALTS, Scheme, blocks_for, header, scheme::BLOCK_BITS};
use crate::{
    ForeignDecodeError, Locate, ReadError,
    filter::{allocate, impl_filter},
    read::{Reader, all_of, no_memory},
    write::{Pieces, Put, gathered},
};

/// A split block Bloom filter of a Parquet column chunk.
///
/// A key is the plain value: an `i64` for a column of type INT64, the bytes or the text for
/// BYTE_ARRAY, an `f64` for DOUBLE.
///
/// In a Parquet file the filter begins at the column chunk's `bloom_filter_offset`
/// (`ColumnMetaData` field 14) and is `bloom_filter_length` bytes long (field 15; older files lack
/// it: see [`from_start_of`](Self::from_start_of)).
///
/// ```
/// use bouquet_interop::ParquetBloom;
///
/// let mut filter = ParquetBloom::with_capacity(1_000, 0.01)?;
/// filter.insert(&42i64);
/// let bytes = filter.to_bytes(); // header and bitset, as in the file
/// assert_eq!(ParquetBloom::from_bytes(&bytes)?, filter);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParquetBloom {
    scheme: Scheme,
    bits: SplitBlocks,
}

impl ParquetBloom {
    /// An empty filter of `blocks` blocks of 256 bits.
    ///
    /// # Errors
    ///
    /// As [`Scheme::new`], and [`SpecError::OutOfMemory`].
    pub fn new(blocks: u32) -> Result<Self, SpecError> {
        let scheme = Scheme::new(blocks)?;
        let bits = SplitBlocks::over(allocate(scheme.slots())?)?;
        Ok(Self { scheme, bits })
    }
}

impl_filter!(ParquetBloom, ParquetHash, crate::ParquetKey);

impl ParquetBloom {
    /// An empty filter with the number of blocks that parquet-rs chooses for `capacity` distinct
    /// values; see [`blocks_for`].
    ///
    /// # Errors
    ///
    /// As [`blocks_for`], and [`SpecError::OutOfMemory`].
    pub fn with_capacity(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        Self::new(blocks_for(capacity, target_fpr)?)
    }

    /// Reads a header and its bitset of any number of blocks.
    ///
    /// | bytes | content |
    /// | --- | --- |
    /// | 15 to 19 | header in Thrift's compact protocol: numBytes, BLOCK, XXHASH, UNCOMPRESSED |
    /// | 32 per block | eight words of 32 bits, little-endian |
    ///
    /// # Errors
    ///
    /// [`ForeignDecodeError`]. Trailing bytes are rejected.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ForeignDecodeError> {
        all_of(bytes, Self::read_all)
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
        Self::read_all(&mut Reader::new(len, &mut fill))
    }

    /// Reads a header and its bitset from the start of `bytes`, ignores what follows, and returns
    /// the filter and the number of bytes read.
    ///
    /// # Errors
    ///
    /// [`ForeignDecodeError`].
    pub fn from_start_of(bytes: &[u8]) -> Result<(Self, u64), ForeignDecodeError> {
        all_of(bytes, |reader| {
            let blocks = header::read(reader)?;
            let filter = Self::read(reader, blocks)?;
            Ok((filter, reader.offset()))
        })
    }

    fn read_all<E>(reader: &mut Reader<'_, E>) -> Result<Self, ReadError<E>> {
        let blocks = header::read(reader)?;
        reader.only("bitset", u64::from(blocks) * BLOCK_BITS / 8)?;
        Self::read(reader, blocks)
    }

    fn read<E>(reader: &mut Reader<'_, E>, blocks: u32) -> Result<Self, ReadError<E>> {
        let (offset, size_bits) = (reader.offset(), u64::from(blocks) * BLOCK_BITS);
        // Two little-endian 32-bit words, the lower one first, are read as one little-endian 64-bit
        // word.
        let bits = reader.bits("bitset", (size_bits, 0), u64::from_le_bytes)?;
        // The header check already enforced the limits of the scheme.
        let made = Scheme::new(blocks).and_then(|scheme| Ok((scheme, SplitBlocks::over(bits)?)));
        let (scheme, bits) = made.map_err(|_| no_memory(offset, "bitset", size_bits / 8))?;
        Ok(Self { scheme, bits })
    }

    /// Returns header and bitset: the bytes that [`from_bytes`](Self::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        gathered(19 + self.size_bits() / 8, |put| self.write(put))
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
        header::write(self.blocks(), &mut out)?;
        out.words(self.words(), self.size_bits() / 8, u64::to_le_bytes)?;
        out.flush()
    }

    /// The filter that the same keys would give with half as many blocks, or `None` if the number
    /// of blocks is odd. Use it if the filter was sized for more keys than were inserted.
    ///
    /// Blocks 2j and 2j + 1 become block j, because a key's block is its hash scaled to the number
    /// of blocks: half the number halves the block index.
    ///
    /// # Errors
    ///
    /// [`SpecError::OutOfMemory`].
    ///
    /// ```
    /// use bouquet_interop::ParquetBloom;
    ///
    /// let (mut large, mut small) = (ParquetBloom::new(64)?, ParquetBloom::new(32)?);
    /// large.insert("rose");
    /// small.insert("rose");
    /// assert_eq!(large.folded()?, Some(small));
    /// # Ok::<(), bouquet_interop::SpecError>(())
    /// ```
    pub fn folded(&self) -> Result<Option<Self>, SpecError> {
        let Some(bits) = self.bits.halved()? else {
            return Ok(None);
        };
        let scheme = Scheme::new(self.blocks() / 2)?;
        Ok(Some(Self { scheme, bits }))
    }

    /// [Folds](Self::folded) as often as the estimated FPR stays at or below `target_fpr` and the
    /// number of blocks stays whole: the bytes of arrow-rs's `fold_to_target_fpp`, which takes powers
    /// of two only.
    ///
    /// The estimate is the eighth power of the share of bits that are set, if neighbouring blocks are
    /// set independently. A filter without keys becomes as small as possible.
    ///
    /// # Errors
    ///
    /// [`SpecError::OutOfMemory`].
    ///
    /// ```
    /// use bouquet_interop::ParquetBloom;
    ///
    /// let mut filter = ParquetBloom::with_capacity(1_000_000, 0.01)?; // and a thousand came
    /// (0..1_000i64).for_each(|key| _ = filter.insert(&key));
    /// let small = filter.folded_to(0.01)?;
    /// assert!(small.size_bits() <= 16_384 && (0..1_000i64).all(|key| small.contains(&key)));
    /// # Ok::<(), bouquet_interop::SpecError>(())
    /// ```
    pub fn folded_to(&self, target_fpr: f64) -> Result<Self, SpecError> {
        let fill = self.count_ones() as f64 / (f64::from(self.blocks()) * BLOCK_BITS as f64);
        let mut clear = 1.0 - fill;
        let mut folded = self.clone();
        loop {
            clear *= clear;
            if power(1.0 - clear, SALTS.len() as u32) > target_fpr {
                return Ok(folded);
            }
            match folded.folded()? {
                Some(half) => folded = half,
                None => return Ok(folded),
            }
        }
    }

    /// Inserts the key with this hash; `true` if it was definitely not present
    /// before.
    #[inline]
    pub fn insert_hash(&mut self, hash: ParquetHash) -> bool {
        self.bits.insert(hash.0)
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: ParquetHash) -> bool {
        self.bits.contains(hash.0)
    }

    /// Inserts the keys with these hashes and returns how many were definitely new.
    pub fn insert_hash_batch(&mut self, hashes: &[ParquetHash]) -> usize {
        self.bits.insert_batch(hashes)
    }

    /// `found[i]` becomes the answer of [`contains_hash`](Self::contains_hash) for `hashes[i]`.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[ParquetHash], found: &mut [bool]) {
        self.bits.contains_batch(hashes, found);
    }

    /// Blocks of 256 bits (z).
    pub fn blocks(&self) -> u32 {
        self.scheme.blocks()
    }

    /// Bits of storage (m).
    pub fn size_bits(&self) -> u64 {
        self.bits.bits().len()
    }

    #[inline]
    fn hash_bytes(key: &[u8]) -> ParquetHash {
        ParquetHash::of(key)
    }
}

/// Combines filters of several row groups that have the same number of blocks.
impl Union for ParquetBloom {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        let blocks = [self, other].map(|filter| filter.blocks().into());
        let united = self.bits.union_with(&other.bits);
        united.map_err(|_| Incompatible::new(Parameter::Other("blocks"), blocks[0], blocks[1]))
    }
}
