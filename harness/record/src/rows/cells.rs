//! Protects cells from spreadsheets, which execute text that begins like a formula: such text gets
//! an apostrophe in front, which marks it as text. Numbers stay as they are.

use std::borrow::Cow;

/// The characters that begin a formula, in half and full width, and white space, which spreadsheets
/// skip before one.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// The text of a cell as it is written.
pub fn guarded(cell: &str) -> Cow<'_, str> {
    match cell.starts_with(FORMULA) && cell.parse::<f64>().is_err() {
        true => format!("'{cell}").into(),
        false => cell.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_text_and_all_else_stays_as_it_is() {
        for (words, cell) in [
            ("=1+1", "'=1+1"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("＝1", "'＝1"),
        ] {
            assert_eq!(guarded(words), cell);
        }
        for words in ["", "rose", "'tis", "a=b", "-1.5", "+3e-7", "–", "\u{2212}1"] {
            assert_eq!(guarded(words), words);
        }
    }
}
