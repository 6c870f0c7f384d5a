//! The JSON form: `{"m":48,"k":4,"b":"AAAA..."}`.

use alloc::string::String;
use core::fmt::Write;

use super::{GoBloom, MAX_HASHES, base64};
use crate::{DecodeError, Term, read::bits};

impl GoBloom {
    /// Writes what the peer's `MarshalJSON` writes: m, k and, in base64 with the
    /// alphabet for addresses and its padding, length and words of the binary
    /// form.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        // Writing to a String never fails.
        let _ = write!(
            json,
            "{{\"m\":{},\"k\":{},\"b\":\"",
            self.size_bits(),
            self.hashes()
        );
        base64::encode(self.bit_set_bytes(), &mut json);
        json.push_str("\"}");
        json
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
        let mut text = Text {
            bytes: json.as_bytes(),
            at: 0,
        };
        let (mut m, mut k, mut bit_set) = (None, None, None);
        text.expect(b'{', "object")?;
        if !text.skip(b'}') {
            loop {
                let name = text.string("name")?;
                text.expect(b':', "name")?;
                match name {
                    b"m" | b"M" => m = Some(text.number("m")?),
                    b"k" | b"K" => k = Some(text.number("k")?),
                    b"b" | b"B" => {
                        let string = text.string("b")?;
                        // Back over the string and its last quote.
                        bit_set = Some(((text.at - 1 - string.len()) as u64, string));
                    }
                    _ => text.value()?,
                }
                if !text.skip(b',') {
                    break;
                }
            }
            text.expect(b'}', "object")?;
        }
        text.end()?;
        let m = text.within(m, "m", u64::MAX, "a number from 1 on")?;
        let (k, _) = text.within(k, "k", MAX_HASHES, "a number from 1 to 65536")?;
        let (offset, bit_set) = bit_set.ok_or_else(|| text.error("b", "nothing", "base64"))?;
        let mut words = base64::decode(bit_set, offset)?;
        if words.is_empty() {
            return Err(text.error("b", "no length", "length and words"));
        }
        let len = words.remove(0);
        Self::from_parts(m, k, bits(words, len, offset)?)
    }
}

/// A place in a JSON text.
struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Text<'a> {
    fn error(&self, field: &'static str, found: &'static str, wanted: &'static str) -> DecodeError {
        DecodeError {
            offset: self.at as u64,
            field,
            found: Term::Words(found),
            wanted: Term::Words(wanted),
        }
    }

    /// The next byte that is not blank, not yet taken.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, field: &'static str) -> Result<(), DecodeError> {
        if self.skip(byte) {
            return Ok(());
        }
        let wanted = match byte {
            b'{' => "{",
            b'}' => "} or ,",
            b':' => ":",
            _ => "\"",
        };
        Err(self.error(field, "something else", wanted))
    }

    fn end(&mut self) -> Result<(), DecodeError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error("end", "more", "nothing more")),
        }
    }

    /// A string, as it stands between its quotes. An escape is no part of the
    /// names and of the base64 sought here, so none is undone.
    fn string(&mut self, field: &'static str) -> Result<&'a [u8], DecodeError> {
        self.expect(b'"', field)?;
        let start = self.at;
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(0x20..) => self.at += 1,
                _ => return Err(self.error(field, "no end", "\"")),
            }
        }
        let string = self.bytes.get(start..self.at);
        let string = string.ok_or_else(|| self.error(field, "no end", "\""))?;
        self.at += 1;
        Ok(string)
    }

    /// A whole number with its place.
    fn number(&mut self, field: &'static str) -> Result<(u64, u64), DecodeError> {
        self.peek();
        let start = self.at;
        let mut number = Some(0u64);
        while let Some(digit @ b'0'..=b'9') = self.bytes.get(self.at) {
            let shifted = number.and_then(|n| n.checked_mul(10));
            number = shifted.and_then(|n| n.checked_add(u64::from(digit - b'0')));
            self.at += 1;
        }
        let digits = self.at - start;
        let goes_on = matches!(self.bytes.get(self.at), Some(b'.' | b'e' | b'E'));
        let padded = digits > 1 && self.bytes[start] == b'0';
        match number {
            Some(number) if digits > 0 && !goes_on && !padded => Ok((number, start as u64)),
            _ => {
                self.at = start;
                Err(self.error(field, "something else", "a whole number below 2^64"))
            }
        }
    }

    fn within(
        &self,
        number: Option<(u64, u64)>,
        field: &'static str,
        max: u64,
        wanted: &'static str,
    ) -> Result<(u64, u64), DecodeError> {
        match number {
            None => Err(self.error(field, "nothing", wanted)),
            Some((number, offset)) if number == 0 || number > max => Err(DecodeError {
                offset,
                field,
                found: Term::Number(number.into()),
                wanted: Term::Words(wanted),
            }),
            Some(found) => Ok(found),
        }
    }

    /// Any value, unread: strings are told apart, brackets are counted.
    fn value(&mut self) -> Result<(), DecodeError> {
        let mut depth = 0u64;
        loop {
            match self.peek() {
                Some(b'"') => drop(self.string("value")?),
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                Some(b'}' | b']') if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(b',' | b':') if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'+' | b'.') => self.at += 1,
                _ => return Err(self.error("value", "something else", "a value")),
            }
            let literal = self
                .bytes
                .get(self.at)
                .is_some_and(u8::is_ascii_alphanumeric);
            if depth == 0
                && !literal
                && !matches!(self.bytes.get(self.at), Some(b'-' | b'+' | b'.'))
            {
                return Ok(());
            }
        }
    }
}
