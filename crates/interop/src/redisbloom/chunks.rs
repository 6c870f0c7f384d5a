//! `BF.SCANDUMP` and `BF.LOADCHUNK`.

use alloc::vec::Vec;
use core::iter;

use super::{RedisBloom, header, link::Link};
use crate::{
    DecodeError, Term,
    read::{Reader, bits, reserved},
};

/// The most bytes of bits in a chunk.
const MAX_CHUNK: u64 = 16 << 20;

impl RedisBloom {
    /// What `BF.SCANDUMP key iter` answers: the next iterator and the data, or 0
    /// and nothing at the end.
    ///
    /// Iterator 0 gives the header; from 1 on, i gives the bits from byte i - 1
    /// of all links' bits one after another, up to the end of the link and at
    /// most 16 MiB.
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

    /// The answers of `BF.SCANDUMP` from iterator 0 on until there is nothing
    /// left: each is to be given to `BF.LOADCHUNK` as it is.
    pub fn chunks(&self) -> impl Iterator<Item = (i64, Vec<u8>)> {
        let mut iter = 0;
        iter::from_fn(move || {
            let (next, data) = self.scan_dump(iter);
            iter = next;
            (next != 0).then_some((next, data))
        })
    }

    /// Reads the answers of `BF.SCANDUMP`, all and in their order: the header
    /// with iterator 1, then the bits, each with the iterator that came with it.
    ///
    /// The chunks may be smaller than those of a server, but as for one, none
    /// may go from one link to the next.
    ///
    /// # Errors
    ///
    /// [`DecodeError`], with the place in the chunks' data one after another.
    /// What the header says is checked before memory is taken for it: the links
    /// are at most 1,024 and as large as the data, every k is that of its error,
    /// and the keys are as many as those of the links.
    pub fn from_chunks(chunks: &[(i64, &[u8])]) -> Result<Self, DecodeError> {
        let (first, data) = chunks.first().copied().unwrap_or((1, &[]));
        check_iterator(0, first, 1)?;
        let mut reader = Reader::new(data);
        let chain = header::read(&mut reader)?;
        reader.end()?;
        let start = reader.offset();
        let mut there = 0;
        let rest = chunks.get(1..).unwrap_or_default();
        for (iter, data) in rest {
            let offset = start + there;
            there += data.len() as u64;
            check_iterator(offset, *iter, there as i64 + 1)?;
        }
        let mut parts = rest.iter().map(|(_, data)| *data);
        let next = |_| parts.find(|data| !data.is_empty());
        chain.with_bits(start, there, next)
    }

    /// Reads the data of all chunks, one after another: header, then bits.
    ///
    /// # Errors
    ///
    /// As [`from_chunks`](Self::from_chunks).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let chain = header::read(&mut reader)?;
        let (start, there) = (reader.offset(), reader.rest().len() as u64);
        let next = |len| reader.take("bits of a link", len).ok();
        chain.with_bits(start, there, next)
    }

    /// The chain with its bits: `there` bytes from `start` on, in parts. `next`
    /// gets the number of bytes that its link lacks.
    fn with_bits<'a>(
        mut self,
        start: u64,
        there: u64,
        mut next: impl FnMut(u64) -> Option<&'a [u8]>,
    ) -> Result<Self, DecodeError> {
        // 1,024 links of 2^45 bytes at most: no overflow.
        let wanted = self.links.iter().map(Link::len).sum();
        if there != wanted {
            return Err(DecodeError {
                offset: start,
                field: "bits",
                found: Term::Bytes(there),
                wanted: Term::Bytes(wanted),
            });
        }
        let mut offset = start;
        for link in &mut self.links {
            let words = link_words(link.len(), offset, &mut next)?;
            link.bits = bits(words, link.sizing.size_bits, offset)?;
            offset += link.len();
        }
        Ok(self)
    }

    /// Writes the data of all [`chunks`](Self::chunks), one after another.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.header_len() + (self.size_bits() / 8) as usize);
        for (_, data) in self.chunks() {
            bytes.extend(data);
        }
        bytes
    }
}

fn check_iterator(offset: u64, found: i64, wanted: i64) -> Result<(), DecodeError> {
    if found == wanted {
        return Ok(());
    }
    Err(DecodeError {
        offset,
        field: "iterator of the chunk",
        found: Term::Number(found.into()),
        wanted: Term::Number(wanted.into()),
    })
}

/// The words of a link of `len` bytes, from parts of which the last ends with it.
fn link_words<'a>(
    len: u64,
    offset: u64,
    next: &mut impl FnMut(u64) -> Option<&'a [u8]>,
) -> Result<Vec<u64>, DecodeError> {
    let count = len.div_ceil(8) as usize;
    let mut words = reserved(count, offset, "bits of a link")?;
    words.resize(count, 0u64);
    let mut at = 0;
    while at < len {
        let part = next(len - at).unwrap_or_default();
        if part.is_empty() || part.len() as u64 > len - at {
            return Err(DecodeError {
                offset: offset + at,
                field: "chunk",
                found: Term::Bytes(part.len() as u64),
                wanted: Term::Words("no more than the rest of its link"),
            });
        }
        for (byte, place) in part.iter().zip(at..) {
            words[(place / 8) as usize] |= u64::from(*byte) << (8 * (place % 8));
        }
        at += part.len() as u64;
    }
    Ok(words)
}
