//! Files are replaced as a whole or not at all.

use std::{
    ffi::OsString,
    format,
    fs::{self, File, Metadata, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    process,
    string::String,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::path;

/// Bytes that are buffered before they are passed to the system.
const BUFFER: usize = 1 << 16;
/// A longer name is shortened in that of the temporary file: a name has up to 255 bytes.
const LONGEST: usize = 200;

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
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => {
            let error = io::ErrorKind::IsADirectory.into();
            Err(path::named("write", path, error))
        }
        // A link stays a link: its target is replaced.
        Ok(there) if there.is_file() => replace(&fs::canonicalize(path)?, Some(&there), write),
        Ok(_) => write_into(path, write),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(path) {
            Ok(to) => Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("a link to {}, which does not exist", to.display()),
            )),
            Err(_) => replace(path, None, write),
        },
        Err(error) => Err(error),
    }
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
    if let Some(replaced) = replaced {
        take_after(&aside.file, replaced)?;
    }
    through_buffer(&aside.file, write)?;
    aside.file.sync_all()?;
    fs::rename(&aside.path, path)?;
    aside.renamed = true;
    sync_folder(path)
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

/// A temporary file beside its target; removed unless it was renamed.
struct Aside {
    path: PathBuf,
    file: File,
    renamed: bool,
}

impl Aside {
    /// A new file; readable by its owner alone at first if it gets another's mode.
    fn create(path: &Path, is_private: bool) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Some(name) = path.file_name() else {
            let error = io::ErrorKind::InvalidInput.into();
            return Err(path::named("write", path, error));
        };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if is_private {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        #[cfg(not(unix))]
        let _ = is_private;
        loop {
            let mut aside = OsString::from(".");
            if name.len() <= LONGEST {
                aside.push(name);
            } else {
                aside.push(name.to_string_lossy().chars().take(40).collect::<String>());
            }
            let number = NEXT.fetch_add(1, Relaxed);
            aside.push(format!(".{}-{number}.tmp", process::id()));
            let path = path.with_file_name(aside);
            match options.open(&path) {
                Ok(file) => {
                    return Ok(Self {
                        path,
                        file,
                        renamed: false,
                    });
                }
                // Left by a killed process of this number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.renamed {
            // A failure during the cleanup of another cannot be handled.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Syncs a folder's changes of names to the disk. Only Unix can do that.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}
