//! Reading bytes that anyone may have made.

use alloc::vec::Vec;

use bouquet_bits::{BitArray, WordsError};

use crate::{DecodeError, Term};

/// A place in the bytes. Every read names its field, for the error.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes read so far.
    pub(crate) fn offset(&self) -> u64 {
        self.at as u64
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next `count` bytes.
    pub(crate) fn take(
        &mut self,
        field: &'static str,
        count: u64,
    ) -> Result<&'a [u8], DecodeError> {
        let rest = self.rest();
        let taken = usize::try_from(count).ok().and_then(|n| rest.get(..n));
        let taken = taken.ok_or(DecodeError {
            offset: self.offset(),
            field,
            found: Term::Bytes(rest.len() as u64),
            wanted: Term::Bytes(count),
        })?;
        self.at += taken.len();
        Ok(taken)
    }

    /// The next `N` bytes.
    pub(crate) fn array<const N: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(field, N as u64)?);
        Ok(array)
    }

    /// A field of `N` bytes that must be within bounds.
    pub(crate) fn checked<const N: usize, T: Copy + Into<i128>>(
        &mut self,
        field: &'static str,
        of: impl Fn([u8; N]) -> T,
        allowed: impl Fn(T) -> bool,
        wanted: &'static str,
    ) -> Result<T, DecodeError> {
        let offset = self.offset();
        let value = of(self.array(field)?);
        if allowed(value) {
            return Ok(value);
        }
        Err(DecodeError {
            offset,
            field,
            found: Term::Number(value.into()),
            wanted: Term::Words(wanted),
        })
    }

    /// `count` words, in the byte order that `of` reads.
    pub(crate) fn words(
        &mut self,
        field: &'static str,
        count: u64,
        of: impl Fn([u8; 8]) -> u64,
    ) -> Result<Vec<u64>, DecodeError> {
        let offset = self.offset();
        // Past the end of all memory if it does not fit.
        let bytes = self.take(field, count.saturating_mul(8))?;
        let (chunks, _) = bytes.as_chunks::<8>();
        let mut words = reserved(chunks.len(), offset, field)?;
        words.extend(chunks.iter().map(|chunk| of(*chunk)));
        Ok(words)
    }

    /// Refuses bytes that are left.
    pub(crate) fn end(&self) -> Result<(), DecodeError> {
        if self.rest().is_empty() {
            return Ok(());
        }
        Err(DecodeError {
            offset: self.offset(),
            field: "end",
            found: Term::Bytes(self.rest().len() as u64),
            wanted: Term::Words("nothing more"),
        })
    }
}

/// An empty vector with room, or an error.
pub(crate) fn reserved<T>(
    count: usize,
    offset: u64,
    field: &'static str,
) -> Result<Vec<T>, DecodeError> {
    let mut room = Vec::new();
    match room.try_reserve_exact(count) {
        Ok(()) => Ok(room),
        Err(_) => Err(no_memory(
            offset,
            field,
            count as u64 * size_of::<T>() as u64,
        )),
    }
}

pub(crate) fn no_memory(offset: u64, field: &'static str, bytes: u64) -> DecodeError {
    DecodeError {
        offset,
        field,
        found: Term::Words("no memory for it"),
        wanted: Term::Bytes(bytes),
    }
}

/// The array of these words, of which `offset` is the place of the first.
pub(crate) fn bits(words: Vec<u64>, len: u64, offset: u64) -> Result<BitArray, DecodeError> {
    BitArray::from_words(words, len).map_err(|error| match error {
        WordsError::StrayBit { bit, .. } => DecodeError {
            offset: offset + bit / 64 * 8,
            field: "bit past the length",
            found: Term::Number(bit.into()),
            wanted: Term::Words("none"),
        },
        WordsError::Count {
            expected, found, ..
        } => DecodeError {
            offset,
            field: "words",
            found: Term::Bytes(8 * found),
            wanted: Term::Bytes(expected.saturating_mul(8)),
        },
        _ => DecodeError {
            offset,
            field: "words",
            found: Term::Number(len.into()),
            wanted: Term::Words("bits of one array"),
        },
    })
}
