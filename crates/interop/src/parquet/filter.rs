//! The filter and its serialised form.

use alloc::vec::Vec;

use bouquet_bits::BitArray;
use bouquet_core::{Incompatible, Parameter, SpecError, Union};

use super::{ParquetHash, Scheme, blocks_for, header, scheme::BLOCK_BITS};
use crate::{
    ForeignDecodeError, Locate, ReadError,
    filter::{allocate, impl_filter, set},
    read::{Reader, all_of, no_memory},
    write::{Pieces, Put, gathered},
};

/// Number of 64-bit words in a block.
const BLOCK_WORDS: usize = (BLOCK_BITS / 64) as usize;

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
    bits: BitArray,
}

impl ParquetBloom {
    /// An empty filter of `blocks` blocks of 256 bits.
    ///
    /// # Errors
    ///
    /// As [`Scheme::new`], and [`SpecError::OutOfMemory`].
    pub fn new(blocks: u32) -> Result<Self, SpecError> {
        let scheme = Scheme::new(blocks)?;
        let bits = allocate(scheme.slots())?;
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
        let scheme = Scheme::new(blocks).map_err(|_| no_memory(offset, "bitset", size_bits / 8))?;
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
        if !self.blocks().is_multiple_of(2) {
            return Ok(None);
        }
        let mut half = Self::new(self.blocks() / 2)?;
        let (blocks, _) = half.bits.whole_words_mut().as_chunks_mut::<BLOCK_WORDS>();
        let (pairs, _) = self.bits.words().as_chunks::<{ 2 * BLOCK_WORDS }>();
        for (block, pair) in blocks.iter_mut().zip(pairs) {
            let (even, odd) = pair.split_at(BLOCK_WORDS);
            for (word, (a, b)) in block.iter_mut().zip(even.iter().zip(odd)) {
                *word = a | b;
            }
        }
        Ok(Some(half))
    }

    /// Inserts the key with this hash; `true` if it was definitely not present
    /// before.
    pub fn insert_hash(&mut self, hash: ParquetHash) -> bool {
        set(&mut self.bits, self.scheme.locations(hash))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: ParquetHash) -> bool {
        self.scheme.locations(hash).all(|slot| self.bits.test(slot))
    }

    /// Blocks of 256 bits (z).
    pub fn blocks(&self) -> u32 {
        self.scheme.blocks()
    }

    /// Bits of storage (m).
    pub fn size_bits(&self) -> u64 {
        self.bits.len()
    }

    fn hash_bytes(key: &[u8]) -> ParquetHash {
        ParquetHash::of(key)
    }
}

/// Combines filters of several row groups that have the same number of blocks.
impl Union for ParquetBloom {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        let blocks = [self, other].map(|filter| filter.blocks().into());
        let parameters = [(Parameter::Other("blocks"), blocks[0], blocks[1])];
        crate::filter::union_with(&mut self.bits, &other.bits, parameters)
    }
}
