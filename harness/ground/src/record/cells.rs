//! Cells as spreadsheets need them: text that begins as a formula would gets an
//! apostrophe before it, which they take for "this is text". Reading takes one away, so
//! that a record is read as it was.
//!
//! Numbers stay as they are. Text that begins with apostrophes and then as a formula gets
//! one more: otherwise nobody could know whose the first is.

use std::{
    borrow::Cow,
    io::{Read, Write},
};

use anyhow::Result;
use csv::{Reader, ReaderBuilder, StringRecord, Writer, WriterBuilder};
use serde::{Serialize, de::DeserializeOwned};

/// What a formula begins with, in wide characters for some, and what is skipped before it.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

fn is_formula(cell: &str) -> bool {
    cell.starts_with(FORMULA)
}

/// A cell as it is written.
pub fn guarded(cell: &str) -> Cow<'_, str> {
    match is_formula(cell.trim_start_matches('\'')) && cell.parse::<f64>().is_err() {
        true => format!("'{cell}").into(),
        false => cell.into(),
    }
}

/// A cell as it was before that.
fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest.trim_start_matches('\'')) => rest,
        _ => cell,
    }
}

/// Writes rows as CSV.
pub struct Cells<W: Write> {
    out: Writer<W>,
    /// The names of the columns come with the first row.
    is_begun: bool,
}

impl<W: Write> Cells<W> {
    pub fn new(to: W) -> Self {
        Self {
            out: WriterBuilder::new().has_headers(false).from_writer(to),
            is_begun: false,
        }
    }

    pub fn write<R: Serialize>(&mut self, rows: &[R]) -> Result<()> {
        let mut plain = WriterBuilder::new()
            .has_headers(!self.is_begun)
            .from_writer(Vec::new());
        rows.iter().try_for_each(|row| plain.serialize(row))?;
        let plain = plain.into_inner()?;
        let plain = ReaderBuilder::new()
            .has_headers(false)
            .from_reader(&plain[..]);
        for record in plain.into_records() {
            self.out
                .write_record(record?.iter().map(|cell| guarded(cell).into_owned()))?;
        }
        self.is_begun |= !rows.is_empty();
        Ok(())
    }

    pub fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    /// What was written to, after all is.
    pub fn into_inner(self) -> std::io::Result<W> {
        self.out.into_inner().map_err(|error| error.into_error())
    }
}

/// Reads rows that were so written, or by a version that wrote every cell as it was.
pub fn read<R: DeserializeOwned>(from: impl Read) -> csv::Result<Vec<R>> {
    let mut from = Reader::from_reader(from);
    let names = from.headers()?.clone();
    let row = |record: csv::Result<StringRecord>| {
        let record = record?;
        let mut cells: StringRecord = record.iter().map(unguarded).collect();
        cells.set_position(record.position().cloned());
        cells.deserialize(Some(&names))
    };
    from.into_records().map(row).collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Mixed {
        words: String,
        number: f64,
        maybe: Option<f64>,
    }

    fn mixed(words: &str) -> Mixed {
        Mixed {
            words: words.into(),
            number: -1.5,
            maybe: None,
        }
    }

    fn written(rows: &[Mixed]) -> String {
        let mut cells = Cells::new(Vec::new());
        for rows in rows.chunks(1) {
            cells.write(rows).unwrap();
        }
        String::from_utf8(cells.into_inner().unwrap()).unwrap()
    }

    const FORMULAS: [(&str, &str); 8] = [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("＝1", "'＝1"),
        ("'=1", "''=1"),
        ("''@", "'''@"),
    ];

    #[test]
    fn formulas_are_text_and_are_read_as_they_were() {
        for (words, cell) in FORMULAS {
            assert_eq!(guarded(words), cell);
            assert_eq!(unguarded(cell), words);
            let rows = [mixed(words), mixed("rose")];
            let text = written(&rows);
            assert!(
                text.starts_with(&format!("words,number,maybe\n{cell},-1.5,\n")),
                "{text}"
            );
            assert_eq!(read::<Mixed>(text.as_bytes()).unwrap(), rows);
        }
    }

    /// Numbers, and what no spreadsheet would compute.
    #[test]
    fn all_else_stays_as_it_is() {
        for words in [
            "",
            "rose",
            "'",
            "'tis",
            "a=b",
            "-1.5",
            "+3e-7",
            "–",
            "\u{2212}1",
        ] {
            assert_eq!(guarded(words), words);
            assert_eq!(unguarded(words), words);
            let rows = [mixed(words)];
            assert_eq!(read::<Mixed>(written(&rows).as_bytes()).unwrap(), rows);
        }
    }

    #[test]
    fn any_text_comes_back() {
        let parts = ["'", "=", "-", "1", "a", "\"", ",", "\r", "\n", " "];
        for number in 0..10_000_usize {
            let digits = [1, 10, 100, 1_000].map(|of| parts[number / of % 10]);
            let rows = [mixed(&digits.concat())];
            assert_eq!(read::<Mixed>(written(&rows).as_bytes()).unwrap(), rows);
        }
    }
}
