//! Files of text that users name: no more is read of one than such a file has.

use std::{fs::File, io::Read, path::Path};

use anyhow::{Context, Result, ensure};

/// The text of a file of so many MiB at most; a pipe is one too.
///
/// # Errors
///
/// Those of the file, one that is larger, and bytes that are no text.
pub fn of_at_most(mebibytes: u64, path: &Path) -> Result<String> {
    read(mebibytes, File::open(path)?)
}

fn read(mebibytes: u64, file: impl Read) -> Result<String> {
    let most = mebibytes << 20;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    ensure!(
        bytes.len() as u64 <= most,
        "it has more than {mebibytes} MiB, as no such file has"
    );
    String::from_utf8(bytes).context("it is not UTF-8")
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn error(file: impl Read) -> String {
        read(1, file).unwrap_err().to_string()
    }

    #[test]
    fn a_file_without_end_is_none() {
        let wanted = "it has more than 1 MiB, as no such file has";
        assert_eq!(error(io::repeat(0)), wanted);
    }

    #[test]
    fn the_largest_is_read_and_one_that_is_larger_by_half_a_letter_is_not() {
        let mut file = "a".repeat(1 << 20);
        assert_eq!(read(1, file.as_bytes()).unwrap(), file);
        file.pop();
        file.push('é');
        assert!(error(file.as_bytes()).contains("more than 1 MiB"));
    }

    #[test]
    fn bytes_that_are_no_text_are_an_error() {
        assert_eq!(error(&[0xff][..]), "it is not UTF-8");
    }
}
