//! What no flags may ask for.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};

use super::Args;

pub fn check(args: &Args) -> Result<()> {
    for (flag, tolerance) in [
        ("--tolerance", args.tolerance),
        ("--tolerance-elsewhere", args.tolerance_elsewhere),
    ] {
        if !(tolerance > 1.0 && tolerance.is_finite()) {
            bail!("{flag} {tolerance}: give a factor above 1, such as 1.3");
        }
    }
    if place(args.out()) == place(&args.baseline) {
        bail!(
            "--out and --baseline are both {}: the report would take the place of the baseline",
            args.out().display()
        );
    }
    if args
        .reason
        .as_ref()
        .is_some_and(|reason| reason.trim().is_empty())
    {
        bail!("--reason: say why the figures may be what they are");
    }
    Ok(())
}

/// Where a folder is or will be, however it is written.
fn place(path: &Path) -> PathBuf {
    let whole = fs::canonicalize(path);
    whole.unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if parent.as_os_str().is_empty() => {
            place(Path::new(".")).join(name)
        }
        (Some(parent), Some(name)) => place(parent).join(name),
        _ => path.to_path_buf(),
    })
}
