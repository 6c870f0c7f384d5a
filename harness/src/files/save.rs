//! Files are replaced as a whole or not at all.

use std::{
    fs::{self, File, Permissions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

/// Writes a file through `write`: the old one stays until the new one is on the
/// disk. `-` is standard output; that and what is no regular file, a pipe say,
/// is written into.
///
/// # Errors
///
/// Those of the file system and of `write`; the old file is as it was.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let saved = if path.as_os_str() == "-" {
        into(io::stdout().lock(), write)
    } else {
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => File::create(path).and_then(|file| into(file, write)),
            there => replace(path, there.ok().map(|there| there.permissions()), write),
        }
    };
    saved.with_context(|| format!("cannot write {}", path.display()))
}

fn into(out: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    write(&mut out)?;
    out.flush()
}

/// Written aside, brought to the disk, renamed, and the folder brought to the
/// disk.
fn replace(
    path: &Path,
    permissions: Option<Permissions>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // A link stays one: what it leads to is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| PathBuf::from(path));
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let prefix = format!(".{}.", name.to_string_lossy());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What a new file gets; the user's mask is taken from it.
        builder.permissions(Permissions::from_mode(0o666));
    }
    let mut aside = builder.tempfile_in(folder)?;
    if let Some(permissions) = permissions {
        aside.as_file().set_permissions(permissions)?;
    }
    into(aside.as_file_mut(), write)?;
    aside.as_file().sync_all()?;
    aside.persist(path)?;
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Whether both names lead to one file that is there.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => false,
    }
}
