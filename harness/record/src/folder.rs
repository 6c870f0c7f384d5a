//! A folder that a run writes. It is written beside its target and moved there when it is complete;
//! it replaces only files that this program wrote.

use std::{
    env,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    interrupt::{self, INTERRUPTED, Interrupted},
    rows::{GATE_FILE, RUN_FILE, Run},
};

/// The prefix of the name of the temporary folder beside the target.
const ASIDE: &str = ".bouquet-";
/// The files that a gate report or a baseline, which have no [`RUN_FILE`], may consist of.
const OF_A_GATE: [&str; 10] = [
    GATE_FILE,
    "README.md",
    "summary.md",
    "comment.md",
    "junit.xml",
    "benchmark.json",
    "records/observations.csv",
    "records/tests.csv",
    "records/times.csv",
    // Baselines of older versions have this file.
    ".bouquet-report",
];
/// How long Ctrl-C waits for the program to stop by itself. Loops that check for Ctrl-C stop much
/// sooner; after this time, work that does not check, such as sorting many keys, is cut off.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// The folders that are being written. Locked while one of them is moved to its target.
static AT_WORK: Mutex<Vec<AtWork>> = Mutex::new(Vec::new());

fn at_work() -> MutexGuard<'static, Vec<AtWork>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

struct AtWork {
    path: PathBuf,
    /// Where the folder is kept if the run is interrupted; if something is there already, the name
    /// gets the suffix `.interrupted`.
    kept: Option<PathBuf>,
}

impl AtWork {
    /// After an interruption, moves the folder to where it is to be kept, if anywhere. Returns
    /// false if that failed, so that the temporary folder must not be deleted.
    fn leave(&self) -> bool {
        let Some(target) = &self.kept else {
            return true;
        };
        let kept = keep(&self.path, target);
        let is_moved = kept.is_ok();
        interrupt::kept(kept.unwrap_or_else(|_| self.path.clone()));
        is_moved
    }
}

/// From now on, Ctrl-C asks the program to stop instead of ending it. A second Ctrl-C ends it at
/// once, and so does the first if the program has not stopped after `PATIENCE`.
pub fn catch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        if interrupt::ask() {
            end();
        }
        // If no thread can be started, the user has to press Ctrl-C twice.
        let _ = thread::Builder::new().spawn(|| {
            thread::sleep(PATIENCE);
            end();
        });
    })
    .context("cannot catch Ctrl-C")
}

/// Ends the program at once.
fn end() -> ! {
    let at_work = at_work();
    for folder in &*at_work {
        if folder.leave()
            && let Some(aside) = folder.path.parent()
        {
            let _ = fs::remove_dir_all(aside);
        }
    }
    let _ = writeln!(io::stderr(), "bouquet: {Interrupted}");
    std::process::exit(INTERRUPTED.into());
}

/// A folder that is being written. If it is dropped before [`commit`](Self::commit), it is deleted,
/// unless the run was interrupted and [it is to be kept then](Self::keep_if_interrupted).
pub struct NewFolder {
    aside: TempDir,
    path: PathBuf,
    target: PathBuf,
}

impl NewFolder {
    /// Creates a temporary folder beside `target`, which it is to replace.
    ///
    /// # Errors
    ///
    /// `target` cannot be replaced, or it contains files that this program did not write. That is
    /// checked here, before anything is measured.
    pub fn begin(target: &Path) -> Result<Self> {
        Self::begin_with(target, |_| Ok(()))
    }

