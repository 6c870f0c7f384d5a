//! Text in UTF-16 and UTF-32: its keys have other bytes than the same ones in UTF-8.

use anyhow::{Result, bail, ensure};

use super::begins;

/// The marks of encodings. That of UTF-32 begins as that of UTF-16 does.
const UTF_8: &[u8] = b"\xef\xbb\xbf";
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
const UTF_32: [&[u8]; 2] = [b"\xff\xfe\0\0", b"\0\0\xfe\xff"];
/// But the second of UTF-32, which may be two empty keys that end in NUL: nobody is kept waiting
/// for the rest of it.
pub(super) const MARKS: [&[u8]; 4] = [UTF_8, UTF_16[0], UTF_16[1], UTF_32[0]];
/// Bytes that text without a mark is known by: these at most, and as many at least.
pub(super) const LOOKED_AT: usize = 4_096;
const ENOUGH: usize = 8;
/// The same where not every other byte is a NUL.
const ENOUGH_OF_ANY_SCRIPT: usize = 24;

pub(super) fn reject_an_encoding(start: &[u8], end: u8) -> Result<()> {
    ensure!(
        !begins(start, UTF_8),
        "it begins with a byte-order mark, which would be part of the first key: take it out (tail \
         -c +4)"
    );
    let may_be = |mark: &[u8]| begins(start, mark) && (end != 0 || mark[0] != 0);
    if UTF_32.into_iter().any(may_be) {
        bail!("{}", of("UTF-32", "UTF-32", true));
    }
    if UTF_16.into_iter().any(may_be) {
        bail!("{}", of("UTF-16", "UTF-16", true));
    }
    if let Some(encoding) = unmarked(start).filter(|_| end != 0) {
        bail!("{}", of(&encoding[..6], encoding, false));
    }
    Ok(())
}

/// What it is, and what to do; what a mark alone shows may be a key of any bytes.
fn of(kind: &str, encoding: &str, is_marked: bool) -> String {
    let binary = match is_marked {
        true => "; binary keys go by --hex, where a command has it",
        false => "",
    };
    format!(
        "it is text in {kind}, whose keys have other bytes than in UTF-8: convert it (iconv -f \
         {encoding} -t UTF-8){binary}"
    )
}

/// Whether it may go on as text without a mark: worth waiting for.
pub(super) fn may_be_unmarked(start: &[u8]) -> bool {
    start.len() >= 2 && (is_wide_ascii(start).is_some() || of_any_script(start).is_some())
}

/// The encoding of what looks like UTF-16 or UTF-32 and has no mark.
fn unmarked(start: &[u8]) -> Option<&'static str> {
    // As long as it looks so more is waited for: a shorter start is a whole file.
    let is_odd = start.len() < LOOKED_AT && start.len() % 2 == 1;
    if start.len() < ENOUGH || is_odd {
        return None;
    }
    let of_any_script = || of_any_script(start).filter(|_| start.len() >= ENOUGH_OF_ANY_SCRIPT);
    is_wide_ascii(start).or_else(of_any_script)
}

/// UTF-16 in which every other byte is a NUL, and those between are text. Keys of any bytes
/// hardly look so.
fn is_wide_ascii(start: &[u8]) -> Option<&'static str> {
    let start = &start[..start.len().min(LOOKED_AT) / 2 * 2];
    let is_text = |byte: u8| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r');
    let is_of = |text: usize| {
        let mut pairs = start.chunks_exact(2);
        pairs.all(|pair| is_text(pair[text]) && pair[1 - text] == 0)
    };
    match (is_of(0), is_of(1)) {
        (true, _) => Some("UTF-16LE"),
        (_, true) => Some("UTF-16BE"),
        _ => None,
    }
}

/// The one in which all of it is text with an end of a line. That has a NUL in it, which no text
/// in UTF-8 has; where the rest is such text, its keys end in NUL.
fn of_any_script(start: &[u8]) -> Option<&'static str> {
    let start = &start[..start.len().min(LOOKED_AT) / 4 * 4];
    if is_utf_8_with_nul(start) {
        return None;
    }
    let two = |of: fn([u8; 2]) -> u16| {
        let units = start
            .chunks_exact(2)
            .map(move |unit| of([unit[0], unit[1]]));
        let mut all: Vec<Option<char>> = char::decode_utf16(units).map(Result::ok).collect();
        // Half of a character may be left over.
        let _ = all.pop_if(|last| last.is_none());
        all
    };
    let four = |of: fn([u8; 4]) -> u32| {
        let units = start.chunks_exact(4);
        let units = units.map(move |unit| of([unit[0], unit[1], unit[2], unit[3]]));
        units.map(char::from_u32).collect()
    };
    let all = [
        ("UTF-16LE", two(u16::from_le_bytes)),
        ("UTF-16BE", two(u16::from_be_bytes)),
        ("UTF-32LE", four(u32::from_le_bytes)),
        ("UTF-32BE", four(u32::from_be_bytes)),
    ];
    let found = all.iter().find(|(_, chars)| is_of_lines(chars))?;
    Some(found.0)
}

fn is_utf_8_with_nul(start: &[u8]) -> bool {
    let text = match std::str::from_utf8(start) {
        Ok(text) => text,
        // Cut in a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    // Pairs of NULs are in UTF-32 alone.
    text.chars().all(|c| c == '\0' || is_text(c)) && !text.contains("\0\0")
}

fn is_of_lines(chars: &[Option<char>]) -> bool {
    chars.contains(&Some('\n')) && chars.iter().all(|c| c.is_some_and(is_text))
}

/// No control, and none that Unicode keeps free.
fn is_text(c: char) -> bool {
    let is_free = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..);
    !is_free && (!c.is_control() || matches!(c, '\t' | '\n' | '\r'))
}
