//! Files are replaced as a whole or not at all.

mod aside;

use std::{
    format,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use self::aside::{Aside, folder};
use crate::path;

/// Bytes that are buffered before they are passed to the system.
const BUFFER: usize = 1 << 16;

/// Saves as a file what `write` writes: the old one or, when this has returned, the
/// new one, never anything between, whatever happens to process or machine.
///
/// [`Encode::save`](crate::Encode::save), for anything else; what is
/// said there about links, devices, owner and mode applies here. Needs the feature `std`.
///
/// # Errors
///
/// Those of the file system and of `write`; the old file is unchanged, unless
/// syncing the folder failed: then it may be the new one.
pub fn save(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let path = path.as_ref();
    match place(path)? {
        Place::Into => write_into(path, write),
        Place::New => replace(path, None, write),
        Place::Instead(target, replaced) => replace(&target, Some(&replaced), write),
    }
}

/// Whether [`save`] can write this file, for whoever has long to work before that: a
/// temporary file is made beside it, and removed. Needs the feature `std`.
///
/// # Errors
///
/// Those that `save` would have. It can have others, if the disk is full by then.
pub fn check_save(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    match place(path)? {
        Place::Into => Ok(()),
        Place::New => Aside::create(path, true).map(drop),
        Place::Instead(target, _) => Aside::create(&target, true).map(drop),
    }
}

/// What a path leads to.
enum Place {
    New,
    /// A file, where it really is.
    Instead(PathBuf, Metadata),
    /// Anything that is no file.
    Into,
}

fn place(path: &Path) -> io::Result<Place> {
    let (path, there) = match fs::symlink_metadata(path) {
        // A link stays a link: its target is replaced.
        Ok(there) if there.is_symlink() => target(path)?,
        Ok(there) => (path.to_path_buf(), there),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Place::New),
        Err(error) => return Err(error),
    };
    if there.is_dir() {
        let error = io::ErrorKind::IsADirectory.into();
        return Err(path::named("write", &path, error));
    }
    Ok(if there.is_file() {
        Place::Instead(path, there)
    } else {
        Place::Into
    })
}

/// What a link leads to, and where that really is.
fn target(link: &Path) -> io::Result<(PathBuf, Metadata)> {
    let there = match fs::metadata(link) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let to = fs::read_link(link)?;
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("a link to {}, which does not exist", to.display()),
            ));
        }
        there => there?,
    };
    Ok((fs::canonicalize(link)?, there))
}

/// A device or a pipe, which is not a file that could be replaced.
fn write_into(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.is_file() {
        // It was not one a moment ago. Its tail would remain after the new bytes.
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    through_buffer(&file, write)
}

/// Writes a temporary file, syncs it, renames it, and syncs the folder.
fn replace(
    path: &Path,
    replaced: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut aside = Aside::create(path, replaced.is_some())?;
    through_buffer(&aside.file, write)?;
    // Last: one that may not be written to could not be removed after a kill.
    if let Some(replaced) = replaced {
        take_after(&aside.file, replaced)?;
    }
    aside.file.sync_all()?;
    aside.rename(path)?;
    sync_name(path, &aside.file)
}

fn through_buffer(
    file: &File,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, file);
    write(&mut out)?;
    out.flush()
}

/// Gives a file the mode of the one it replaces, and its owner and group where
/// the process may.
#[cfg(unix)]
fn take_after(file: &File, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let is_given = (own.uid(), own.gid()) == (replaced.uid(), replaced.gid())
        || fchown(file, Some(replaced.uid()), Some(replaced.gid())).is_ok();
    let mut mode = replaced.mode() & 0o7777;
    if !is_given {
        // With setuid or setgid it would run as another user or group.
        mode &= 0o777;
        // The group keeps its permissions only if the group itself is kept; otherwise it
        // gets no more than others have.
        if own.gid() != replaced.gid() && fchown(file, None, Some(replaced.gid())).is_err() {
            mode = (mode & !0o070) | ((mode & 0o007) << 3);
        }
    }
    // After the owner: changing it clears bits.
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_after(file: &File, replaced: &Metadata) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// Syncs the new name of a file to the disk. Only Unix can do that.
fn sync_name(path: &Path, file: &File) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder(path)) {
        // A folder that may be written but not listed: file systems in use write a file's new name to the
        // disk with the file.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => file.sync_all(),
        opened => opened?.sync_all(),
    }
}
