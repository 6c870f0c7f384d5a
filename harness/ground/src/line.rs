//! Names on one line, whoever gave them.

/// Words on one line, without the control characters that a name may have: what is
/// fit for a terminal, and for a cell of any table.
pub fn clean(words: &str) -> String {
    words.chars().map(harmless).collect()
}

/// The character, or what stands for it: of those too that turn the direction of a line.
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

/// Whether it can be in a line as it is.
pub fn is_harmless(c: char) -> bool {
    harmless(c) == c
}
