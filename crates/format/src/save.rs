//! Saves files completely or not at all.

mod aside;

use std::{
    format,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use self::aside::{Aside, folder};
use crate::path;

/// The number of bytes that are buffered before they are passed to the system.
const BUFFER: usize = 1 << 16;

/// Saves the output of `write` as a file. At any time the file is either the old one or, once
/// this has returned, the new one, and never a mixture, even if the process or the machine
/// crashes.
///
/// This is [`Encode::save`](crate::Encode::save) for other content; links, devices, owner and
/// mode are treated as described there. Needs the feature `std`.
///
/// # Errors
///
/// Those of the file system and of `write`; the old file is unchanged, unless syncing the
/// folder failed: then the new file may be in place.
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

/// Checks in advance whether [`save`] can write this file, for programs that first compute for
/// a long time: creates a temporary file beside it and removes it. Needs the feature `std`.
///
/// # Errors
///
/// Those that `save` would return now. `save` may fail with others later, for example if the
/// disk is full by then.
pub fn check_save(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    match place(path)? {
        Place::Into => Ok(()),
        Place::New => Aside::create(path, true).map(drop),
        Place::Instead(target, _) => Aside::create(&target, true).map(drop),
    }
}

/// What a path refers to.
enum Place {
    New,
    /// A regular file, with its path after links are resolved.
    Instead(PathBuf, Metadata),
    /// Something that is not a regular file.
    Into,
}

fn place(path: &Path) -> io::Result<Place> {
    let (path, there) = match fs::symlink_metadata(path) {
        // A symbolic link is kept: its target is replaced.
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

/// The resolved path and the metadata of a link's target.
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

/// Writes into a device or a pipe, which cannot be replaced like a file.
fn write_into(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.is_file() {
        // It was not a regular file a moment ago. Old bytes would remain after the new ones.
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
    // Done last: if the process were killed after that, a file without write permission could
    // not be removed by the next process.
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

/// Gives a file the mode of the file it replaces, and its owner and group if the process is
/// allowed to set them.
#[cfg(unix)]
fn take_after(file: &File, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let is_given = (own.uid(), own.gid()) == (replaced.uid(), replaced.gid())
        || fchown(file, Some(replaced.uid()), Some(replaced.gid())).is_ok();
    let mut mode = replaced.mode() & 0o7777;
    if !is_given {
        // With setuid or setgid the file would run as another user or group.
        mode &= 0o777;
        // The group permissions are kept only if the group itself is kept; otherwise the group
        // gets no more permissions than others.
        if own.gid() != replaced.gid() && fchown(file, None, Some(replaced.gid())).is_err() {
            mode = (mode & !0o070) | ((mode & 0o007) << 3);
        }
    }
    // Done after the owner is set, because changing the owner clears mode bits.
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_after(file: &File, replaced: &Metadata) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// Syncs the new name of a file to the disk, which is possible only on Unix.
fn sync_name(path: &Path, file: &File) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder(path)) {
        // The folder may be written but not read, so it cannot be synced. The usual file
        // systems write a file's new name to the disk when the file is synced.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => file.sync_all(),
        opened => opened?.sync_all(),
    }
}
