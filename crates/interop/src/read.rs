//! Reads untrusted bytes as a stream.

use bouquet_bits::BitArray;

use crate::{ForeignDecodeError, ReadError, Term};

/// Number of bytes that are read at a time, a multiple of eight.
const PIECE: usize = 4096;

/// Fills the whole buffer with the next bytes of the source, or returns an error.
pub(crate) type Fill<'a, E> = &'a mut dyn FnMut(&mut [u8]) -> Result<(), E>;

/// A cursor in an input of `len` bytes. Every read names its field, for the error.
pub(crate) struct Reader<'a, E> {
    fill: Fill<'a, E>,
    at: u64,
    len: u64,
}

impl<'a, E> Reader<'a, E> {
    pub(crate) fn new(len: u64, fill: Fill<'a, E>) -> Self {
        Self { fill, at: 0, len }
    }

    /// The number of bytes read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.at
    }

    /// The number of bytes that are not read yet.
    pub(crate) fn left(&self) -> u64 {
        self.len - self.at
    }

    /// Returns an error if fewer than `count` bytes are left.
    pub(crate) fn need(&self, field: &'static str, count: u64) -> Result<(), ForeignDecodeError> {
        if count <= self.left() {
            return Ok(());
        }
        Err(ForeignDecodeError {
            offset: self.at,
            field,
            found: Term::Bytes(self.left()),
            wanted: Term::Bytes(count),
        })
    }

    /// Fills `buffer` with the next bytes.
    pub(crate) fn fill(
        &mut self,
        field: &'static str,
        buffer: &mut [u8],
    ) -> Result<(), ReadError<E>> {
        self.need(field, buffer.len() as u64)?;
        (self.fill)(buffer).map_err(ReadError::Source)?;
        self.at += buffer.len() as u64;
        Ok(())
    }

    /// Reads the next `N` bytes.
    pub(crate) fn array<const N: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[u8; N], ReadError<E>> {
        let mut array = [0; N];
        self.fill(field, &mut array)?;
        Ok(array)
    }

    /// Reads a field of `N` bytes, converts it with `of`, and returns an error if `allowed` rejects
    /// the value.
    pub(crate) fn checked<const N: usize, T: Copy + Into<i128>>(
        &mut self,
        field: &'static str,
        of: impl Fn([u8; N]) -> T,
        allowed: impl Fn(T) -> bool,
        wanted: &'static str,
    ) -> Result<T, ReadError<E>> {
        let offset = self.offset();
        let value = of(self.array(field)?);
        if allowed(value) {
            return Ok(value);
        }
        Err(ReadError::Decode(ForeignDecodeError {
            offset,
            field,
            found: Term::Number(value.into()),
            wanted: Term::Words(wanted),
        }))
    }

    /// Reads the next `bytes` bytes as words and passes each word with its index to `put`. `of`
    /// converts eight bytes to a word; the last word is padded with zeros.
    pub(crate) fn words(
        &mut self,
        field: &'static str,
        bytes: u64,
        of: impl Fn([u8; 8]) -> u64,
        mut put: impl FnMut(usize, u64) -> Result<(), ForeignDecodeError>,
    ) -> Result<(), ReadError<E>> {
        self.need(field, bytes)?;
        let mut piece = [0; PIECE];
        let (mut done, mut number) = (0, 0);
        while done < bytes {
            let count = (bytes - done).min(PIECE as u64) as usize;
            self.fill(field, &mut piece[..count])?;
            let whole = count.next_multiple_of(8);
            piece[count..whole].fill(0);
            for word in piece[..whole].as_chunks().0 {
                put(number, of(*word))?;
                number += 1;
            }
            done += count as u64;
        }
        Ok(())
    }

    /// Reads the next bytes as an array of `len` bits in whole words, each converted by `of`. The
    /// array is allocated with room for at least `room` bits.
    ///
    /// Memory is allocated only if so many bytes are left.
    pub(crate) fn bits(
        &mut self,
        field: &'static str,
        (len, room): (u64, u64),
        of: impl Fn([u8; 8]) -> u64,
    ) -> Result<BitArray, ReadError<E>> {
        let (offset, bytes) = (self.offset(), len.div_ceil(64).saturating_mul(8));
        self.need(field, bytes)?;
        let mut bits = array(len.max(room), offset, field)?;
        self.words(field, bytes, of, |i, word| {
            put_word(&mut bits, len, (i, word), offset)
        })?;
        Ok(bits)
    }

    /// Returns an error unless exactly `count` bytes are left.
    pub(crate) fn only(&self, field: &'static str, count: u64) -> Result<(), ForeignDecodeError> {
        self.need(field, count)?;
        let more = self.left() - count;
        if more == 0 {
            return Ok(());
        }
        Err(ForeignDecodeError {
            offset: self.offset() + count,
            field: "end",
            found: Term::Bytes(more),
            wanted: Term::Words("nothing more"),
        })
    }
}

