//! A streaming JSON parser for the subset that these files need.

use crate::{ForeignDecodeError, ReadError, Term, read::Reader};

/// Number of bytes of text that are buffered at a time.
const PIECE: usize = 4096;

/// A cursor in a JSON text.
pub(super) struct Text<'a, 'b, E> {
    reader: &'a mut Reader<'b, E>,
    piece: [u8; PIECE],
    used: usize,
    filled: usize,
}

impl<'a, 'b, E> Text<'a, 'b, E> {
    pub(super) fn new(reader: &'a mut Reader<'b, E>) -> Self {
        Self {
            reader,
            piece: [0; PIECE],
            used: 0,
            filled: 0,
        }
    }

    pub(super) fn at(&self) -> u64 {
        self.reader.offset() - (self.filled - self.used) as u64
    }

    /// The number of bytes that are not consumed yet.
    pub(super) fn left(&self) -> u64 {
        self.reader.left() + (self.filled - self.used) as u64
    }

    /// The next byte, without consuming it.
    pub(super) fn byte(&mut self) -> Result<Option<u8>, ReadError<E>> {
        if self.used == self.filled {
            let count = self.reader.left().min(PIECE as u64) as usize;
            self.reader.fill("text", &mut self.piece[..count])?;
            (self.used, self.filled) = (0, count);
        }
        Ok(self.piece[..self.filled].get(self.used).copied())
    }

    pub(super) fn error(
        &self,
        field: &'static str,
        found: &'static str,
        wanted: &'static str,
    ) -> ForeignDecodeError {
        ForeignDecodeError {
            offset: self.at(),
            field,
            found: Term::Words(found),
            wanted: Term::Words(wanted),
        }
    }

    /// Skips white space and returns the next byte without consuming it.
    fn peek(&mut self) -> Result<Option<u8>, ReadError<E>> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte()? {
            self.used += 1;
        }
        self.byte()
    }

    pub(super) fn skip(&mut self, byte: u8) -> Result<bool, ReadError<E>> {
        let found = self.peek()? == Some(byte);
        self.used += usize::from(found);
        Ok(found)
    }

    pub(super) fn expect(&mut self, byte: u8, field: &'static str) -> Result<(), ReadError<E>> {
        if self.skip(byte)? {
            return Ok(());
        }
        let wanted = match byte {
            b'{' => "{",
            b'}' => "} or ,",
            b':' => ":",
            _ => "\"",
        };
        Err(self.error(field, "something else", wanted).into())
    }

    pub(super) fn end(&mut self) -> Result<(), ReadError<E>> {
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(self.error("end", "more", "nothing more").into()),
        }
    }

    /// The next byte of a string whose opening quote was already consumed, or `None` when the
    /// closing quote is consumed. An escape sequence is returned as its backslash, because neither
    /// the names nor the base64 that are expected here contain one.
    pub(super) fn in_string(&mut self, field: &'static str) -> Result<Option<u8>, ReadError<E>> {
        let byte = self.byte()?;
        if let Some(0x20..) = byte {
            self.used += 1;
        }
        match byte {
            Some(b'"') => Ok(None),
            Some(b'\\') if self.byte()?.is_some() => {
                self.used += 1;
                Ok(byte)
            }
            Some(b'\\') | None | Some(..0x20) => Err(self.error(field, "no end", "\"").into()),
            Some(_) => Ok(byte),
        }
    }

    /// Consumes a member's name and returns it if it is a single letter, otherwise `None`.
    pub(super) fn name(&mut self) -> Result<Option<u8>, ReadError<E>> {
        self.expect(b'"', "name")?;
        let (mut letter, mut letters) = (None, 0u64);
        while let Some(byte) = self.in_string("name")? {
            letter = Some(byte);
            letters += 1;
        }
        Ok(letter.filter(|_| letters == 1))
    }

    /// Consumes a whole number and returns it with its byte offset.
    pub(super) fn number(&mut self, field: &'static str) -> Result<(u64, u64), ReadError<E>> {
        let first = self.peek()?;
        let start = self.at();
        let mut number = Some(0u64);
        while let Some(digit @ b'0'..=b'9') = self.byte()? {
            let shifted = number.and_then(|n| n.checked_mul(10));
            number = shifted.and_then(|n| n.checked_add(u64::from(digit - b'0')));
            self.used += 1;
        }
        let digits = self.at() - start;
        let goes_on = matches!(self.byte()?, Some(b'.' | b'e' | b'E'));
        let padded = digits > 1 && first == Some(b'0');
        match number {
            Some(number) if digits > 0 && !goes_on && !padded => Ok((number, start)),
            _ => {
                let error = self.error(field, "something else", "a whole number below 2^64");
                Err(ReadError::Decode(ForeignDecodeError {
                    offset: start,
                    ..error
                }))
            }
        }
    }

    pub(super) fn within(
        &self,
        number: Option<(u64, u64)>,
        field: &'static str,
        max: u64,
        wanted: &'static str,
    ) -> Result<(u64, u64), ForeignDecodeError> {
        match number {
            None => Err(self.error(field, "nothing", wanted)),
            Some((number, offset)) if number == 0 || number > max => Err(ForeignDecodeError {
                offset,
                field,
                found: Term::Number(number.into()),
                wanted: Term::Words(wanted),
            }),
            Some(found) => Ok(found),
        }
    }

    /// Skips a JSON value of any type. Strings are parsed, brackets are only counted.
    pub(super) fn value(&mut self) -> Result<(), ReadError<E>> {
        let mut depth = 0u64;
        loop {
            let byte = self.peek()?;
            self.used += usize::from(byte.is_some());
            match byte {
                Some(b'"') => while self.in_string("value")?.is_some() {},
                Some(b'{' | b'[') => {
                    depth += 1;
                    continue;
                }
                Some(b'}' | b']') if depth > 0 => depth -= 1,
                Some(b',' | b':') if depth > 0 => continue,
                Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'+' | b'.') => {}
                _ => return Err(self.error("value", "something else", "a value").into()),
            }
            let next = self.byte()?;
            let literal = next.is_some_and(|byte| byte.is_ascii_alphanumeric());
            if depth == 0 && !literal && !matches!(next, Some(b'-' | b'+' | b'.')) {
                return Ok(());
            }
        }
    }
}
