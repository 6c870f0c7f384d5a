//! The folder that a run writes. It is written beside its final path (the target) and moved there
//! when complete. It replaces only files that this program wrote.

use std::{
    env,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::rows::{GATE_FILE, RUN_FILE, Run};

/// The prefix of the name of the temporary folder beside the target.
const ASIDE: &str = ".bouquet-";
/// The files that may be in a gate report or a baseline, which have no [`RUN_FILE`]. Only older
/// versions wrote `.bouquet-report`.
const OF_A_GATE: &str = "gate.json summary.md comment.md junit.xml benchmark.json history.html \
                         records/observations.csv records/tests.csv records/times.csv .bouquet-report";
/// The exit code of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// The folders that are being written. Locked while rows are written and while a folder is moved to
/// its target, so that Ctrl-C does not end the program meanwhile.
static AT_WORK: Mutex<Vec<AtWork>> = Mutex::new(Vec::new());

pub(crate) fn at_work() -> MutexGuard<'static, Vec<AtWork>> {
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder that is being written. It is inside a temporary folder, which is deleted when this
/// value is dropped.
pub(crate) struct AtWork {
    aside: TempDir,
    path: PathBuf,
    target: PathBuf,
    is_kept_if_interrupted: bool,
}

impl AtWork {
    /// Handles an interruption: if the folder is to be kept, moves it to its final path and returns
    /// that path.
    fn leave(mut self) -> Option<PathBuf> {
        self.is_kept_if_interrupted.then(|| {
            let kept = keep(&self.path, &self.target);
            self.aside.disable_cleanup(kept.is_err());
            kept.unwrap_or_else(|_| self.path.clone())
        })
    }
}

/// Makes Ctrl-C keep or delete the folders that are being written and then end the program.
pub fn catch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        let mut at_work = at_work();
        let kept: Vec<_> = at_work.drain(..).filter_map(AtWork::leave).collect();
        let what = match kept.first() {
            Some(kept) => format!("the records so far are in {}", kept.display()),
            None => "nothing was written".to_owned(),
        };
        let _ = writeln!(io::stderr(), "bouquet: interrupted; {what}");
        std::process::exit(INTERRUPTED);
    })
    .context("cannot catch Ctrl-C")
}

/// A folder that is being written. If it is dropped before [`commit`](Self::commit), it is deleted.
pub struct NewFolder {
    path: PathBuf,
}

impl NewFolder {
    /// Creates a temporary folder beside `target`. [`commit`](Self::commit) moves it to `target`.
    ///
    /// # Errors
    ///
    /// `target` cannot be replaced, or it contains files that this program did not write. Both are
    /// checked here, before anything is measured.
    pub fn begin(target: &Path) -> Result<Self> {
        let target = place(target)?;
        check(&target)?;
        let problem = || format!("cannot create {}", target.display());
        let aside = tempfile::Builder::new()
            .prefix(ASIDE)
            .tempdir_in(parent(&target));
        let aside = aside.with_context(problem)?;
        let path = aside.path().join(target.file_name().unwrap_or_default());
        fs::create_dir(&path).with_context(problem)?;
        at_work().push(AtWork {
            aside,
            path: path.clone(),
            target,
            is_kept_if_interrupted: false,
        });
        Ok(Self { path })
    }

    /// The path to write to before the folder is committed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the contents if the run is interrupted: at the target if nothing is there, else at
    /// `TARGET.interrupted`.
    pub fn keep_if_interrupted(&self) {
        for own in at_work().iter_mut().filter(|own| own.path == self.path) {
            own.is_kept_if_interrupted = true;
        }
    }

    fn take(&self, at_work: &mut Vec<AtWork>) -> Option<AtWork> {
        let own = at_work.iter().position(|own| own.path == self.path)?;
        Some(at_work.swap_remove(own))
    }

    /// Replaces the target by this folder.
    ///
    /// # Errors
    ///
    /// The folder cannot be moved to the target. Then the target is unchanged, and the new folder
    /// is kept beside it.
    pub fn commit(self) -> Result<()> {
        describe(&self.path)?;
        let mut at_work = at_work();
        let mut own = self.take(&mut at_work).context("the run was interrupted")?;
        put(&own.path, &own.target).map_err(|error| {
            own.aside.disable_cleanup(true);
            anyhow!("{error:#}; the new report is in {}", own.path.display())
        })
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        drop(self.take(&mut at_work()));
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

/// Moves the folder `new` to `target`. A folder that is at `target` already is moved to the path of
/// `new` or next to it.
fn put(new: &Path, target: &Path) -> Result<()> {
    check(target)?;
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
    let old = new.with_file_name("old");
    fs::rename(target, &old)?;
    fs::rename(new, target).inspect_err(|_| _ = fs::rename(&old, target))
}

/// Exchanges two folders atomically. Returns false if the system or the file system cannot do that.
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

/// Fails if `target` contains a file that this program did not write.
fn check(target: &Path) -> Result<()> {
    let mut there = Vec::new();
    if target.exists() {
        list(target, "", &mut there)
            .with_context(|| format!("cannot read {}", target.display()))?;
    }
    let ours = listed(target);
    let Some(name) = there.iter().find(|name| !ours.contains(name)) else {
        return Ok(());
    };
    let why = match ours.is_empty() {
        true => "nothing says that bouquet wrote it".to_owned(),
        false => "is no part of the report".to_owned(),
    };
    bail!(
        "cannot write to {}: {name:?} in it would be deleted, and {why}; move it away, or name \
         another folder",
        target.display()
    )
}

/// The files that this program wrote into a folder, according to the folder's own documents.
fn listed(folder: &Path) -> Vec<String> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let run = serde_json::from_str(&read(RUN_FILE)).unwrap_or_else(|_| Run::default());
    let gate: Value = serde_json::from_str(&read(GATE_FILE)).unwrap_or_default();
    match gate["$schema"].is_string() {
        _ if run.program == "bouquet" => run.files,
        true => OF_A_GATE.split(' ').map(str::to_owned).collect(),
        false => Vec::new(),
    }
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
    run.write(folder)
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
        Err(error) if error.kind() == io::ErrorKind::NotFound => return new(out),
        target => target.with_context(|| format!("cannot write to {name}"))?,
    };
    ensure!(
        target.is_dir(),
        "cannot write to {name}: it is a file; name a folder, a new one or a report's"
    );
    ensure!(
        env::current_dir().is_ok_and(|own| !own.starts_with(&target)),
        "cannot write to {name}: the report would replace the folder in which you are; run this in \
         another folder, or name another one with --out"
    );
    Ok(target)
}

fn new(out: &Path) -> Result<PathBuf> {
    let name = out.display();
    if let Ok(to) = fs::read_link(out) {
        bail!(
            "cannot write to {name}: it is a link to {to:?}, which does not exist; create the folder \
             {to:?}, or remove the link"
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

/// Creates a file in a new folder. Fails if the file exists; the error names the file.
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
