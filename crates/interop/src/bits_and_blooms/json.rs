//! The JSON form: `{"m":48,"k":4,"b":"AAAA..."}`.

use alloc::{format, string::String};

use bouquet_bits::BitArray;

use super::{
    GoBloom, MAX_HASHES, base64,
    filter::{MAX_MISSING, check_m},
    text::Text,
};
use crate::{
    DecodeError, ReadError, Term,
    read::{Reader, all_of, array, put_word},
    write::{Pieces, Put, gathered},
};

impl GoBloom {
    /// Writes what the peer's `MarshalJSON` writes: m, k and, in base64 with the
    /// alphabet for addresses and its padding, length and words of the binary
    /// form.
    pub fn to_json(&self) -> String {
        // Two numbers, names and marks beside the digits.
        let digits = (8 + self.bit_set_len().div_ceil(8)).div_ceil(3) * 4;
        let json = gathered(digits + 64, |put| self.write_text(put));
        // All of it is ASCII.
        String::from_utf8(json).unwrap_or_default()
    }

    /// Writes the same in pieces of 4 KiB, which `put` takes in order.
    ///
    /// # Errors
    ///
    /// The first of `put`.
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

    /// Reads what the peer's `UnmarshalJSON` reads: blanks, another order,
    /// other members and names in upper case are all right, and the last of
    /// several members with one name counts.
    ///
    /// # Errors
    ///
    /// [`DecodeError`], with a place in the text. As strict as
    /// [`from_bytes`](Self::from_bytes).
    pub fn from_json(json: &str) -> Result<Self, DecodeError> {
        all_of(json.as_bytes(), Self::read_text)
    }

    /// Reads the same, `len` bytes in all, as they come: `fill` fills a buffer
    /// with the next ones. Takes the memory of the filter and 4 KiB, and 64 KiB
    /// more where the bits come before m, which may be as much more than they are.
    ///
    /// # Errors
    ///
    /// [`ReadError`]: as [`from_json`](Self::from_json), and those of `fill`.
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
                        // The one before, if there is one, gives its memory.
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

/// The bit set of a string, as its words come.
struct BitSet {
    /// Where the digits begin.
    offset: u64,
    /// m, if it came before.
    m: Option<u64>,
    /// The length, which is the first word, and the bits.
    bits: Option<(u64, BitArray)>,
    /// Words after the length.
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

    /// Takes the next word; so many bytes of text are left.
    fn put(&mut self, word: u64, left: u64) -> Result<(), DecodeError> {
        let Some((len, bits)) = &mut self.bits else {
            return self.begin(word, left);
        };
        if self.seen < len.div_ceil(64) {
            // Three bytes are four digits.
            let offset = self.offset + (self.seen + 1) * 32 / 3;
            put_word(bits, *len, (self.seen as usize, word), 0)
                .map_err(|error| DecodeError { offset, ..error })?;
        }
        self.seen += 1;
        Ok(())
    }

    /// Makes room for the bits, if there are digits for them.
    fn begin(&mut self, len: u64, left: u64) -> Result<(), DecodeError> {
        let bytes = len.div_ceil(64).saturating_mul(8);
        // The digits that ended the length have bytes of the next word in them.
        if bytes > left / 4 * 3 + 2 {
            return Err(self.error(Term::Words("less text"), bytes));
        }
        let room = match self.m {
            // A wrong one is reported later.
            Some(m) if check_m((m, 0), len).is_ok() => m,
            // A second array might be larger than the bits, so none is made.
            None if len > MAX_MISSING => len.saturating_add(MAX_MISSING),
            _ => 0,
        };
        let bits = array(len.max(room), self.offset, "words")?;
        self.bits = Some((len, bits));
        Ok(())
    }

    /// The bits with their length, if there is one.
    fn whole(self) -> Result<Option<(BitArray, u64)>, DecodeError> {
        let expected = self.bits.as_ref().map_or(0, |(len, _)| len.div_ceil(64));
        if self.seen != expected {
            return Err(self.error(Term::Bytes(8 * self.seen), 8 * expected));
        }
        Ok(self.bits.map(|(len, bits)| (bits, len)))
    }

    fn error(&self, found: Term, wanted: u64) -> DecodeError {
        DecodeError {
            offset: self.offset,
            field: "words",
            found,
            wanted: Term::Bytes(wanted),
        }
    }
}
