//! A report looks to others as the one that it replaces: it has its owner and its modes.

use std::{io, path::Path};

/// Gives what is at `new` and in it the owner of what is at the same place in `old`, where the
/// process may, and its mode; what is new there, the owner of the folder that it is in.
///
/// # Errors
///
/// The system rejects a mode.
#[cfg(unix)]
pub fn take_after(old: &Path, new: &Path) -> io::Result<()> {
    let there = std::fs::symlink_metadata(old)?;
    unix::take_after(old, new, &there)
}

#[cfg(not(unix))]
pub fn take_after(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::{
        fs::{self, Metadata, Permissions},
        io,
        os::unix::fs::{MetadataExt, PermissionsExt, lchown},
        path::Path,
    };

    /// `folder` is that of the old report in which the old file or folder is, or would be.
    pub fn take_after(old: &Path, new: &Path, folder: &Metadata) -> io::Result<()> {
        let own = fs::symlink_metadata(new)?;
        let there = fs::symlink_metadata(old).ok();
        // A link or another kind is replaced, not followed.
        let there = there.filter(|there| there.file_type() == own.file_type());
        let model = there.as_ref().unwrap_or(folder);
        if own.is_dir() {
            for entry in fs::read_dir(new)? {
                let entry = entry?;
                take_after(&old.join(entry.file_name()), &entry.path(), model)?;
            }
        }
        let is_given = (own.uid(), own.gid()) == (model.uid(), model.gid())
            || lchown(new, Some(model.uid()), Some(model.gid())).is_ok();
        let Some(there) = there else {
            return Ok(());
        };
        let mut mode = there.mode() & 0o7777;
        if !is_given {
            // With setuid or setgid it would be run, or filled, as another.
            mode &= 0o777;
            // Those of the group are for its members alone.
            if own.gid() != there.gid() && lchown(new, None, Some(there.gid())).is_err() {
                mode = (mode & !0o070) | ((mode & 0o007) << 3);
            }
        }
        if own.is_dir() {
            // To be moved, and emptied by the next run, it must be writable.
            mode |= 0o700;
        }
        fs::set_permissions(new, Permissions::from_mode(mode))
    }
}
