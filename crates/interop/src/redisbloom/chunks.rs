//! The chunks of `BF.SCANDUMP` and `BF.LOADCHUNK`.

use alloc::vec::Vec;
use core::iter;

use super::{RedisBloom, header, link::Link};
use crate::{
    ForeignDecodeError, ReadError, Term,
    read::{Reader, Short, all_of, array, of_source},
    write::{Pieces, Put, gathered},
};

/// The largest size of a chunk of bits, in bytes.
const MAX_CHUNK: u64 = 16 << 20;

impl RedisBloom {
    /// The reply to `BF.SCANDUMP key iter`: the next iterator and the data of a chunk, or 0 and no
    /// data at the end.
    ///
    /// Iterator 0 gives the header. With a larger iterator the chunk starts at byte `iter` - 1 of
    /// the concatenated bits of all links. It ends at the end of the link, or after 16 MiB.
    pub fn scan_dump(&self, iter: i64) -> (i64, Vec<u8>) {
        if iter == 0 {
            return (1, self.header());
        }
        let Ok(mut from) = u64::try_from(iter.saturating_sub(1)) else {
            return (0, Vec::new());
        };
        for link in &self.links {
            if from < link.len() {
                let to = link.len().min(from + MAX_CHUNK);
                return (iter + (to - from) as i64, link.bytes(from, to));
            }
            from -= link.len();
        }
        (0, Vec::new())
    }

    /// The replies of `BF.SCANDUMP` from iterator 0 to the end. Each can be passed to
    /// `BF.LOADCHUNK` unchanged.
    pub fn chunks(&self) -> impl Iterator<Item = (i64, Vec<u8>)> {
        let mut iter = 0;
        iter::from_fn(move || {
            let (next, data) = self.scan_dump(iter);
            iter = next;
            (next != 0).then_some((next, data))
        })
    }

    /// Reads all replies of `BF.SCANDUMP` in their order: the header with iterator 1, then the
    /// chunks of bits, each with the iterator that was returned with it.
    ///
    /// The chunks may be smaller than those of a server, but no chunk may contain bytes of two
    /// links.
    ///
    /// # Errors
    ///
    /// [`ForeignDecodeError`], with the offset in the concatenated data of the chunks. The header is
    /// checked before memory is allocated: there must be at most 1,024 links whose sizes add up to
    /// the size of the data, every k must follow from its link's error rate, and the total number
    /// of keys must be the sum over the links.
    pub fn from_chunks(chunks: &[(i64, &[u8])]) -> Result<Self, ForeignDecodeError> {
        let (first, data) = chunks.first().copied().unwrap_or((1, &[]));
        check_iterator(0, first, 1)?;
        let chain = all_of(data, |reader| {
            let chain = header::read(reader)?;
            reader.only("header", 0)?;
            Ok(chain)
        })?;
        let start = data.len() as u64;
        let mut there = 0;
        let rest = chunks.get(1..).unwrap_or_default();
        for (iter, data) in rest {
            let offset = start + there;
            there += data.len() as u64;
            check_iterator(offset, *iter, there as i64 + 1)?;
        }
        let rest = rest.iter().map(|(_, data)| *data);
        chain.check_chunks(start, there, rest.clone())?;
        let mut bytes = rest.flatten().copied();
        let mut fill = |buffer: &mut [u8]| {
            let mut places = buffer.iter_mut();
            places.try_for_each(|place| {
                *place = bytes.next().ok_or(Short)?;
                Ok(())
            })
        };
        let mut reader = Reader::new(there, &mut fill);
        let read = chain.with_bits(&mut reader).map_err(|error| match error {
            // Here `error.offset` counts from the first chunk of bits.
            ReadError::Decode(error) => ReadError::Decode(ForeignDecodeError {
                offset: start + error.offset,
                ..error
            }),
            short => short,
        });
        of_source(read, start + there)
    }

