//! Base64 with the URL-safe alphabet (`-` and `_`) and padding, RFC 4648 section 5.

use super::text::Text;
use crate::{ForeignDecodeError, ReadError, Term};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const FIELD: &str = "b, base64";

/// Encodes `bytes` and passes the text to `put`, four digits at a time.
pub(super) fn encode<E>(
    bytes: impl Iterator<Item = u8>,
    mut put: impl FnMut(&[u8; 4]) -> Result<(), E>,
) -> Result<(), E> {
    let mut bytes = bytes.fuse();
    while let Some(first) = bytes.next() {
        let (second, third) = (bytes.next(), bytes.next());
        let group = [0, first, second.unwrap_or(0), third.unwrap_or(0)];
        let group = u32::from_be_bytes(group);
        let digit = |at: u32| ALPHABET[(group >> at & 63) as usize];
        put(&[
            digit(18),
            digit(12),
            second.map_or(b'=', |_| digit(6)),
            third.map_or(b'=', |_| digit(0)),
        ])?;
    }
    Ok(())
}

/// Decodes the rest of a string as big-endian 64-bit words. Calls `put` with each word as soon as
/// it is complete, and with the number of bytes of text that are left after it.
pub(super) fn decode<E>(
    text: &mut Text<'_, '_, E>,
    mut put: impl FnMut(u64, u64) -> Result<(), ForeignDecodeError>,
) -> Result<(), ReadError<E>> {
    let error = |offset, found, wanted| ForeignDecodeError {
        offset,
        field: FIELD,
        found: Term::Words(found),
        wanted: Term::Words(wanted),
    };
    let (mut word, mut bytes) = (0u64, 0u64);
    loop {
        let at = text.at();
        let mut group = [0; 4];
        let mut digits = 0;
        while digits < 4
            && let Some(digit) = text.in_string(FIELD)?
        {
            group[digits] = digit;
            digits += 1;
        }
        match digits {
            0 if bytes % 8 == 0 => return Ok(()),
            0 => return Err(error(at, "a part of one", "words of 8 bytes").into()),
            1..4 => return Err(error(at, "a part of one", "groups of four digits").into()),
            _ => {}
        }
        let last = text.byte()? == Some(b'"');
        let (number, count) = decode_group(&group, last).map_err(|(digit, found)| {
            error(at + digit as u64, found, "a digit of base64 for addresses")
        })?;
        for byte in &number.to_be_bytes()[1..=count] {
            word = word << 8 | u64::from(*byte);
            bytes += 1;
            if bytes % 8 == 0 {
                put(word, text.left())?;
            }
        }
    }
}

/// Decodes four digits: returns their bytes in the low 24 bits of a number, and the number of
/// bytes. The error is the index of the wrong digit and a description of what is wrong.
fn decode_group(group: &[u8; 4], last: bool) -> Result<(u32, usize), (usize, &'static str)> {
    let padding = group.iter().rev().take_while(|digit| **digit == b'=');
    let padding = if last { padding.count().min(2) } else { 0 };
    let mut number = 0;
    for (at, digit) in group[..4 - padding].iter().enumerate() {
        let value = value(*digit).ok_or((at, "something else"))?;
        number |= value << (18 - 6 * at);
    }
    let cut = (1 << (8 * padding)) - 1;
    if number & cut != 0 {
        return Err((3 - padding, "one with bits that padding cuts off"));
    }
    Ok((number, 3 - padding))
}

fn value(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(value.into())
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec::Vec};
    use core::convert::Infallible;

    use super::*;
    use crate::read::all_of;

    fn encoded(bytes: impl Iterator<Item = u8>) -> String {
        let mut text = Vec::new();
        let Ok(()) = encode(bytes, |digits| {
            text.extend(digits);
            Ok::<(), Infallible>(())
        });
        String::from_utf8(text).unwrap()
    }

    /// Decodes a string to words. The first digit is at byte 1 of the text, after the quote.
    fn decoded(digits: &str) -> Result<Vec<u64>, ForeignDecodeError> {
        let mut words = Vec::new();
        all_of(format!("\"{digits}\"").as_bytes(), |reader| {
            let mut text = Text::new(reader);
            text.expect(b'"', "b")?;
            decode(&mut text, |word, _| {
                words.push(word);
                Ok(())
            })
        })?;
        Ok(words)
    }

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn known_answers() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encoded(plain.bytes()), coded);
        }
        assert_eq!(encoded([0xfb, 0xff].into_iter()), "-_8=");
    }

    #[test]
    fn words_come_back() {
        for words in [0..0u64, 0..1, 0..2, 0..3, 0..100] {
            let words: Vec<u64> = words
                .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect();
            let text = encoded(words.iter().flat_map(|word| word.to_be_bytes()));
            assert_eq!(decoded(&text), Ok(words), "{text}");
        }
    }

    #[test]
    fn what_is_not_canonical_is_rejected() {
        for (text, at) in [
            ("Zg", 0),
            ("Zm9vZg", 4),
            ("Zg=", 0),
            ("Zh==", 1),
            ("Zm9=", 2),
            ("Z===", 1),
            ("====", 0),
            ("Zg==Zm9v", 2),
            ("+_8=", 0),
            ("Zm9v/w==", 4),
            ("Zm\n9", 2),
            ("Zm9v", 4),
            ("AAAAAAAAAA==", 12),
        ] {
            let error = decoded(text).unwrap_err();
            assert_eq!(error.offset, 1 + at, "{text} {error}");
        }
    }
}
