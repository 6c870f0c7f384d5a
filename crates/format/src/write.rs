//! Output: header, payload and checksum in one pass. What is large goes from where it
//! lies, the rest through a buffer on the stack.

use alloc::vec::Vec;

use crate::{Encode, LINE_BYTES, checksum::Checksum, stored};

/// Bytes that are buffered before they are passed on: enough that a call of the
/// system for each costs little in comparison. A multiple of [`LINE_BYTES`].
const CHUNK: usize = 1 << 16;

/// Bytes of a larger whole that are passed on at once: few enough to be in cache
/// when the sink takes them after the checksum. A multiple of [`CHUNK`].
const PIECE: usize = 1 << 20;

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
    pub fn words(&mut self, words: &[u64]) -> Result<(), Stopped> {
        match stored::in_place(words) {
            Some(bytes) => {
                self.bytes(bytes)?;
                self.end_line();
                Ok(())
            }
            None => self.words_of(words.iter().copied()),
        }
    }

    /// The same of words that do not lie in memory as they are stored.
    ///
    /// # Errors
    ///
    /// [`Stopped`], to be passed on.
    pub fn words_of(&mut self, words: impl IntoIterator<Item = u64>) -> Result<(), Stopped> {
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
        self.end_line();
        Ok(())
    }

    /// Zeros to the end of the line.
    fn end_line(&mut self) {
        let end = self.used.next_multiple_of(LINE_BYTES as usize);
        self.chunk[self.used..end].fill(0);
        self.used = end;
    }

    /// A filter that this one is made of: its header and its payload.
    ///
    /// # Errors
    ///
    /// [`Stopped`], to be passed on.
    pub fn part(&mut self, part: &(impl Encode + ?Sized)) -> Result<(), Stopped> {
        self.bytes(&part.header().to_bytes())?;
        part.write_payload(self)
    }

    /// From the start of a line. What goes from where it lies starts at a multiple of a chunk
    /// in the file too: no page of it is written in two parts.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        let (first, bytes) = bytes.split_at(bytes.len().min(CHUNK - self.used));
        self.buffer(first);
        if bytes.is_empty() {
            return Ok(());
        }
        self.hand_on()?;
        let (large, rest) = bytes.split_at(bytes.len() - bytes.len() % CHUNK);
        for piece in large.chunks(PIECE) {
            self.checksum.take(piece);
            self.sink.put(piece)?;
        }
        self.buffer(rest);
        Ok(())
    }

    /// What fits the chunk.
    fn buffer(&mut self, bytes: &[u8]) {
        let end = self.used + bytes.len();
        self.chunk[self.used..end].copy_from_slice(bytes);
        self.used = end;
    }

    fn hand_on(&mut self) -> Result<(), Stopped> {
        if self.used == 0 {
            return Ok(());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written of so many words, several times, and its checksum.
    fn written(
        counts: &[usize],
        write: impl Fn(&mut Writer<'_>, &[u64]) -> Result<(), Stopped>,
    ) -> (Vec<u8>, u64) {
        let mut bytes = Vec::new();
        let mut writer = Writer {
            sink: &mut bytes,
            checksum: Checksum::new(),
            chunk: [0; CHUNK],
            used: 0,
        };
        for (&count, start) in counts.iter().zip(1..) {
            let words: Vec<u64> = (0..count as u64).map(|i| i << 40 | start).collect();
            write(&mut writer, &words).unwrap();
        }
        writer.hand_on().unwrap();
        let checksum = writer.checksum.finish();
        (bytes, checksum)
    }

    #[test]
    fn words_are_written_alike_from_where_they_lie_and_one_by_one() {
        const IN_CHUNK: usize = CHUNK / 8;
        const IN_PIECE: usize = PIECE / 8;
        let around = |count: usize| [count - 8, count - 1, count, count + 1, count + 8];
        let most = [around(IN_CHUNK), around(IN_PIECE), around(3 * IN_PIECE)].concat();
        for count in most.into_iter().chain([0, 1, 8, 9]) {
            for counts in [&[count][..], &[8, count, 3], &[count, 1, count]] {
                let at_once = written(counts, |writer, words| writer.words(words));
                let singly = written(counts, |writer, words| {
                    writer.words_of(words.iter().copied())
                });
                assert!(at_once == singly, "{counts:?}");
                assert_eq!(at_once.1, crate::checksum(&at_once.0), "{counts:?}");
                let lines = counts.iter().map(|count| count.next_multiple_of(8));
                assert_eq!(at_once.0.len(), 8 * lines.sum::<usize>(), "{counts:?}");
            }
        }
    }
}
