//! Ctrl-C, which whatever takes long asks for, and stops there.

use std::{
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Result;

static STOP: AtomicBool = AtomicBool::new(false);
/// Where the records so far are kept.
static KEPT: OnceLock<PathBuf> = OnceLock::new();

/// The exit code of a program that Ctrl-C has ended.
pub const INTERRUPTED: u8 = 130;

/// Ctrl-C was pressed.
#[derive(Debug)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match KEPT.get() {
            None => f.write_str("interrupted; nothing was written"),
            Some(kept) => write!(
                f,
                "interrupted; the records so far are in {}",
                kept.display()
            ),
        }
    }
}

impl std::error::Error for Interrupted {}

/// Asks to stop; gives whether that was asked before.
pub(crate) fn ask() -> bool {
    STOP.swap(true, Ordering::Relaxed)
}

/// Where what was measured so far is kept.
pub(crate) fn kept(folder: PathBuf) {
    let _ = KEPT.set(folder);
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Fails once Ctrl-C was pressed.
pub fn go_on() -> Result<()> {
    anyhow::ensure!(!interrupted(), Interrupted);
    Ok(())
}

/// The same in loops that have no error to give, over keys above all: unwinds, and says
/// nothing, up to [`until_interrupted`] or [`guarded`](crate::parallel::guarded).
pub fn go_on_or_unwind() {
    if interrupted() {
        panic::resume_unwind(Box::new(Interrupted));
    }
}

/// Does what may end by [`go_on_or_unwind`], and makes an error of that.
pub fn until_interrupted<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|payload| match payload.downcast::<Interrupted>() {
        Ok(interrupted) => Err((*interrupted).into()),
        Err(payload) => panic::resume_unwind(payload),
    })
}
