//! Encoded filters in borrowed bytes, on which views are built.

use core::fmt;

use crate::{
    DecodeError, HEADER_BYTES, Header, MAGIC, Problem, TRAILER_BYTES, checksum, read::truncated,
};

/// A header and its payload, in borrowed bytes.
#[derive(Clone, Copy, PartialEq)]
pub struct Record<'a> {
    /// The header.
    pub header: Header,
    /// The payload, of the length that the header states.
    pub payload: &'a [u8],
}

/// Prints the header, but not the payload.
impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut record = f.debug_struct("Record");
        record.field("header", &self.header).finish_non_exhaustive()
    }
}

impl<'a> Record<'a> {
    /// Calls `read` for each part of a filter that consists of other filters, in order. It is
    /// already checked that the part has the hasher and the seed or key of the whole.
    ///
    /// # Errors
    ///
    /// Those of `read` and of the headers; [`Problem::Field`] if the parts are
    /// not as long as the payload.
    pub fn parts(
        &self,
        mut read: impl FnMut(Self) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        let mut rest = self.payload;
        for _ in 0..self.header.parts() {
            let position = self.payload.len() - rest.len();
            let offset = self.header.offset() + HEADER_BYTES + position as u64;
            let (part, after) = Self::first(rest, offset)?;
            part.header.expect_hasher_of(&self.header)?;
            read(part).map_err(|error| error.within(&self.header))?;
            rest = after;
        }
        let used = self.payload.len() - rest.len();
        self.header.expect_payload(used as u64, SUM)
    }

    /// The header of the first part that has slots; used for error messages.
    pub(crate) fn first_part(&self) -> Option<Header> {
        let (part, _) = Self::first(self.payload, 0).ok()?;
        if part.header.parts() > 0 {
            let (inner, _) = Self::first(part.payload, 0).ok()?;
            return Some(inner.header);
        }
        Some(part.header)
    }

    /// Returns the record at the start of `bytes`, and the bytes after it. `bytes` begin at
    /// byte `offset` of the file.
    fn first(bytes: &'a [u8], offset: u64) -> Result<(Self, &'a [u8]), DecodeError> {
        let cut = |needed| {
            let found = bytes.len() as u64;
            DecodeError::new(offset + found, Problem::Truncated { needed, found })
        };
        let (header, rest) = bytes.split_first_chunk().ok_or(cut(HEADER_BYTES))?;
        let header = Header::from_bytes(header, offset)?;
        let (payload, rest) = usize::try_from(header.payload_bytes())
            .ok()
            .and_then(|len| rest.split_at_checked(len))
            .ok_or(cut(header.record_bytes()))?;
        Ok((Self { header, payload }, rest))
    }

    /// The words of the payload as they are stored: little-endian, at any address.
    #[inline]
    pub const fn words(&self) -> &'a [[u8; 8]] {
        self.payload.as_chunks().0
    }

    /// Word `i` of the payload as [`Writer::words`](crate::Writer::words) wrote it, or 0 if it
    /// is past the end.
    #[inline]
    pub fn word(&self, i: u64) -> u64 {
        let word = usize::try_from(i).ok().and_then(|i| self.words().get(i));
        word.map_or(0, |word| u64::from_le_bytes(*word))
    }

    /// The words of the first `bits` bits; the bits after them read as 0.
    pub fn words_of(&self, bits: u64) -> impl Iterator<Item = u64> + Clone + use<'a> {
        let (whole, rest) = (bits / 64, bits % 64);
        let last = self.word(whole) & !past(rest, 0);
        let whole = usize::try_from(whole).unwrap_or(usize::MAX);
        let words = self.words().iter().take(whole);
        words
            .map(|word| u64::from_le_bytes(*word))
            .chain((rest != 0).then_some(last))
    }

    /// The number of set bits among the first `bits` bits, counted in a [pass](Self::pass) over
    /// them.
    pub fn count_ones(&self, bits: u64) -> u64 {
        let ones = |word: u64| u64::from(word.count_ones());
        self.pass(|| self.words_of(bits).map(ones).sum())
    }

    /// Runs code that goes through the whole payload. If the payload is in a memory-mapped
    /// file, the system reads ahead until the code has finished.
    pub fn pass<T>(&self, run: impl FnOnce() -> T) -> T {
        #[cfg(feature = "mmap")]
        let _ahead = crate::mapped::ReadAhead::over(self.payload);
        run()
    }

    /// Checks that no bit from number `bits` on is set; those bits are past the last slot.
    ///
    /// # Errors
    ///
    /// [`Problem::Slots`].
    pub fn expect_zero_from(&self, bits: u64) -> Result<(), DecodeError> {
        let first = bits / 64;
        let last = self.payload.len() as u64 / 8;
        for i in first..last {
            if self.word(i) & past(bits, 64 * i) != 0 {
                return Err(self.header.invalid_slots(8 * i, STRAY));
            }
        }
        Ok(())
    }
}

/// For the 64 bits from number `first` on, a mask of the bits from number `bits` on.
pub(crate) const fn past(bits: u64, first: u64) -> u64 {
    match bits.saturating_sub(first) {
        used @ 0..64 => u64::MAX << used,
        _ => 0,
    }
}

/// The rule for a payload of parts.
pub(crate) const SUM: &str = "must be the bytes of all parts";

/// The rule for the bits after the last slot.
pub(crate) const STRAY: &str = "bits past the last slot must be 0";

/// A whole file, in borrowed bytes.
///
/// ```
/// use bouquet_format::{Document, Problem};
///
/// let error = Document::open(b"PAR1 and then something else").unwrap_err();
/// assert!(matches!(error.problem, Problem::NotThisFormat));
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Document<'a> {
    /// The header and the payload of the file.
    pub record: Record<'a>,
    /// All bytes except the checksum at the end.
    bytes: &'a [u8],
    trailer: u64,
}

/// Prints the header, but not the payload.
impl fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut document = f.debug_struct("Document");
        document.field("header", &self.record.header);
        document.finish_non_exhaustive()
    }
}

impl<'a> Document<'a> {
    /// Opens the file in these bytes. Reads only the header, so the time does not depend on the
    /// length.
    ///
    /// Does not check that the payload is intact: [`verify`](Self::verify) does that.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the header is damaged, has another version, or states another length.
    pub fn open(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let found = bytes.len() as u64;
        let cut = |needed| Err(truncated(needed, found));
        if !bytes.starts_with(&MAGIC) {
            return Err(DecodeError::new(0, Problem::NotThisFormat));
        }
        let Some((body, trailer)) = bytes.split_last_chunk() else {
            return cut(HEADER_BYTES + TRAILER_BYTES);
        };
        let Some((header, payload)) = body.split_first_chunk() else {
            return cut(HEADER_BYTES + TRAILER_BYTES);
        };
        let header = Header::from_bytes(header, 0)?;
        let expected = header.file_bytes();
        if found < expected {
            return cut(expected);
        }
        if found > expected {
            return Err(DecodeError::new(
                expected,
                Problem::TooLong { expected, found },
            ));
        }
        Ok(Self {
            record: Record { header, payload },
            bytes: body,
            trailer: u64::from_le_bytes(*trailer),
        })
    }

    /// Compares the checksum at the end with the bytes before it, in one pass.
    ///
    /// # Errors
    ///
    /// [`Problem::Checksum`].
    pub fn verify(&self) -> Result<(), DecodeError> {
        let (computed, found) = (checksum(self.bytes), self.trailer);
        if computed != found {
            let problem = Problem::Checksum { computed, found };
            return Err(DecodeError::new(self.bytes.len() as u64, problem));
        }
        Ok(())
    }
}