/// Calls `read` with a reader of these bytes.
pub(crate) fn all_of<T>(
    bytes: &[u8],
    read: impl FnOnce(&mut Reader<'_, Short>) -> Result<T, ReadError<Short>>,
) -> Result<T, ForeignDecodeError> {
    let mut rest = bytes;
    let mut fill = |buffer: &mut [u8]| {
        let (first, after) = rest.split_at_checked(buffer.len()).ok_or(Short)?;
        buffer.copy_from_slice(first);
        rest = after;
        Ok(())
    };
    let len = bytes.len() as u64;
    of_source(read(&mut Reader::new(len, &mut fill)), len)
}

/// Converts the error of a reader whose source is `len` bytes in memory.
pub(crate) fn of_source<T>(
    read: Result<T, ReadError<Short>>,
    len: u64,
) -> Result<T, ForeignDecodeError> {
    read.map_err(|error| match error {
        ReadError::Decode(error) => error,
        // The reader never requests more bytes than there are.
        ReadError::Source(Short) => ForeignDecodeError {
            offset: len,
            field: "end",
            found: Term::Words("no more bytes"),
            wanted: Term::Words("the rest"),
        },
    })
}

/// The error of a source that has fewer bytes than were requested.
pub(crate) struct Short;

/// Stores word `i` of a bit set of `len` bits, or returns an error if a bit past `len` is set.
/// `offset` is the position of the bit set's first word in the input.
pub(crate) fn put_word(
    bits: &mut BitArray,
    len: u64,
    (i, word): (usize, u64),
    offset: u64,
) -> Result<(), ForeignDecodeError> {
    if let Some(bit) = stray(len, i, word) {
        return Err(ForeignDecodeError {
            offset: offset + 8 * i as u64,
            field: "bit past the length",
            found: Term::Number(bit.into()),
            wanted: Term::Words("none"),
        });
    }
    bits.set_word(i, word);
    Ok(())
}

/// The first bit of word `i` that is set and whose index is `len` or more.
pub(crate) fn stray(len: u64, i: usize, word: u64) -> Option<u64> {
    let first = 64 * i as u64;
    let past = match len.saturating_sub(first) {
        used @ 0..64 => word & (u64::MAX << used),
        _ => 0,
    };
    (past != 0).then(|| first + u64::from(past.trailing_zeros()))
}

/// An array of `len` clear bits. If the memory cannot be allocated, the error names the `field`
/// that claims this size.
pub(crate) fn array(
    len: u64,
    offset: u64,
    field: &'static str,
) -> Result<BitArray, ForeignDecodeError> {
    BitArray::in_lines(len).map_err(|error| no_memory(offset, field, error.bytes))
}

pub(crate) fn no_memory(offset: u64, field: &'static str, bytes: u64) -> ForeignDecodeError {
    ForeignDecodeError {
        offset,
        field,
        found: Term::Words("no memory for it"),
        wanted: Term::Bytes(bytes),
    }
}
