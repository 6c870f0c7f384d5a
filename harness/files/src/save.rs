//! Files are replaced as a whole or not at all.

use std::{
    fs::{self, File},
    io::{self, IsTerminal, Write},
    path::{Path, is_separator},
};

use anyhow::{Context, Result, bail};

/// Writes a file through `write`, as [`bouquet_format::save`] does: the old one
/// stays until the new one is on the disk, links stay links, and a device or a pipe is
/// written into. `-` is standard output.
///
/// # Errors
///
/// Those of the file system and of `write`; the old file is as it was.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let saved = if path.as_os_str() == "-" {
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(&mut out).and_then(|()| out.flush())
    } else {
        bouquet_format::save(path, write)
    };
    saved.with_context(|| match path.as_os_str() == "-" {
        true => "cannot write to standard output".into(),
        false => format!("cannot write {}", path.display()),
    })
}

/// Checks that a file can be saved there, for whoever has long to work before that.
///
/// # Errors
///
/// It cannot, or it would be written to a terminal.
pub fn check_save(path: &Path) -> Result<()> {
    let shown = path.display();
    if path.as_os_str() == "-" {
        if io::stdout().is_terminal() {
            bail!(
                "-o -: a terminal does not show a filter's bytes; name a file, or send them on: | or >"
            );
        }
        return Ok(());
    }
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => {
            bail!("cannot write {shown}: it is a folder; name a file in it")
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let bytes = path.as_os_str().as_encoded_bytes();
            if bytes
                .last()
                .is_some_and(|last| is_separator((*last).into()))
            {
                bail!("cannot write {shown}: by its last slash it is a folder; name a file");
            }
            if fs::symlink_metadata(path).is_ok() {
                bail!("cannot write {shown}: it is a link to nothing; name a file");
            }
        }
        Err(error) => {
            return Err(error).with_context(|| format!("cannot write {shown}"));
        }
        _ => {}
    }
    bouquet_format::check_save(path).with_context(|| format!("cannot write {shown}"))
}

/// Whether both names lead to one file that is there.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => false,
    }
}

/// Whether a file is what is read as standard input.
#[cfg(unix)]
pub fn is_standard_input(path: &Path) -> bool {
    use std::os::{fd::AsFd, unix::fs::MetadataExt};
    let input = || File::from(io::stdin().as_fd().try_clone_to_owned()?).metadata();
    match (input(), fs::metadata(path)) {
        (Ok(input), Ok(file)) => {
            input.is_file() && (input.dev(), input.ino()) == (file.dev(), file.ino())
        }
        _ => false,
    }
}

/// Elsewhere a file that is being read cannot be written.
#[cfg(not(unix))]
pub fn is_standard_input(_: &Path) -> bool {
    false
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_file_can_be_saved_to_is_said_to_be_what_it_is() {
        let folder = std::env::temp_dir().join(format!("bouquet-save-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let link = |name: &str, to: &str| {
            let _ = fs::remove_file(folder.join(name));
            std::os::unix::fs::symlink(to, folder.join(name)).unwrap();
        };
        link("loop", "loop");
        link("nothing", "gone");
        fs::write(folder.join("file"), "").unwrap();
        for (name, words) in [
            ("new/", "by its last slash it is a folder"),
            ("", "it is a folder; name a file in it"),
            ("nothing", "it is a link to nothing"),
            ("loop", "evels of symbolic links"),
            ("file/", "ot a directory"),
        ] {
            let error = format!("{:#}", check_save(&folder.join(name)).unwrap_err());
            assert!(error.contains(words), "{name}: {error}");
        }
        check_save(&folder.join("file")).unwrap();
        check_save(&folder.join("new")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
