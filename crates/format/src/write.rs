//! The way out: header, payload and checksum in one pass, through a buffer on
//! the stack.

use alloc::vec::Vec;

use crate::{Encode, LINE_BYTES, checksum::Checksum};

/// Bytes that are gathered before they are handed on. A multiple of
/// [`LINE_BYTES`].
const CHUNK: usize = 4096;

/// Takes the bytes of an encoding, in order.
///
/// Like a writer of the standard library, for targets without it. Whoever has
/// the sink learns from it why it stopped.
pub trait Sink {
    /// Takes all of these bytes.
    ///
    /// # Errors
    ///
    /// [`Stopped`]; it is not asked again then.
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
}

impl Writer<'_> {
    /// The slots of a filter, as the words that hold them; then zeros to the end
    /// of the line. Once a record, and nothing else in it.
    ///
    /// # Errors
    ///
    /// [`Stopped`], to be passed on.
    pub fn words(&mut self, words: impl IntoIterator<Item = u64>) -> Result<(), Stopped> {
        let mut chunk = [0; CHUNK];
        let mut used = 0;
        for word in words {
            if used == CHUNK {
                self.put(&chunk)?;
                used = 0;
            }
            chunk[used..used + 8].copy_from_slice(&word.to_le_bytes());
            used += 8;
        }
        let end = used.next_multiple_of(LINE_BYTES as usize);
        chunk[used..end].fill(0);
        self.put(&chunk[..end])
    }

    /// A filter that this one is made of: its header and its payload.
    ///
    /// # Errors
    ///
    /// [`Stopped`], to be passed on.
    pub fn part(&mut self, part: &(impl Encode + ?Sized)) -> Result<(), Stopped> {
        self.put(&part.header().to_bytes())?;
        part.write_payload(self)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        self.checksum.take(bytes);
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
    };
    writer.part(filter)?;
    let trailer = writer.checksum.finish();
    writer.put(&trailer.to_le_bytes())
}
