//! Errors in words: those of the system say what to do, and not their number.

use std::io::{self, ErrorKind};

/// What went wrong, from what was tried to why it failed.
pub fn in_words(error: &anyhow::Error) -> String {
    let mut words: Vec<String> = Vec::new();
    for cause in error.chain() {
        let is_written = words
            .iter()
            .any(|words| words.contains("cannot write") || words.contains("cannot create"));
        let system = cause.downcast_ref::<io::Error>();
        let plain = system.and_then(|error| of_the_system(error.kind(), is_written));
        words.push(plain.map_or_else(|| cause.to_string(), str::to_owned));
    }
    words.join(": ")
}

/// What is mostly wrong with a path, in either direction.
fn of_the_system(kind: ErrorKind, is_written: bool) -> Option<&'static str> {
    Some(match (kind, is_written) {
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
        _ => return None,
    })
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
        let other: Result<()> = Err(io::Error::other("odd")).context("cannot read a");
        assert_eq!(in_words(&other.unwrap_err()), "cannot read a: odd");
    }
}
