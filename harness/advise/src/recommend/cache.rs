//! Times that were measured before, by this program on this machine.

use std::{
    env, fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use bouquet_ground::machine;
use bouquet_ground::record::{TimeRow, in_csv, of_csv};

/// The file of one machine, program and set of keys.
pub struct Cache {
    path: Option<PathBuf>,
}

impl Cache {
    /// The file under the user's cache directory; none if there is no such
    /// directory.
    pub fn find(keys: &str) -> Self {
        let folder = env::var_os("XDG_CACHE_HOME")
            .filter(|folder| Path::new(folder).is_absolute())
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")));
        let path = folder.map(|folder| {
            let mut hasher = DefaultHasher::new();
            machine::facts().hash(&mut hasher);
            machine::memory().hash(&mut hasher);
            program().hash(&mut hasher);
            keys.hash(&mut hasher);
            let name = format!("times-{:016x}.csv", hasher.finish());
            folder.join("bouquet").join(name)
        });
        Self { path }
    }

    /// The rows in it; none if there is no such file. One that cannot be read
    /// is as none.
    pub fn read(&self) -> Vec<TimeRow> {
        let text = self.path.as_ref().and_then(|path| fs::read(path).ok());
        of_csv(&text.unwrap_or_default()).unwrap_or_default()
    }

    /// Puts rows in place of what was there, whole or not at all.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(&self, rows: &[TimeRow]) -> Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let folder = path.parent().unwrap_or(Path::new("."));
        let written = || -> Result<()> {
            fs::create_dir_all(folder)?;
            let csv = in_csv(rows)?;
            Ok(bouquet_format::save(path, |out| {
                out.write_all(csv.as_bytes())
            })?)
        };
        written().with_context(|| format!("cannot keep the times in {}", folder.display()))
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

/// The version, and the very file: a build of changed source has other times.
fn program() -> (&'static str, u64, Option<std::time::SystemTime>) {
    let file = env::current_exe().and_then(fs::metadata);
    let (length, time) = file.map_or((0, None), |file| (file.len(), file.modified().ok()));
    (env!("CARGO_PKG_VERSION"), length, time)
}
