//! Output: header, payload and checksum in one pass. What is large goes from where it
//! lies, the rest through a buffer.

use alloc::vec::Vec;

use crate::{Encode, LINE_BYTES, checksum::Checksum, stored};

/// The least and the most bytes of a buffer. A call of the system for each costs little from
/// the least on, and less with more; the most are in the second-level cache yet.
const LEAST: u64 = 1 << 16;
const MOST: u64 = 1 << 20;

/// Between the two a buffer is at least this part of the file: memory that is new to the process
/// costs as much as calls that it saves.
const PART: u64 = 8;

/// Bytes that are passed on at once from where they lie: few enough to be in cache when the sink
/// takes them after the checksum. A multiple of every buffer.
const PIECE: usize = MOST as usize;

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
    /// Words written and not passed on yet: whole lines, because everything in a file is lines
    /// except its end.
    buffer: Vec<[u8; 8]>,
    /// Words that are passed on together, a power of two.
    size: usize,
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

    /// Words that the buffer takes yet.
    fn room(&self) -> usize {
        self.size - self.buffer.len()
    }

    /// Zeros to the end of the line.
    fn end_line(&mut self) {
        let end = self.buffer.len().next_multiple_of(LINE_BYTES as usize / 8);
        self.buffer.resize(end, [0; 8]);
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

    /// Whole words, from the start of a line. What goes from where it lies starts at a multiple
    /// of the buffer in the file too: no page of it is written in two parts.
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
    /// For a file of so many bytes. Stopped if there is no memory.
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

/// A whole file.
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

    /// What is written of so many words, several times, by the buffer of a file of
    /// `file_bytes`; and its checksum.
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
