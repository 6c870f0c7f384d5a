//! A file of records that is not as it was written.

use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};
use csv::{DeserializeError, ErrorKind, Position};

/// What is wrong with the file, where, and what to do.
pub fn damaged(path: &Path, error: csv::Error) -> Error {
    let path = from_here(path).display().to_string();
    if error.is_io_error() {
        return Error::new(error).context(format!("cannot read {path}"));
    }
    let what = line_and_mistake(&error);
    anyhow!("{path}: {what}; take a copy that is whole, or measure again")
}

/// The line of a CSV, and what is wrong there.
pub fn line_and_mistake(error: &csv::Error) -> String {
    let line = error.position().map_or(1, Position::line);
    let what = match error.kind() {
        ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{expected_len} columns, and values for {len}"),
        ErrorKind::Utf8 { .. } => "no text in UTF-8".to_owned(),
        ErrorKind::Deserialize { err, .. } => in_words(err),
        kind => format!("{kind:?}"),
    };
    format!("line {line}: {what}")
}

/// With the column, counted from 1 on, where it is known.
fn in_words(error: &DeserializeError) -> String {
    match error.field() {
        Some(column) => format!("column {}: {}", column + 1, error.kind()),
        None => error.kind().to_string(),
    }
}

/// The path as seen from the working folder, if it is in there.
pub fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok());
    inside.unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_damage_says_where_it_is_and_what_to_do() {
        for (text, words) in [
            (&b"a,b\n1,2\n1\n"[..], "line 3: 2 columns, and values for 1"),
            (b"a,b\n1,x\n", "line 2: column 2: "),
            (b"a\n1\n", "line 2: "),
            (b"a,b\n1,\xff\n", "line 2: no text in UTF-8"),
        ] {
            #[derive(serde::Deserialize, Debug)]
            struct Pair {
                #[serde(rename = "a")]
                _a: u32,
                #[serde(rename = "b")]
                _b: u32,
            }
            let rows = csv::Reader::from_reader(text).into_deserialize::<Pair>();
            let rows: Result<Vec<Pair>, _> = rows.collect();
            let said = damaged(Path::new("/records/x.csv"), rows.unwrap_err()).to_string();
            let (first, end) = (
                "/records/x.csv: ",
                "; take a copy that is whole, or measure again",
            );
            assert!(said.starts_with(&format!("{first}{words}")), "{said}");
            assert!(said.ends_with(end), "{said}");
        }
    }
}
