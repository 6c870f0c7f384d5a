//! A folder that a run writes. It is made aside, put in its place when it is whole, and replaces
//! only what the program wrote.

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
    record::{GATE_FILE, RUN_FILE, Run},
};

/// So begins the name of the folder beside the target in which it is made.
const ASIDE: &str = ".bouquet-";
/// What a report of the gate and a baseline, which have no [`RUN_FILE`], may consist of.
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
    // Of a baseline by an older version.
    ".bouquet-report",
];
/// What asks whether to go on stops well before; what does not, such as the sorting of many
/// keys, is not waited for.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Folders in the making. Locked while one of them takes its place.
static AT_WORK: Mutex<Vec<AtWork>> = Mutex::new(Vec::new());

fn at_work() -> MutexGuard<'static, Vec<AtWork>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

struct AtWork {
    path: PathBuf,
    /// Where it is kept if the run is interrupted, or beside that.
    kept: Option<PathBuf>,
}

impl AtWork {
    /// Keeps it after an interruption, if it is to be kept; false if it has to stay aside for
    /// that.
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

/// From here on Ctrl-C asks to stop instead of stopping; asked twice, it stops at once, and
/// asked once, when it has not stopped for a while.
pub fn catch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        if interrupt::ask() {
            end();
        }
        // Where there is no thread for it, Ctrl-C is to be pressed twice.
        let _ = thread::Builder::new().spawn(|| {
            thread::sleep(PATIENCE);
            end();
        });
    })
    .context("cannot catch Ctrl-C")
}

/// Stops at once.
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

/// A folder in the making. Dropped before [`commit`](Self::commit) it is gone, or kept if the run
/// was interrupted and [is to keep it](Self::keep_if_interrupted).
pub struct NewFolder {
    aside: TempDir,
    path: PathBuf,
    target: PathBuf,
}

impl NewFolder {
    /// Begins a folder that is to become `target`, beside it.
    ///
    /// # Errors
    ///
    /// It cannot become that, or there is something in `target` that the program did
    /// not write: known before anything is measured.
    pub fn begin(target: &Path) -> Result<Self> {
        Self::begin_with(target, |_| Ok(()))
    }

    /// The same, for one whose first files are there already: `target` may have them too.
    pub fn begin_with(target: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<Self> {
        let target = place(target)?;
        let new = Self::within(parent(&target), &target)?;
        fill(&new.path)?;
        check(&target, &new.path)?;
        Ok(new)
    }

    /// Begins a folder that is to become none: for what is read again and then removed.
    ///
    /// # Errors
    ///
    /// Nothing can be written to the folder of temporary files.
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

    /// Where to write meanwhile.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it stays if the run is interrupted: in the place of the target if there is
    /// nothing, else as `TARGET.interrupted`.
    pub fn keep_if_interrupted(&self) {
        for own in at_work().iter_mut().filter(|own| own.path == self.path) {
            own.kept = Some(self.target.clone());
        }
    }

    /// Puts the folder in place of what was there.
    ///
    /// # Errors
    ///
    /// It cannot be put there any more; then what was there stays, and the new one is
    /// beside it.
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

/// Keeps what an interrupted run has written; gives where.
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

/// Puts a folder in the place of another, which then is where the new one was.
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

/// False where system or file system cannot.
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

/// Fails if there is something in a folder that the program did not write, and that the new one
/// does not have.
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

/// The files that the program wrote into a folder, by what is in it.
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

/// Writes the files of the folder into its [`RUN_FILE`].
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

/// Adds the files of a folder, and folders that are empty.
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

/// The folder that `out` names, in full and behind links, there or not; its parent is
/// made if need be.
///
/// # Errors
///
/// No folder can be put there: it is a file, a link to nothing, or a folder that the program
/// was started in.
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

/// The folder that something is in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes a file of a new folder; the error names it. One that is there already is not its own.
pub fn write(path: &Path, text: &str) -> Result<()> {
    File::create_new(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", shown(path).display()))
}

/// A file of a folder in the making by where it will be.
pub fn shown(path: &Path) -> PathBuf {
    let is_aside = |part: &&std::ffi::OsStr| part.as_encoded_bytes().starts_with(ASIDE.as_bytes());
    path.iter().filter(|part| !is_aside(part)).collect()
}
