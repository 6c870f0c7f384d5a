//! A report is written aside and put in place when it is whole: a full disk, an error,
//! Ctrl-C or a kill leaves what was there before. Only what the program wrote is ever
//! replaced or removed.

mod exchange;
mod handle;
mod listing;
mod lock;
mod marker;
mod metadata;
mod place;
mod workspace;

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
    time::Duration,
};

use anyhow::{Context, Result, anyhow};

pub use self::handle::named;
use self::{
    listing::Listing,
    place::{followed, place},
    workspace::{Workspace, abandon, clear},
};
use crate::{
    interrupt::{self, INTERRUPTED},
    unfinished::shown,
};

/// What there is to be removed, for whoever cannot wait.
static ASIDE: Mutex<Aside> = Mutex::new(Aside::Nothing);
/// What asks whether to go on stops well before; what does not, such as the sorting of many
/// keys, is not waited for.
const PATIENCE: Duration = Duration::from_millis(1_500);

enum Aside {
    Nothing,
    Making(PathBuf),
    /// A report takes its place, or has: that is waited for.
    Placing,
}

/// From here on Ctrl-C asks to stop instead of stopping; asked twice, it stops
/// at once, and asked once, when it has not stopped for a while. Either way nothing is left.
pub fn catch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        if interrupt::ask() {
            let aside = ASIDE.lock();
            end(aside.as_deref().unwrap_or(&Aside::Nothing));
        }
        // Where there is no thread for it, Ctrl-C is to be pressed twice.
        let _ = thread::Builder::new().spawn(|| {
            thread::sleep(PATIENCE);
            // Locked to the end, so that no report takes its place meanwhile.
            if let Ok(aside) = ASIDE.lock()
                && !matches!(*aside, Aside::Placing)
            {
                end(&aside);
            }
        });
    })
    .context("cannot catch Ctrl-C")
}

/// Stops at once.
fn end(aside: &Aside) -> ! {
    if let Aside::Making(folder) = aside {
        abandon(folder);
    }
    std::process::exit(INTERRUPTED.into());
}

/// Puts back a report that a killed run had moved away, where the system needs two
/// steps to replace it. For whoever reads one; who writes begins with it.
pub fn recover(path: &Path) {
    let path = followed(path);
    for missing in path.ancestors().take_while(|path| !path.exists()) {
        clear(missing);
    }
}

/// Whether a folder is one that the program wrote as a whole, and replaces.
pub fn is_report(folder: &Path) -> bool {
    folder.join(marker::MARKER).exists()
}

/// A folder in the making. Dropped before [`commit`](Self::commit) it is gone.
pub struct Staging {
    workspace: Workspace,
    report: PathBuf,
}

impl Staging {
    /// Begins a folder that is to become `target`, beside it.
    ///
    /// # Errors
    ///
    /// It cannot become that, or there is something in `target` that the program did
    /// not write: known before anything is measured.
    pub fn begin(target: &Path) -> Result<Self> {
        Self::begin_with(target, |_| Ok(()))
    }

    /// The same, for one whose first files are there already. They may be those of
    /// `target`, changed or not: they are kept.
    pub fn begin_with(target: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<Self> {
        recover(target);
        let target = place(target)?;
        clear(&target);
        let staging = Self::new(Workspace::create(&target)?);
        staging.make()?;
        fill(staging.path())?;
        marker::check(&target, &Listing::of(staging.path())?)?;
        Ok(staging)
    }

    /// Begins a folder that is to become none: for what is read again and then removed.
    ///
    /// # Errors
    ///
    /// Nothing can be written to the folder of temporary files.
    pub fn aside() -> Result<Self> {
        let folder = env::temp_dir();
        let folder = fs::canonicalize(&folder)
            .with_context(|| format!("cannot write to {}: see TMPDIR", folder.display()))?;
        let target = folder.join("bouquet");
        clear(&target);
        let staging = Self::new(Workspace::create(&target)?);
        staging.make()?;
        Ok(staging)
    }

    fn new(workspace: Workspace) -> Self {
        remember(Aside::Making(workspace.path().to_path_buf()));
        let report = workspace.report();
        Self { workspace, report }
    }

    fn make(&self) -> Result<()> {
        let name = shown(&self.report);
        fs::create_dir(&self.report).with_context(|| format!("cannot create {}", name.display()))
    }

    /// Where to write meanwhile.
    pub fn path(&self) -> &Path {
        &self.report
    }

    /// Puts the folder in place of what was there.
    ///
    /// # Errors
    ///
    /// It cannot be put there any more; then what was there stays, and the new one is
    /// beside it.
    pub fn commit(mut self) -> Result<()> {
        remember(Aside::Placing);
        let files = marker::mark(&self.report)?;
        if let Err(error) = self.workspace.put(&files) {
            return Err(match self.workspace.keep() {
                Some(kept) => anyhow!("{error:#}; the new report is in {}", kept.display()),
                None => error,
            });
        }
        let unsettled = "the report is written, but a power cut could bring the old one back";
        self.workspace.settle().context(unsettled)?;
        let left = "the report is written, but what it replaced could not be removed";
        self.workspace.finish().context(left)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Gone already after a commit; otherwise there is nobody to tell.
        let _ = self.workspace.finish();
        if let Ok(mut aside) = ASIDE.lock()
            && matches!(*aside, Aside::Making(_))
        {
            *aside = Aside::Nothing;
        }
    }
}

/// What is to be removed as a whole from here on, which the old report never is.
fn remember(aside: Aside) {
    if let Ok(mut kept) = ASIDE.lock() {
        *kept = aside;
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
