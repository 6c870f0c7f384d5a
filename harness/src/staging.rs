//! A report is written aside and renamed into place when it is whole: a full
//! disk, an error or Ctrl-C leaves what was there before.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, Result, bail};

/// What a report consists of.
const PARTS: [&str; 10] = [
    "README.md",
    "benchmark.json",
    "charts",
    "comment.md",
    "gate.json",
    "index.html",
    "junit.xml",
    "machine.txt",
    "records",
    "summary.md",
];

static STOP: AtomicBool = AtomicBool::new(false);
/// The folder in the making, for whoever cannot wait.
static ASIDE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Ctrl-C was pressed.
#[derive(Debug)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted; nothing was written")
    }
}

impl std::error::Error for Interrupted {}

/// From here on Ctrl-C asks to stop instead of stopping; asked twice, it stops
/// at once. Either way nothing is left.
pub fn catch_interrupts() -> Result<()> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            if let Ok(aside) = ASIDE.lock()
                && let Some(aside) = aside.as_ref()
            {
                let _ = fs::remove_dir_all(aside);
            }
            std::process::exit(130);
        }
    })
    .context("cannot catch Ctrl-C")
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// A folder in the making. Dropped before [`commit`](Self::commit) it is gone.
pub struct Staging {
    aside: PathBuf,
    target: PathBuf,
}

impl Staging {
    /// Begins a folder that is to become `target`, beside it.
    pub fn begin(target: &Path) -> Result<Self> {
        // `.` and `..` have a name only in full.
        let target = &fs::canonicalize(target).unwrap_or_else(|_| target.to_path_buf());
        check_replaceable(target)?;
        let name = target
            .file_name()
            .with_context(|| format!("{} does not name a folder to write to", target.display()))?;
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent)
            .with_context(|| format!("cannot create the folder {}", parent.display()))?;
        let aside = parent.join(beside(&name.to_string_lossy(), "tmp"));
        fs::create_dir(&aside)
            .with_context(|| format!("cannot write to the folder {}", parent.display()))?;
        if let Ok(mut kept) = ASIDE.lock() {
            *kept = Some(aside.clone());
        }
        Ok(Self {
            aside,
            target: target.to_path_buf(),
        })
    }

    /// Where to write meanwhile.
    pub fn path(&self) -> &Path {
        &self.aside
    }

    /// Puts the folder in place of what was there.
    pub fn commit(self) -> Result<()> {
        let moved = |from: &Path, to: &Path| {
            fs::rename(from, to)
                .with_context(|| format!("cannot rename {} to {}", from.display(), to.display()))
        };
        let name = self
            .target
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let old = self.target.with_file_name(beside(&name, "old"));
        let replaces = self.target.exists();
        if replaces {
            moved(&self.target, &old)?;
        }
        if let Err(error) = moved(&self.aside, &self.target) {
            if replaces {
                moved(&old, &self.target)?;
            }
            return Err(error);
        }
        if replaces {
            fs::remove_dir_all(&old)
                .with_context(|| format!("cannot remove the old report {}", old.display()))?;
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Gone already after a commit; otherwise there is nobody to tell.
        let _ = fs::remove_dir_all(&self.aside);
    }
}

fn beside(name: &str, kind: &str) -> String {
    format!(".{name}.{kind}-{}", std::process::id())
}

/// Refuses to replace a folder with anything in it that is no part of a report:
/// whoever mistypes `--out` must not lose it.
fn check_replaceable(target: &Path) -> Result<()> {
    let entries = match fs::read_dir(target) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => {
            return Err(e).with_context(|| format!("cannot write to {}", target.display()));
        }
    };
    for entry in entries {
        let name = entry
            .with_context(|| format!("cannot read {}", target.display()))?
            .file_name();
        if !PARTS.iter().any(|part| name == *part) {
            bail!(
                "{} has {name:?} in it, which is no part of a report and would be lost; move it \
                 away or name another folder",
                target.display()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("bouquet-staging-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn nothing_is_left_of_a_folder_that_was_given_up() {
        let root = folder("dropped");
        drop(Staging::begin(&root.join("report")).unwrap());
        assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_commit_replaces_a_report_whole() {
        let root = folder("replaced");
        let target = root.join("report");
        for text in ["old", "new"] {
            let staging = Staging::begin(&target).unwrap();
            fs::create_dir(staging.path().join("records")).unwrap();
            fs::write(staging.path().join("records/run.csv"), text).unwrap();
            fs::write(staging.path().join("README.md"), text).unwrap();
            staging.commit().unwrap();
        }
        assert_eq!(fs::read_to_string(target.join("README.md")).unwrap(), "new");
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn what_is_no_report_is_not_replaced() {
        let root = folder("foreign");
        fs::write(root.join("letter"), "dear").unwrap();
        let error = Staging::begin(&root).err().unwrap().to_string();
        assert!(error.contains("no part of a report"), "{error}");
        let error = Staging::begin(&root.join("letter"))
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("letter"), "{error}");
        fs::remove_dir_all(root).unwrap();
    }
}
