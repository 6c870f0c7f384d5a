//! Formats errors: those of the operating system say what to do instead of their number.

use std::io::{self, ErrorKind};

/// The error as text, from what was tried to why it failed.
pub fn in_words(error: &anyhow::Error) -> String {
    let mut words: Vec<String> = Vec::new();
    for cause in error.chain() {
        let is_written = words
            .iter()
            .any(|words| words.contains("cannot write") || words.contains("cannot create"));
        let system = cause.downcast_ref::<io::Error>();
        words.push(match system {
            Some(error) => of_the_system(error, is_written),
            None => cause.to_string(),
        });
    }
    words.join(": ")
}

/// The most common cause of an error when reading or writing a path.
fn of_the_system(error: &io::Error, is_written: bool) -> String {
    let plain = match (error.kind(), is_written) {
        (ErrorKind::NotFound, false) => "there is no such file or folder; check the path",
        (ErrorKind::NotFound, true) => {
            "its folder is not there, or takes no files; make it, or name another"
        }
        (ErrorKind::IsADirectory, _) => "it is a folder; name a file",
        (ErrorKind::NotADirectory, _) => "a part of the path is a file; check the path",
        (ErrorKind::PermissionDenied, false) => "permission denied; check who may read it",
        (ErrorKind::PermissionDenied, true) => {
            "permission denied; name another, or check who may write there"
        }
        (ErrorKind::StorageFull, _) => "no space is left; make room, or name another place",
        (ErrorKind::InvalidData, false) if error.to_string().contains("UTF-8") => {
            "it is no text in UTF-8; name another file"
        }
        _ => {
            let words = error.to_string();
            return match words.split_once(" (os error ") {
                Some((words, _)) => format!("{}; check the path", words.to_lowercase()),
                None => words,
            };
        }
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, Result};

    use super::*;

    #[test]
    fn what_to_do_depends_on_what_was_tried() {
        let tried = |words: &'static str, kind: ErrorKind| {
            let error: Result<()> = Err(io::Error::from(kind)).context(words);
            in_words(&error.unwrap_err())
        };
        assert_eq!(
            tried("cannot read a", ErrorKind::NotFound),
            "cannot read a: there is no such file or folder; check the path"
        );
        assert!(tried("cannot write a", ErrorKind::NotFound).contains("make it"));
        assert!(tried("cannot write a", ErrorKind::StorageFull).contains("no space"));
        assert_eq!(
            in_words(&io::Error::from_raw_os_error(40).into()),
            "too many levels of symbolic links; check the path"
        );
        let other: Result<()> = Err(io::Error::other("odd")).context("cannot read a");
        assert_eq!(in_words(&other.unwrap_err()), "cannot read a: odd");
    }
}
