//! Base64 with the alphabet for addresses (`-` and `_`) and padding, RFC 4648
//! section 5.

use alloc::{string::String, vec::Vec};

use crate::{DecodeError, Term, read::reserved};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const FIELD: &str = "b, base64";

pub(super) fn encode(bytes: impl Iterator<Item = u8>, text: &mut String) {
    let mut bytes = bytes.fuse();
    while let Some(first) = bytes.next() {
        let (second, third) = (bytes.next(), bytes.next());
        let group = [0, first, second.unwrap_or(0), third.unwrap_or(0)];
        let group = u32::from_be_bytes(group);
        let digit = |at: u32| char::from(ALPHABET[(group >> at & 63) as usize]);
        text.push(digit(18));
        text.push(digit(12));
        text.push(second.map_or('=', |_| digit(6)));
        text.push(third.map_or('=', |_| digit(0)));
    }
}

/// The big-endian words that a text beginning at `offset` stands for, put
/// together as they come: no copy of the bytes is made.
pub(super) fn decode(text: &[u8], offset: u64) -> Result<Vec<u64>, DecodeError> {
    let error = |at: usize, found, wanted| DecodeError {
        offset: offset + at as u64,
        field: FIELD,
        found: Term::Words(found),
        wanted: Term::Words(wanted),
    };
    let (groups, rest) = text.as_chunks::<4>();
    if !rest.is_empty() {
        let at = text.len() - rest.len();
        return Err(error(at, "a part of one", "groups of four digits"));
    }
    let mut words = reserved(3 * groups.len() / 8, offset, FIELD)?;
    let (mut word, mut bytes) = (0u64, 0);
    for (i, group) in groups.iter().enumerate() {
        let last = i + 1 == groups.len();
        let (number, count) = decode_group(group, last)
            .map_err(|(at, found)| error(4 * i + at, found, "a digit of base64 for addresses"))?;
        for byte in &number.to_be_bytes()[1..=count] {
            word = word << 8 | u64::from(*byte);
            bytes += 1;
            if bytes % 8 == 0 {
                words.push(word);
            }
        }
    }
    if bytes % 8 != 0 {
        return Err(error(text.len(), "a part of one", "words of 8 bytes"));
    }
    Ok(words)
}

/// The bytes of four digits, as the low 24 bits of a number, and how many they
/// are; or what is wrong and at which digit.
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
    use super::*;

    /// The vectors of RFC 4648, section 10.
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
            let mut text = String::new();
            encode(plain.bytes(), &mut text);
            assert_eq!(text, coded);
        }
        let mut text = String::new();
        encode([0xfb, 0xff].into_iter(), &mut text);
        assert_eq!(text, "-_8=");
    }

    #[test]
    fn words_come_back() {
        for words in [0..0u64, 0..1, 0..2, 0..3, 0..100] {
            let words: Vec<u64> = words
                .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect();
            let mut text = String::new();
            encode(words.iter().flat_map(|word| word.to_be_bytes()), &mut text);
            assert_eq!(decode(text.as_bytes(), 0), Ok(words), "{text}");
        }
    }

    #[test]
    fn what_is_not_canonical_is_refused() {
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
            let error = decode(text.as_bytes(), 10).unwrap_err();
            assert_eq!(error.offset, 10 + at, "{text} {error}");
        }
    }
}