    /// Like [`begin`](Self::begin), but `fill` first writes files into the new folder; `target` may
    /// contain files of the same names.
    pub fn begin_with(target: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<Self> {
        let target = place(target)?;
        let new = Self::within(parent(&target), &target)?;
        fill(&new.path)?;
        check(&target, &new.path)?;
        Ok(new)
    }

    /// Creates a temporary folder that replaces no other: its contents are read again and deleted.
    ///
    /// # Errors
    ///
    /// The folder for temporary files is not writable.
    pub fn aside() -> Result<Self> {
        let folder = env::temp_dir();
        Self::within(&folder, Path::new("report"))
            .with_context(|| format!("cannot write to {}: see TMPDIR", folder.display()))
    }

    fn within(folder: &Path, target: &Path) -> Result<Self> {
        let problem = || format!("cannot create {}", target.display());
        let aside = tempfile::Builder::new().prefix(ASIDE).tempdir_in(folder);
        let aside = aside.with_context(problem)?;
        let path = aside.path().join(target.file_name().unwrap_or_default());
        at_work().push(AtWork {
            path: path.clone(),
            kept: None,
        });
        let new = Self {
            aside,
            path,
            target: target.to_path_buf(),
        };
        fs::create_dir(&new.path).with_context(problem)?;
        Ok(new)
    }

    /// The path to write to before the folder is committed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the contents if the run is interrupted: at the target if nothing is there, else at
    /// `TARGET.interrupted`.
    pub fn keep_if_interrupted(&self) {
        for own in at_work().iter_mut().filter(|own| own.path == self.path) {
            own.kept = Some(self.target.clone());
        }
    }

    /// Replaces the target by this folder.
    ///
    /// # Errors
    ///
    /// The folder can no longer be moved to the target. Then the target is unchanged, and the new
    /// folder is kept beside it.
    pub fn commit(mut self) -> Result<()> {
        describe(&self.path)?;
        let mut at_work = at_work();
        let placed = put(&self.path, &self.target);
        at_work.retain(|own| own.path != self.path);
        drop(at_work);
        placed.map_err(|error| {
            self.aside.disable_cleanup(true);
            anyhow!("{error:#}; the new report is in {}", self.path.display())
        })
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        let mut at_work = at_work();
        if let Some(own) = at_work.iter().position(|own| own.path == self.path) {
            let own = at_work.swap_remove(own);
            if interrupt::interrupted() {
                self.aside.disable_cleanup(!own.leave());
            }
        }
    }
}

/// Keeps what an interrupted run has written; returns the path where it is.
fn keep(path: &Path, target: &Path) -> Result<PathBuf> {
    describe(path)?;
    let is_free = fs::read_dir(target).map_or(true, |mut there| there.next().is_none());
    let mut name = target.as_os_str().to_owned();
    if !is_free {
        name.push(".interrupted");
    }
    let to = PathBuf::from(name);
    put(path, &to)?;
    Ok(to)
}

/// Puts the folder `new` in the place of `target`. An old folder at `target` moves to the place of
/// `new` or beside it.
fn put(new: &Path, target: &Path) -> Result<()> {
    check(target, new)?;
    exchange(new, target).with_context(|| format!("cannot put the report in {}", target.display()))
}

fn exchange(new: &Path, target: &Path) -> io::Result<()> {
    let Ok(there) = fs::metadata(target) else {
        return fs::rename(new, target);
    };
    fs::set_permissions(new, there.permissions())?;
    if exchange_at_once(new, target)? {
        return Ok(());
    }
    let old = new.with_file_name(format!("{ASIDE}old"));
    fs::rename(target, &old)?;
    fs::rename(new, target).inspect_err(|_| {
        let _ = fs::rename(&old, target);
    })
}

/// Exchanges two folders in one step; false if the system or the file system cannot do that.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange_at_once(a: &Path, b: &Path) -> io::Result<bool> {
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
fn exchange_at_once(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Fails if `target` contains a file that this program did not write and that `new` does not
/// contain either.
fn check(target: &Path, new: &Path) -> Result<()> {
    let mut listed = listed(target);
    let is_ours = !listed.is_empty();
    if is_ours {
        list(new, "", &mut listed)?;
    }
    let mut there = Vec::new();
    match list(target, "", &mut there) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        read => read.with_context(|| format!("cannot read {}", target.display()))?,
    }
    let Some(name) = there.iter().find(|name| !listed.contains(name)) else {
        return Ok(());
    };
    let why = match is_ours {
        true => "is no part of the report".to_owned(),
        false => format!("no {RUN_FILE} says that bouquet wrote it"),
    };
    bail!(
        "cannot write to {}: {name:?} in it would be deleted, and {why}; move it away, or name \
         another folder",
        target.display()
    )
}

/// The files that this program wrote into a folder, according to the folder's own documents.
fn listed(folder: &Path) -> Vec<String> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let run = read(RUN_FILE).and_then(|text| serde_json::from_str::<Run>(&text).ok());
    match (run, read(GATE_FILE)) {
        (Some(run), _) if run.program == "bouquet" => run.files,
        (None, Some(gate)) if is_of_gate(&gate) => OF_A_GATE.map(str::to_owned).to_vec(),
        _ => Vec::new(),
    }
}

fn is_of_gate(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|gate| gate["$schema"].is_string())
}

/// Writes the list of the folder's files into its [`RUN_FILE`].
fn describe(folder: &Path) -> Result<()> {
    let path = folder.join(RUN_FILE);
    if !path.exists() {
        return Ok(());
    }
    let mut run: Run = serde_json::from_str(&fs::read_to_string(&path)?)?;
    run.files.clear();
    list(folder, "", &mut run.files)?;
    run.files.sort();
    let text = serde_json::to_string_pretty(&run)? + "\n";
    fs::write(&path, text).with_context(|| format!("cannot write {}", shown(&path).display()))
}

/// Adds the names of the files in `folder`, and of empty folders in it, to `files`.
fn list(folder: &Path, within: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (entry, before) = (entry?, files.len());
        let name = format!("{within}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        }
        if files.len() == before {
            files.push(name);
        }
    }
    Ok(())
}

/// The absolute path of the folder that `out` names, with links resolved, whether or not it exists.
/// Creates its parent if it is missing.
///
/// # Errors
///
/// No folder can be put there: `out` is a file, a link to nothing, or a folder that contains the
/// working directory.
fn place(out: &Path) -> Result<PathBuf> {
    let name = out.display();
    let target = match fs::canonicalize(out) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return new(out),
        Err(error) => return Err(error).with_context(|| format!("cannot write to {name}")),
    };
    ensure!(
        target.is_dir(),
        "cannot write to {name}: it is a file; name a folder, a new one or a report's"
    );
    ensure!(
        env::current_dir().is_ok_and(|own| !own.starts_with(&target)),
        "cannot write to {name}: a report is put there in place of the folder, and you are in it; \
         go to another folder, or name another one"
    );
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
        .and_then(|()| fs::canonicalize(parent))
        .map(|parent| parent.join(last))
        .with_context(|| format!("cannot create the folder {}", parent.display()))
}

/// The folder that contains `path`.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes a file of a new folder; the error names the file. Fails if the file exists.
pub fn write(path: &Path, text: &str) -> Result<()> {
    File::create_new(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", shown(path).display()))
}

/// The path that a file of a temporary folder will have after the commit.
pub fn shown(path: &Path) -> PathBuf {
    let is_aside = |part: &&std::ffi::OsStr| part.as_encoded_bytes().starts_with(ASIDE.as_bytes());
    path.iter().filter(|part| !is_aside(part)).collect()
}
