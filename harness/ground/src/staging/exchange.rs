//! One folder in the place of another: at once where the system can, else in two
//! steps.

use std::{fs, io, path::Path};

/// How a folder came in the place of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchanged {
    /// Both changed their names: there was no time without either.
    AtOnce,
    /// The old one was moved to the spare name, the new one to the place.
    InTwoSteps,
}

/// Puts `new` in the place of `target`. The old folder then has the name `new`, or
/// `spare` after [two steps](Exchanged::InTwoSteps).
///
/// # Errors
///
/// It cannot be done; all is as it was.
pub fn exchange(new: &Path, target: &Path, spare: &Path) -> io::Result<Exchanged> {
    if at_once(new, target)? {
        return Ok(Exchanged::AtOnce);
    }
    fs::rename(target, spare)?;
    if let Err(error) = fs::rename(new, target) {
        fs::rename(spare, target)?;
        return Err(error);
    }
    Ok(Exchanged::InTwoSteps)
}

/// As if [`exchange`] had not been.
pub fn undo(how: Exchanged, new: &Path, target: &Path, spare: &Path) -> io::Result<()> {
    if how == Exchanged::AtOnce {
        return at_once(new, target).map(|_| ());
    }
    fs::rename(target, new)?;
    fs::rename(spare, target)
}

/// False where system or file system cannot.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn at_once(a: &Path, b: &Path) -> io::Result<bool> {
    use rustix::{
        fs::{CWD, RenameFlags, renameat_with},
        io::Errno,
    };
    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn at_once(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}
