//! Reading untrusted bytes, as they come.

use bouquet_bits::BitArray;

use crate::{DecodeError, ReadError, Term};

/// Bytes that are read at a time. A multiple of eight.
const PIECE: usize = 4096;

/// Gives the next bytes: all of a buffer, or an error.
pub(crate) type Fill<'a, E> = &'a mut dyn FnMut(&mut [u8]) -> Result<(), E>;

/// A place in so many bytes. Every read names its field, for the error.
pub(crate) struct Reader<'a, E> {
    fill: Fill<'a, E>,
    at: u64,
    len: u64,
}

impl<'a, E> Reader<'a, E> {
    pub(crate) fn new(len: u64, fill: Fill<'a, E>) -> Self {
        Self { fill, at: 0, len }
    }

    /// Bytes read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.at
    }

    /// Bytes not read yet.
    pub(crate) fn left(&self) -> u64 {
        self.len - self.at
    }

    /// Fails if fewer bytes are left.
    pub(crate) fn need(&self, field: &'static str, count: u64) -> Result<(), DecodeError> {
        if count <= self.left() {
            return Ok(());
        }
        Err(DecodeError {
            offset: self.at,
            field,
            found: Term::Bytes(self.left()),
            wanted: Term::Bytes(count),
        })
    }

    /// The next bytes.
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

    /// The next `N` bytes.
    pub(crate) fn array<const N: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[u8; N], ReadError<E>> {
        let mut array = [0; N];
        self.fill(field, &mut array)?;
        Ok(array)
    }

    /// A field of `N` bytes that must be within bounds.
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
        Err(ReadError::Decode(DecodeError {
            offset,
            field,
            found: Term::Number(value.into()),
            wanted: Term::Words(wanted),
        }))
    }

    /// The words of the next `bytes` bytes, each in the byte order that `of`
    /// reads, the last one filled up with zeros: `put` gets number and word.
    pub(crate) fn words(
        &mut self,
        field: &'static str,
        bytes: u64,
        of: impl Fn([u8; 8]) -> u64,
        mut put: impl FnMut(usize, u64) -> Result<(), DecodeError>,
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

    /// The array of `len` bits that the next bytes are: whole words in the byte
    /// order that `of` reads, in an array that has room for `room` bits.
    ///
    /// No memory is allocated unless the bytes are there.
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

    /// Fails unless so many bytes are left.
    pub(crate) fn only(&self, field: &'static str, count: u64) -> Result<(), DecodeError> {
        self.need(field, count)?;
        let more = self.left() - count;
        if more == 0 {
            return Ok(());
        }
        Err(DecodeError {
            offset: self.offset() + count,
            field: "end",
            found: Term::Bytes(more),
            wanted: Term::Words("nothing more"),
        })
    }
}

/// What `read` makes of these bytes.
pub(crate) fn all_of<T>(
    bytes: &[u8],
    read: impl FnOnce(&mut Reader<'_, Short>) -> Result<T, ReadError<Short>>,
) -> Result<T, DecodeError> {
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

/// What was read from bytes that are there, `len` of them.
pub(crate) fn of_source<T>(read: Result<T, ReadError<Short>>, len: u64) -> Result<T, DecodeError> {
    read.map_err(|error| match error {
        ReadError::Decode(error) => error,
        // A reader requests no more than there is.
        ReadError::Source(Short) => DecodeError {
            offset: len,
            field: "end",
            found: Term::Words("no more bytes"),
            wanted: Term::Words("the rest"),
        },
    })
}

/// Bytes ended before their number.
pub(crate) struct Short;

/// Writes word `i` of a bit set of `len` bits, whose first word is at an
/// offset, if no bit past the length is set.
pub(crate) fn put_word(
    bits: &mut BitArray,
    len: u64,
    (i, word): (usize, u64),
    offset: u64,
) -> Result<(), DecodeError> {
    if let Some(bit) = stray(len, i, word) {
        return Err(DecodeError {
            offset: offset + 8 * i as u64,
            field: "bit past the length",
            found: Term::Number(bit.into()),
            wanted: Term::Words("none"),
        });
    }
    bits.set_word(i, word);
    Ok(())
}

/// The first bit of word `i` that is set and not below `len`.
pub(crate) fn stray(len: u64, i: usize, word: u64) -> Option<u64> {
    let first = 64 * i as u64;
    let past = match len.saturating_sub(first) {
        used @ 0..64 => word & (u64::MAX << used),
        _ => 0,
    };
    (past != 0).then(|| first + u64::from(past.trailing_zeros()))
}

/// Clear bits, or the error of a field that claims them.
pub(crate) fn array(len: u64, offset: u64, field: &'static str) -> Result<BitArray, DecodeError> {
    BitArray::new(len).map_err(|error| no_memory(offset, field, error.bytes))
}

pub(crate) fn no_memory(offset: u64, field: &'static str, bytes: u64) -> DecodeError {
    DecodeError {
        offset,
        field,
        found: Term::Words("no memory for it"),
        wanted: Term::Bytes(bytes),
    }
}