    /// Reads the concatenated data of all chunks: the header, then the bits.
    ///
    /// # Errors
    ///
    /// As [`from_chunks`](Self::from_chunks).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ForeignDecodeError> {
        all_of(bytes, Self::read)
    }

    /// Like [`from_bytes`](Self::from_bytes), but reads `len` bytes from a source: `fill` must fill
    /// the buffer that it gets with the next bytes. Needs the memory of the filter and 4 KiB.
    ///
    /// # Errors
    ///
    /// [`ReadError`]: as [`from_chunks`](Self::from_chunks), or the error of `fill`.
    pub fn read_from<E>(
        len: u64,
        mut fill: impl FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, ReadError<E>> {
        Self::read(&mut Reader::new(len, &mut fill))
    }

    fn read<E>(reader: &mut Reader<'_, E>) -> Result<Self, ReadError<E>> {
        let chain = header::read(reader)?;
        chain.check_bits(reader.offset(), reader.left())?;
        chain.with_bits(reader)
    }

    /// Returns an error unless the number of bytes of bits, `there`, is the number that the links
    /// need.
    fn check_bits(&self, start: u64, there: u64) -> Result<(), ForeignDecodeError> {
        // At most 1,024 links of 2^45 bytes: the sum cannot overflow.
        let wanted = self.links.iter().map(Link::len).sum();
        if there == wanted {
            return Ok(());
        }
        Err(ForeignDecodeError {
            offset: start,
            field: "bits",
            found: Term::Bytes(there),
            wanted: Term::Bytes(wanted),
        })
    }

    /// Like `check_bits`, and also rejects a chunk that contains bytes of two links.
    fn check_chunks<'a>(
        &self,
        start: u64,
        there: u64,
        chunks: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), ForeignDecodeError> {
        self.check_bits(start, there)?;
        let mut links = self.links.iter().map(Link::len);
        let (mut at, mut of_link) = (0, 0);
        for chunk in chunks.filter(|chunk| !chunk.is_empty()) {
            if of_link == 0 {
                of_link = links.next().unwrap_or(0);
            }
            let len = chunk.len() as u64;
            if len > of_link {
                return Err(ForeignDecodeError {
                    offset: start + at,
                    field: "chunk",
                    found: Term::Bytes(len),
                    wanted: Term::Words("no more than the rest of its link"),
                });
            }
            of_link -= len;
            at += len;
        }
        Ok(())
    }

    /// Reads the remaining bytes as the bits of the links.
    fn with_bits<E>(mut self, reader: &mut Reader<'_, E>) -> Result<Self, ReadError<E>> {
        for link in &mut self.links {
            const FIELD: &str = "bits of a link";
            reader.need(FIELD, link.len())?;
            let mut bits = array(link.sizing.size_bits, reader.offset(), FIELD)?;
            reader.words(FIELD, link.len(), u64::from_le_bytes, |i, word| {
                bits.set_word(i, word);
                Ok(())
            })?;
            link.bits = bits;
        }
        Ok(self)
    }

    /// Returns the concatenated data of all [`chunks`](Self::chunks).
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.header_len() as u64 + self.size_bits() / 8;
        gathered(bytes, |put| self.write(put))
    }

    /// Like [`to_bytes`](Self::to_bytes), but passes the bytes to `put` in order, in pieces of 4
    /// KiB.
    ///
    /// # Errors
    ///
    /// The first error that `put` returns.
    pub fn write_to<E>(&self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.write(&mut put)
    }

    fn write<E>(&self, put: Put<'_, E>) -> Result<(), E> {
        let mut out = Pieces::new(put);
        out.bytes(&self.header())?;
        for link in &self.links {
            out.words(link.bits.words(), link.len(), u64::to_le_bytes)?;
        }
        out.flush()
    }
}

fn check_iterator(offset: u64, found: i64, wanted: i64) -> Result<(), ForeignDecodeError> {
    if found == wanted {
        return Ok(());
    }
    Err(ForeignDecodeError {
        offset,
        field: "iterator of the chunk",
        found: Term::Number(found.into()),
        wanted: Term::Number(wanted.into()),
    })
}
