//! Ctrl-C: long-running work checks for it and stops.

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
/// The folder in which an interrupted run keeps its records.
static KEPT: OnceLock<PathBuf> = OnceLock::new();

/// The exit code of a program that Ctrl-C has ended.
pub const INTERRUPTED: u8 = 130;

/// The error that says that the user pressed Ctrl-C.
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

/// Asks the program to stop; returns whether it had been asked before.
pub(crate) fn ask() -> bool {
    STOP.swap(true, Ordering::Relaxed)
}

/// Sets the folder in which what was measured so far is kept.
pub(crate) fn kept(folder: PathBuf) {
    let _ = KEPT.set(folder);
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Fails if Ctrl-C was pressed.
pub fn go_on() -> Result<()> {
    anyhow::ensure!(!interrupted(), Interrupted);
    Ok(())
}

/// The same for loops that cannot return an error, mostly loops over keys: unwinds without a
/// message, up to [`until_interrupted`] or [`guarded`](crate::parallel::guarded).
pub fn go_on_or_unwind() {
    if interrupted() {
        panic::resume_unwind(Box::new(Interrupted));
    }
}

/// Runs `work`, which may unwind by [`go_on_or_unwind`], and turns that unwinding into an error.
pub fn until_interrupted<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|payload| match payload.downcast::<Interrupted>() {
        Ok(interrupted) => Err((*interrupted).into()),
        Err(payload) => panic::resume_unwind(payload),
    })
}
