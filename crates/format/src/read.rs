//! Input: counts the bytes, computes their checksum and checks them while they are read.

use crate::{
    DecodeError, HEADER_BYTES, Header, MAGIC, Problem, TRAILER_BYTES,
    checksum::Checksum,
    record::{STRAY, SUM, past},
};

/// The number of bytes that are read at a time; a multiple of a line.
const CHUNK: usize = 4096;

/// Supplies the bytes of an encoded filter, in order.
///
/// Like a reader of the standard library, but available on targets without it. A source stores
/// the reason of a failure for its owner.
pub trait Source {
    /// Fills the buffer with the next bytes.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] if that fails; `fill` is not called again then.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Unreadable>;
}

/// The source has no more bytes; it knows the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreadable;

impl Source for &[u8] {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Unreadable> {
        let (first, rest) = self.split_at_checked(buffer.len()).ok_or(Unreadable)?;
        buffer.copy_from_slice(first);
        *self = rest;
        Ok(())
    }
}

/// Reads the payload of a filter from a source.
pub struct Reader<'a> {
    source: &'a mut dyn Source,
    checksum: Checksum,
    position: u64,
    /// The byte offset at which the payload ends.
    end: u64,
}

impl<'a> Reader<'a> {
    /// Creates a reader of a file of `len` bytes, and reads the header.
    pub(crate) fn new(source: &'a mut dyn Source, len: u64) -> Result<(Self, Header), DecodeError> {
        let least = HEADER_BYTES + TRAILER_BYTES;
        if len < least {
            return Err(too_short(source, len, least));
        }
        let mut reader = Self {
            source,
            checksum: Checksum::new(),
            position: 0,
            end: len - TRAILER_BYTES,
        };
        let header = reader.header()?;
        let expected = header.file_bytes();
        if len < expected {
            return Err(truncated(expected, len));
        }
        if len > expected {
            let found = len;
            return Err(DecodeError::new(
                expected,
                Problem::TooLong { expected, found },
            ));
        }
        Ok((reader, header))
    }

    /// Reads the parts of a filter that consists of other filters, in order: `read` gets the
    /// header of each part and reads its payload. It is already checked that the part has the
    /// hasher and the seed or key of `header`.
    ///
    /// # Errors
    ///
    /// Those of `read` and of the headers; [`Problem::Field`] if the parts are not as long as
    /// the payload.
    pub fn parts(
        &mut self,
        header: &Header,
        mut read: impl FnMut(&Header, &mut Self) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        let start = self.position;
        for _ in 0..header.parts() {
            let part = self.part()?;
            part.expect_hasher_of(header)?;
            read(&part, self).map_err(|error| error.within(header))?;
        }
        header.expect_payload(self.position - start, SUM)
    }

    /// Reads the header of the first part that has slots, if no part was read yet; used for
    /// error messages.
    pub(crate) fn first_part(&mut self) -> Option<Header> {
        if self.position != HEADER_BYTES {
            return None;
        }
        let part = self.part().ok()?;
        if part.parts() > 0 {
            return self.part().ok();
        }
        Some(part)
    }

    /// Reads the header of the next part, and checks that its payload fits in the rest.
    fn part(&mut self) -> Result<Header, DecodeError> {
        let left = self.end - self.position;
        if left < HEADER_BYTES {
            return Err(self.cut(HEADER_BYTES, left));
        }
        let header = self.header()?;
        let left = self.end - self.position;
        if left < header.payload_bytes() {
            return Err(self.cut(header.payload_bytes(), left));
        }
        Ok(header)
    }

    /// Reads a payload of `bits` bits of slots: `put` gets the index and the value of each
    /// word, in order. All bits after the last slot are zero.
    ///
    /// If the header of a record [has this many slots](Header::expect_slots), all of their
    /// bytes exist: the memory for them may be allocated before this call.
    ///
    /// # Errors
    ///
    /// [`Problem::Slots`] if a bit after the last slot is set,
    /// [`Problem::Truncated`], [`Problem::Unreadable`].
    pub fn words(&mut self, bits: u64, mut put: impl FnMut(usize, u64)) -> Result<(), DecodeError> {
        let (left, needed) = (self.end - self.position, bits.div_ceil(512) * 64);
        if left < needed {
            return Err(self.cut(needed, left));
        }
        let mut chunk = [0; CHUNK];
        let (mut done, count) = (0, bits.div_ceil(64));
        while 8 * done < needed {
            let bytes = (needed - 8 * done).min(CHUNK as u64);
            let part = &mut chunk[..bytes as usize];
            let start = self.position;
            self.fill(part)?;
            for (word, i) in part.as_chunks().0.iter().zip(done..) {
                let word = u64::from_le_bytes(*word);
                if word & past(bits, 64 * i) != 0 {
                    let offset = start + 8 * (i - done);
                    return Err(DecodeError::new(offset, Problem::Slots { rule: STRAY }));
                }
                if i < count {
                    put(i as usize, word);
                }
            }
            done += bytes / 8;
        }
        Ok(())
    }

    /// Reads the checksum at the end of the file, and compares it with that of the bytes.
    pub(crate) fn finish(self) -> Result<(), DecodeError> {
        if self.position != self.end {
            let expected = self.position + TRAILER_BYTES;
            let found = self.end + TRAILER_BYTES;
            return Err(self.error(Problem::TooLong { expected, found }));
        }
        let computed = self.checksum.finish();
        let mut trailer = [0; TRAILER_BYTES as usize];
        let filled = self.source.fill(&mut trailer);
        filled.map_err(|Unreadable| self.error(Problem::Unreadable))?;
        let found = u64::from_le_bytes(trailer);
        if computed != found {
            return Err(self.error(Problem::Checksum { computed, found }));
        }
        Ok(())
    }

    fn header(&mut self) -> Result<Header, DecodeError> {
        let offset = self.position;
        let mut bytes = [0; HEADER_BYTES as usize];
        self.fill(&mut bytes)?;
        Header::from_bytes(&bytes, offset)
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), DecodeError> {
        let filled = self.source.fill(buffer);
        filled.map_err(|Unreadable| self.error(Problem::Unreadable))?;
        self.checksum.take(buffer);
        self.position += buffer.len() as u64;
        Ok(())
    }

    fn cut(&self, needed: u64, found: u64) -> DecodeError {
        self.error(Problem::Truncated { needed, found })
    }

    const fn error(&self, problem: Problem) -> DecodeError {
        DecodeError::new(self.position, problem)
    }
}

impl core::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Reader")
            .field("position", &self.position)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

/// The error for a file that is shorter than a header: only the signature can show whether the
/// file has this format.
fn too_short(source: &mut dyn Source, len: u64, least: u64) -> DecodeError {
    let mut first = [0; MAGIC.len()];
    if len >= MAGIC.len() as u64 && source.fill(&mut first).is_err() {
        return DecodeError::new(0, Problem::Unreadable);
    }
    if first != MAGIC {
        return DecodeError::new(0, Problem::NotThisFormat);
    }
    truncated(least, len)
}

/// The error of a file that ends too early.
pub(crate) const fn truncated(needed: u64, found: u64) -> DecodeError {
    DecodeError::new(found, Problem::Truncated { needed, found })
}
