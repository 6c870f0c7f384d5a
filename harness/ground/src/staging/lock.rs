//! Whether the run that made a folder is alive: it has a lock on a file in it.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    path::Path,
};

use super::handle::Handle;

/// The file in the folder.
pub const NAME: &str = "lock";
const WORDS: &str = "bouquet makes a report in this folder, and removes it at the next start\n";

/// Locks a new folder; none if it was cleared meanwhile.
pub fn new(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(NAME);
    let mut lock = match File::create_new(&path) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    // Where there are no locks nobody can have one, and clears nothing.
    if let Err(TryLockError::WouldBlock) = lock.try_lock() {
        return Ok(None);
    }
    if !is_at(&lock, &path) {
        return Ok(None);
    }
    lock.write_all(WORDS.as_bytes())?;
    Ok(Some(lock))
}

/// Whether a path is the name of this very file.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata().map(|own| (own.dev(), own.ino()));
    let there = fs::symlink_metadata(path).map(|there| (there.dev(), there.ino()));
    matches!((own, there), (Ok(own), Ok(there)) if own == there)
}

#[cfg(not(unix))]
pub fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// The lock in a folder whose run is dead; none if it is alive, if nobody can tell, or if
/// it is somebody's own folder. An empty one is removed, by its `name`: its run was killed
/// before it had a lock, or after.
pub fn of_the_dead(folder: &Handle, name: &Path) -> Option<File> {
    let path = folder.join(NAME);
    match fs::symlink_metadata(&path) {
        Ok(there) if there.is_file() => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let _ = fs::remove_dir(name);
            return None;
        }
        _ => return None,
    }
    let mut options = OpenOptions::new();
    let mut lock = options.read(true).write(true).open(&path).ok()?;
    lock.try_lock().ok()?;
    let mut words = String::new();
    lock.read_to_string(&mut words).ok()?;
    // A kill may have cut them.
    WORDS.starts_with(&words).then_some(lock)
}
