//! Output: header, payload and checksum in one pass, through a buffer on
//! the stack.

use alloc::vec::Vec;

use crate::{Encode, LINE_BYTES, checksum::Checksum};

/// Bytes that are buffered before they are passed on: few enough to be in cache
/// when the checksum takes them and the sink, and enough that a call of the
/// system for each costs nothing in comparison. A multiple of [`LINE_BYTES`].
const CHUNK: usize = 1 << 16;

/// Takes the bytes of an encoding, in order.
///
/// Like a writer of the standard library, for targets without it. The owner of
/// the sink learns from it why it stopped.
pub trait Sink {
    /// Takes all of these bytes.
    ///
    /// # Errors
    ///
    /// [`Stopped`]; it is not called again then.
    fn put(&mut self, bytes: &[u8]) -> Result<(), Stopped>;
}

/// A sink takes no more bytes; it knows why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Stops if there is no memory.
impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        self.try_reserve(bytes.len()).map_err(|_| Stopped)?;
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// Where a filter puts its payload.
pub struct Writer<'a> {
    sink: &'a mut dyn Sink,
    checksum: Checksum,
    /// Bytes written and not passed on yet: whole lines, because everything in a file is lines
    /// except its end.
    chunk: [u8; CHUNK],
    used: usize,
}

impl Writer<'_> {
    /// The slots of a filter, as words; then zeros to the end
    /// of the line. Once per record, and nothing else in it.
    ///
    /// # Errors
    ///
    /// [`Stopped`], to be passed on.
    pub fn words(&mut self, words: impl IntoIterator<Item = u64>) -> Result<(), Stopped> {
        let mut words = words.into_iter();
        loop {
            if self.used == CHUNK {
                self.hand_on()?;
            }
            let (places, _) = self.chunk[self.used..].as_chunks_mut();
            let mut filled = 0;
            // The places first, or the zip would drop a word at the end of the chunk.
            for (place, word) in places.iter_mut().zip(&mut words) {
                *place = word.to_le_bytes();
                filled += 1;
            }
            self.used += 8 * filled;
            if self.used < CHUNK {
                break;
            }
        }
        let end = self.used.next_multiple_of(LINE_BYTES as usize);
        self.chunk[self.used..end].fill(0);
        self.used = end;
        Ok(())
    }

    /// A filter that this one is made of: its header and its payload.
    ///
    /// # Errors
    ///
    /// [`Stopped`], to be passed on.
    pub fn part(&mut self, part: &(impl Encode + ?Sized)) -> Result<(), Stopped> {
        self.lines(&part.header().to_bytes())?;
        part.write_payload(self)
    }

    /// Whole lines.
    fn lines(&mut self, mut bytes: &[u8]) -> Result<(), Stopped> {
        while !bytes.is_empty() {
            if self.used == CHUNK {
                self.hand_on()?;
            }
            let fits = bytes.len().min(CHUNK - self.used);
            let (now, rest) = bytes.split_at(fits);
            self.chunk[self.used..self.used + fits].copy_from_slice(now);
            self.used += fits;
            bytes = rest;
        }
        Ok(())
    }

    fn hand_on(&mut self) -> Result<(), Stopped> {
        let bytes = &self.chunk[..self.used];
        self.checksum.take(bytes);
        self.used = 0;
        self.sink.put(bytes)
    }
}

impl core::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

/// A whole file.
pub(crate) fn write(filter: &(impl Encode + ?Sized), sink: &mut dyn Sink) -> Result<(), Stopped> {
    let mut writer = Writer {
        sink,
        checksum: Checksum::new(),
        chunk: [0; CHUNK],
        used: 0,
    };
    writer.part(filter)?;
    writer.hand_on()?;
    let trailer = writer.checksum.finish();
    writer.sink.put(&trailer.to_le_bytes())
}
