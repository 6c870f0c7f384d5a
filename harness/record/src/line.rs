//! Makes names from any source safe to print on one line.

/// Replaces control characters, so that a name fits on one line of a terminal or in a table cell.
pub fn clean(words: &str) -> String {
    words.chars().map(harmless).collect()
}

/// The character itself, or a replacement for control characters and for characters that change the
/// direction of text.
pub fn harmless(c: char) -> char {
    match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            '\u{fffd}'
        }
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

/// Whether the character can be printed unchanged.
pub fn is_harmless(c: char) -> bool {
    harmless(c) == c
}
