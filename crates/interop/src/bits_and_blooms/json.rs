//! The JSON file format: `{"m":48,"k":4,"b":"AAAA..."}`.

use alloc::{format, string::String};

use bouquet_bits::BitArray;

use super::{
    GoBloom, MAX_HASHES, base64,
    filter::{MAX_MISSING, check_m},
    text::Text,
};
use crate::{
    ForeignDecodeError, ReadError, Term,
    read::{Reader, all_of, array, put_word},
    write::{Pieces, Put, gathered},
};

impl GoBloom {
    /// Writes the text that the peer's `MarshalJSON` writes: m, k, and as `b` the length and the
    /// words of the binary format in URL-safe base64 with padding.
    pub fn to_json(&self) -> String {
        // 64 bytes are enough for the two numbers, the names and the punctuation.
        let digits = (8 + self.bit_set_len().div_ceil(8)).div_ceil(3) * 4;
        let json = gathered(digits + 64, |put| self.write_text(put));
        // The text is pure ASCII, so the conversion never fails.
        String::from_utf8(json).unwrap_or_default()
    }

    /// Like [`to_json`](Self::to_json), but passes the text to `put` in order, in pieces of 4 KiB.
    ///
    /// # Errors
    ///
    /// The first error that `put` returns.
    pub fn write_json_to<E>(&self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        self.write_text(&mut put)
    }

    fn write_text<E>(&self, put: Put<'_, E>) -> Result<(), E> {
        let mut out = Pieces::new(put);
        let (m, k) = (self.size_bits(), self.hashes());
        out.bytes(format!("{{\"m\":{m},\"k\":{k},\"b\":\"").as_bytes())?;
        let length = [self.bit_set_len()];
        let numbers = length.iter().chain(self.bit_set_words());
        let bytes = numbers.flat_map(|number| number.to_be_bytes());
        base64::encode(bytes, |digits| out.bytes(digits))?;
        out.bytes(b"\"}")?;
        out.flush()
    }

    /// Reads all JSON that the peer's `UnmarshalJSON` reads: white space, another order, other
    /// members and upper-case names are allowed, and of several members with the same name the last
    /// one counts.
    ///
    /// # Errors
    ///
    /// [`ForeignDecodeError`], with the byte offset in the text. The rules are those of
    /// [`from_bytes`](Self::from_bytes).
    pub fn from_json(json: &str) -> Result<Self, ForeignDecodeError> {
        all_of(json.as_bytes(), Self::read_text)
    }

    /// Like [`from_json`](Self::from_json), but reads `len` bytes from a source: `fill` must fill
    /// the buffer that it gets with the next bytes. Needs the memory of the filter and 4 KiB, and
    /// 64 KiB more if the bits come before m, because m may exceed them by that much.
    ///
    /// # Errors
    ///
    /// [`ReadError`]: as [`from_json`](Self::from_json), or the error of `fill`.
    pub fn read_json_from<E>(
        len: u64,
        mut fill: impl FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, ReadError<E>> {
        Self::read_text(&mut Reader::new(len, &mut fill))
    }

    fn read_text<E>(reader: &mut Reader<'_, E>) -> Result<Self, ReadError<E>> {
        let mut text = Text::new(reader);
        let (mut m, mut k, mut bit_set) = (None, None, None);
        text.expect(b'{', "object")?;
        if !text.skip(b'}')? {
            loop {
                let name = text.name()?;
                text.expect(b':', "name")?;
                match name {
                    Some(b'm' | b'M') => m = Some(text.number("m")?),
                    Some(b'k' | b'K') => k = Some(text.number("k")?),
                    Some(b'b' | b'B') => {
                        // If there was a `b` before, its memory is released first.
                        drop(bit_set.take());
                        bit_set = Some(BitSet::read(&mut text, m)?);
                    }
                    _ => text.value()?,
                }
                if !text.skip(b',')? {
                    break;
                }
            }
            text.expect(b'}', "object")?;
        }
        text.end()?;
        let m = text.within(m, "m", u64::MAX, "a number from 1 on")?;
        let (k, _) = text.within(k, "k", MAX_HASHES, "a number from 1 to 65536")?;
        let bit_set = bit_set.ok_or_else(|| text.error("b", "nothing", "base64"))?;
        let (bits, len) = bit_set
            .whole()?
            .ok_or_else(|| text.error("b", "no length", "length and words"))?;
        if len > MAX_MISSING && bits.len() < m.0 {
            return Err(text.error("m", "a larger one after b", "one m").into());
        }
        Ok(Self::from_parts(m, k, (bits, len))?)
    }
}

/// The bit set that the member `b` encodes, filled word by word while the text is decoded.
struct BitSet {
    /// The byte offset of the first base64 digit.
    offset: u64,
    /// The value of m, if it came before `b`.
    m: Option<u64>,
    /// The length of the bit set, which is the first word of `b`, and the bits.
    bits: Option<(u64, BitArray)>,
    /// The number of words after the length that were decoded so far.
    seen: u64,
}

impl BitSet {
    fn read<E>(text: &mut Text<'_, '_, E>, m: Option<(u64, u64)>) -> Result<Self, ReadError<E>> {
        text.expect(b'"', "b")?;
        let mut bit_set = Self {
            offset: text.at(),
            m: m.map(|(m, _)| m),
            bits: None,
            seen: 0,
        };
        base64::decode(text, |word, left| bit_set.put(word, left))?;
        Ok(bit_set)
    }

    /// Stores the next word. `left` is the number of bytes of text that follow it.
    fn put(&mut self, word: u64, left: u64) -> Result<(), ForeignDecodeError> {
        let Some((len, bits)) = &mut self.bits else {
            return self.begin(word, left);
        };
        if self.seen < len.div_ceil(64) {
            // Three bytes take four digits.
            let offset = self.offset + (self.seen + 1) * 32 / 3;
            put_word(bits, *len, (self.seen as usize, word), 0)
                .map_err(|error| ForeignDecodeError { offset, ..error })?;
        }
        self.seen += 1;
        Ok(())
    }

    /// Allocates the bits, if there is enough text left to fill them.
    fn begin(&mut self, len: u64, left: u64) -> Result<(), ForeignDecodeError> {
        let bytes = len.div_ceil(64).saturating_mul(8);
        // The last group of four digits of the length also contains up to two bytes of the next
        // word.
        if bytes > left / 4 * 3 + 2 {
            return Err(self.error(Term::Words("less text"), bytes));
        }
        let room = match self.m {
            // If m is wrong, this is reported at the end.
            Some(m) if check_m((m, 0), len).is_ok() => m,
            // If m comes later, room for the largest allowed m is reserved now: to enlarge the
            // array later would need a second array beside it.
            None if len > MAX_MISSING => len.saturating_add(MAX_MISSING),
            _ => 0,
        };
        let bits = array(len.max(room), self.offset, "words")?;
        self.bits = Some((len, bits));
        Ok(())
    }

    /// The bits and their length, or `None` if not even the length was there.
    fn whole(self) -> Result<Option<(BitArray, u64)>, ForeignDecodeError> {
        let expected = self.bits.as_ref().map_or(0, |(len, _)| len.div_ceil(64));
        if self.seen != expected {
            return Err(self.error(Term::Bytes(8 * self.seen), 8 * expected));
        }
        Ok(self.bits.map(|(len, bits)| (bits, len)))
    }

    fn error(&self, found: Term, wanted: u64) -> ForeignDecodeError {
        ForeignDecodeError {
            offset: self.offset,
            field: "words",
            found,
            wanted: Term::Bytes(wanted),
        }
    }
}
