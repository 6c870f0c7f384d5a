//! Output: header, payload and checksum in one pass. Large blocks are written directly from
//! memory, everything else through a buffer.

use alloc::vec::Vec;

use crate::{Encode, LINE_BYTES, checksum::Checksum, stored};

/// The smallest and the largest size of a buffer, in bytes. From the smallest size on, the
/// system calls cost little, and less with larger buffers; the largest size still fits in the
/// second-level cache.
const LEAST: u64 = 1 << 16;
const MOST: u64 = 1 << 20;

/// Between these sizes, a buffer has at least this fraction of the file's size. A larger one
/// would not pay: memory that is new to the process costs as much as the system calls that it
/// saves.
const PART: u64 = 8;

/// The number of bytes that are written at once directly from memory: few enough that they are
/// still in cache when the sink reads them after the checksum. A multiple of every buffer size.
const PIECE: usize = MOST as usize;

/// Accepts the bytes of an encoded filter, in order.
///
/// Like a writer of the standard library, but available on targets without it. A sink stores
/// the reason of a failure for its owner.
pub trait Sink {
    /// Writes all of these bytes.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if that fails; `put` is not called again then.
    fn put(&mut self, bytes: &[u8]) -> Result<(), Stopped>;
}

/// The sink accepts no more bytes; it knows the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Fails if there is no memory.
impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        self.try_reserve(bytes.len()).map_err(|_| Stopped)?;
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// Writes the payload of a filter to a sink.
pub struct Writer<'a> {
    sink: &'a mut dyn Sink,
    checksum: Checksum,
    /// Words that were written but not yet passed to the sink: whole lines, because a file
    /// consists of lines, except for the checksum at its end.
    buffer: Vec<[u8; 8]>,
    /// The number of words that are passed to the sink at once, a power of two.
    size: usize,
}

impl Writer<'_> {
    /// Writes the slots of a filter, as words, and zeros to the end of the line. Call it once
    /// per record, which has no other payload.
    ///
    /// # Errors
    ///
    /// [`Stopped`], which the caller must return.
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

    /// Same as [`words`](Self::words), for words that are not in memory in their stored form.
    ///
    /// # Errors
    ///
    /// [`Stopped`], which the caller must return.
    pub fn words_of(&mut self, words: impl IntoIterator<Item = u64>) -> Result<(), Stopped> {
        let mut words = words.into_iter().map(u64::to_le_bytes);
        loop {
            if self.buffer.len() == self.size {
                self.hand_on()?;
            }
            self.buffer.extend(words.by_ref().take(self.room()));
            if self.room() > 0 {
                break;
            }
        }
        self.end_line();
        Ok(())
    }

    /// The number of words that still fit in the buffer.
    fn room(&self) -> usize {
        self.size - self.buffer.len()
    }

    /// Writes zeros to the end of the line.
    fn end_line(&mut self) {
        let end = self.buffer.len().next_multiple_of(LINE_BYTES as usize / 8);
        self.buffer.resize(end, [0; 8]);
    }

    /// Writes the header and the payload of a filter that this filter consists of.
    ///
    /// # Errors
    ///
    /// [`Stopped`], which the caller must return.
    pub fn part(&mut self, part: &(impl Encode + ?Sized)) -> Result<(), Stopped> {
        self.bytes(&part.header().to_bytes())?;
        part.write_payload(self)
    }

    /// Writes whole words, from the start of a line. What is written directly from memory
    /// begins at a multiple of the buffer size in the file too, so that no page of the file is
    /// written in two parts.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        let (first, rest) = bytes.split_at(bytes.len().min(8 * self.room()));
        self.buffer.extend_from_slice(first.as_chunks().0);
        if rest.is_empty() {
            return Ok(());
        }
        self.hand_on()?;
        let (large, rest) = rest.split_at(rest.len() - rest.len() % (8 * self.size));
        for piece in large.chunks(PIECE) {
            self.checksum.take(piece);
            self.sink.put(piece)?;
        }
        self.buffer.extend_from_slice(rest.as_chunks().0);
        Ok(())
    }

    fn hand_on(&mut self) -> Result<(), Stopped> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let bytes = self.buffer.as_flattened();
        self.checksum.take(bytes);
        self.sink.put(bytes)?;
        self.buffer.clear();
        Ok(())
    }
}

impl core::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<'a> Writer<'a> {
    /// Creates a writer for a file of `file_bytes` bytes; `Stopped` if there is no memory.
    fn new(sink: &'a mut dyn Sink, file_bytes: u64) -> Result<Self, Stopped> {
        let part = file_bytes / PART;
        let size = part.clamp(LEAST, MOST).next_power_of_two();
        let mut buffer = Vec::new();
        let words = size.min(file_bytes).div_ceil(8) as usize;
        buffer.try_reserve_exact(words).map_err(|_| Stopped)?;
        Ok(Self {
            sink,
            checksum: Checksum::new(),
            buffer,
            size: size as usize / 8,
        })
    }
}

/// Writes a whole file.
pub(crate) fn write(filter: &(impl Encode + ?Sized), sink: &mut dyn Sink) -> Result<(), Stopped> {
    let mut writer = Writer::new(sink, filter.header().file_bytes())?;
    writer.part(filter)?;
    writer.hand_on()?;
    let trailer = writer.checksum.finish();
    writer.sink.put(&trailer.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the output and its checksum after `write` was called with the given numbers of
    /// words, with the buffer for a file of `file_bytes` bytes.
    fn written(
        file_bytes: u64,
        counts: &[usize],
        write: impl Fn(&mut Writer<'_>, &[u64]) -> Result<(), Stopped>,
    ) -> (Vec<u8>, u64) {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, file_bytes).unwrap();
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
        const LEAST_WORDS: usize = LEAST as usize / 8;
        const MOST_WORDS: usize = MOST as usize / 8;
        let around = |count: usize| [count - 8, count - 1, count, count + 1, count + 8];
        let most = [
            around(LEAST_WORDS),
            around(MOST_WORDS),
            around(3 * MOST_WORDS),
        ]
        .concat();
        for count in most.into_iter().chain([0, 1, 8, 9]) {
            for counts in [&[count][..], &[8, count, 3], &[count, 1, count]] {
                for file_bytes in [0, PART * LEAST, PART * MOST] {
                    let at_once = written(file_bytes, counts, |writer, words| writer.words(words));
                    let singly = written(file_bytes, counts, |writer, words| {
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
}
