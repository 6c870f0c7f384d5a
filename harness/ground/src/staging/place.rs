//! Where a folder is to go, or why it cannot, found before anything is measured.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};

/// The folder that `out` names, in full and behind links, there or not; its parent is
/// made if need be.
///
/// # Errors
///
/// No folder can be put there: it is a file, a link to nothing, the root, the folder
/// that the program was started in, or where a file system is mounted.
pub fn place(out: &Path) -> Result<PathBuf> {
    let name = out.display();
    let target = match fs::canonicalize(out) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return new(out),
        Err(error) => return Err(error).with_context(|| format!("cannot write to {name}")),
    };
    if !target.is_dir() {
        bail!("cannot write to {name}: it is a file; name a folder, a new one or a report's");
    }
    if target.parent().is_none() {
        bail!("cannot write to {name}: it is the root of all folders; name one in it");
    }
    if env::current_dir().is_ok_and(|own| own.starts_with(&target)) {
        bail!(
            "cannot write to {name}: a report is put there in place of the folder, and you are in \
             it; go to another folder, or name another one"
        );
    }
    if is_mount_point(&target) {
        bail!(
            "cannot write to {name}: it is a mount point, which no report can take the place of; \
             name a folder in it"
        );
    }
    Ok(target)
}

fn new(out: &Path) -> Result<PathBuf> {
    let name = out.display();
    if let Ok(to) = fs::read_link(out) {
        let to = to.display();
        bail!(
            "cannot write to {name}: it is a link to {to}, which is not there; make that folder, \
             or remove the link"
        );
    }
    let Some(last) = out.file_name() else {
        bail!("cannot write to {name}: it does not name a folder");
    };
    let parent = parent(out);
    fs::create_dir_all(parent)
        .with_context(|| format!("cannot create the folder {}", parent.display()))?;
    let parent = fs::canonicalize(parent)
        .with_context(|| format!("cannot write to the folder {}", parent.display()))?;
    Ok(parent.join(last))
}

/// The folder that something is in.
pub fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// What a path leads to, whether that is there or not.
pub fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // As many as Linux follows.
    for _ in 0..40 {
        let Ok(to) = fs::read_link(&path) else {
            break;
        };
        path = parent(&path).join(to);
    }
    path
}

/// What cannot be renamed or removed: the kernel says so of each, also where one file
/// system is mounted in itself.
#[cfg(target_os = "linux")]
pub fn is_mount_point(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let there = statx(
        CWD,
        path,
        AtFlags::SYMLINK_NOFOLLOW,
        StatxFlags::BASIC_STATS,
    );
    // Kernels before 5.8 do not say it.
    there.is_ok_and(|there| {
        let known = there.stx_attributes_mask & there.stx_attributes;
        known.contains(StatxAttributes::MOUNT_ROOT)
    })
}

#[cfg(all(unix, not(target_os = "linux")))]
pub fn is_mount_point(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::symlink_metadata(path).map(|there| there.dev()).ok();
    device(path) != device(parent(path))
}

#[cfg(not(unix))]
pub fn is_mount_point(_: &Path) -> bool {
    false
}
