//! A copy before a file that another process writes: the same without a server.

use std::{
    fmt, fs, io,
    ops::Deref,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use bouquet_core::Key;
use bouquet_format::Document;

use super::Tiers;
use crate::key::{Takes, all_bytes_of};
use crate::{Error, Lost, Native, Result, scheme::sealed::Sealed};

/// How often a file is opened that is replaced again and again while it is.
const TRIES: u32 = 20;

/// A filter in a file that another process replaces as a whole, asked through a copy of it:
/// what `bouquet_format::save` and `bouquet remote dump` write.
///
/// As with a [`TieredFilter`](super::TieredFilter) what the copy has is answered at once; for
/// what it has not the file is looked at, or absence is good for as long as the caller
/// allows. A look is one question to the file system; a file in place of the old one is
/// opened, checked and asked.
///
/// ```no_run
/// use std::time::Duration;
///
/// use bouquet_redis::FileTier;
///
/// let mut filter = FileTier::read("seen.bouquet")?;
/// let may_be_present = filter.contains("rose")?;
/// let a_minute_ago = filter.contains_within("rose", Duration::from_secs(60))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FileTier<B = Vec<u8>> {
    path: PathBuf,
    open: Box<Open<B>>,
    copy: Copied<B>,
    /// When the copy was last known to be what the file is.
    looked: Instant,
    counts: Tiers,
}

type Open<B> = dyn Fn(&Path) -> io::Result<B> + Send;

/// A file as it was opened.
struct Copied<B> {
    bytes: B,
    stamp: Stamp,
    /// It was so new that the next one may have the same time.
    is_fresh: bool,
    scheme: Native,
}

/// What tells one file from the next of its name.
#[derive(Clone, PartialEq)]
struct Stamp {
    modified: Option<SystemTime>,
    len: u64,
    inode: Option<u64>,
}

impl Stamp {
    /// Whether a file written now may have it too: clocks of file systems are coarse.
    fn is_fresh(&self) -> bool {
        const COARSE: Duration = Duration::from_millis(100);
        let age = self.modified.map(|modified| modified.elapsed());
        // One from the future is of another clock, and tells nothing.
        !matches!(age, Some(Ok(age)) if age > COARSE)
    }
}

impl FileTier {
    /// With a copy in this process's own memory.
    ///
    /// # Errors
    ///
    /// As [`with`](Self::with).
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        Self::with(path, |path| fs::read(path))
    }
}

impl<B: Deref<Target = [u8]> + 'static> FileTier<B> {
    /// With a copy that `open` gives: a mapped file for all processes of the machine
    /// together, `|path| unsafe { bouquet_format::Mapped::open(path) }`, whose promise
    /// holds as long as the other process replaces the file and does not write into it.
    ///
    /// # Errors
    ///
    /// [`Error::FilterLost`] if there is no file; [`Error::Damaged`] for one that is no
    /// filter of the native scheme, or not whole.
    pub fn with(
        path: impl AsRef<Path>,
        open: impl Fn(&Path) -> io::Result<B> + Send + 'static,
    ) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let looked = Instant::now();
        let copy = opened(&path, &open)?;
        Ok(Self {
            path,
            open: Box::new(open),
            copy,
            looked,
            counts: Tiers::default(),
        })
    }

    /// Whether a key may be present; `false` is certain: the file there has it not.
    ///
    /// # Errors
    ///
    /// As [`with`](Self::with): a file that went or was damaged is no answer.
    pub fn contains<K: Key + ?Sized>(&mut self, key: &K) -> Result<bool> {
        self.contains_within(key, Duration::ZERO)
    }

    /// The same, and "definitely absent" may be as old as `max_age`.
    ///
    /// # Errors
    ///
    /// As [`contains`](Self::contains).
    pub fn contains_within<K: Key + ?Sized>(&mut self, key: &K, max_age: Duration) -> Result<bool> {
        Ok(self.within(&[Native::bytes_of(key)], max_age)?[0])
    }

    /// Asks for keys: one look at the file for all that the copy has not.
    ///
    /// # Errors
    ///
    /// As [`contains`](Self::contains).
    pub fn contains_batch_within<K: Key>(
        &mut self,
        keys: &[K],
        max_age: Duration,
    ) -> Result<Vec<bool>> {
        self.within(&all_bytes_of::<Native, _>(keys), max_age)
    }

    fn within(&mut self, keys: &[Vec<u8>], max_age: Duration) -> Result<Vec<bool>> {
        let mut all = self.copy.contains(keys)?;
        let absent = all.iter().filter(|found| !**found).count() as u64;
        let is_good = absent == 0 || !max_age.is_zero() && self.looked.elapsed() <= max_age;
        if is_good {
            self.counts.local += keys.len() as u64;
            return Ok(all);
        }
        self.counts.local += keys.len() as u64 - absent;
        self.counts.remote += absent;
        if self.refresh()? {
            all = self.copy.contains(keys)?;
        }
        Ok(all)
    }

    /// Looks whether there is another file, and opens it; whether one was opened.
    ///
    /// # Errors
    ///
    /// As [`contains`](Self::contains).
    pub fn refresh(&mut self) -> Result<bool> {
        let looked = Instant::now();
        let is_new = self.copy.is_fresh || stamp(&self.path)? != self.copy.stamp;
        if is_new {
            self.copy = opened(&self.path, &self.open)?;
        }
        self.looked = looked;
        Ok(is_new)
    }

    /// How long ago the copy was last known to be what the file is.
    pub fn age(&self) -> Duration {
        self.looked.elapsed()
    }

    /// Keys that the copy answered, and those for which the file was looked at.
    pub fn tiers(&self) -> Tiers {
        self.counts
    }
}

impl<B: Deref<Target = [u8]>> Copied<B> {
    fn contains<K: AsRef<[u8]>>(&self, keys: &[K]) -> Result<Vec<bool>> {
        let document = Document::open(&self.bytes).map_err(|error| damaged("", &error))?;
        let payload = document.record.payload;
        let has = |location: u64| {
            let byte = payload.get((location / 8) as usize);
            byte.is_some_and(|byte| byte >> (7 - location % 8) & 1 == 1)
        };
        let contains = |key: &K| {
            let mut is_there = true;
            self.scheme
                .visit(key.as_ref(), &mut |location| is_there &= has(location));
            is_there
        };
        Ok(keys.iter().map(contains).collect())
    }
}

/// The file of this name, whole.
fn opened<B: Deref<Target = [u8]> + 'static>(path: &Path, open: &Open<B>) -> Result<Copied<B>> {
    let name = path.display().to_string();
    let mut before = stamp(path)?;
    for _ in 0..TRIES {
        let bytes = open(path).map_err(|error| unreadable(path, &error))?;
        let after = stamp(path)?;
        if after != before {
            // It was replaced in between: which of the two was opened?
            before = after;
            continue;
        }
        let document = Document::open(&bytes).map_err(|error| damaged(&name, &error))?;
        document.verify().map_err(|error| damaged(&name, &error))?;
        let scheme = Native::of_header(&document.record.header);
        let scheme = scheme.map_err(|why| damaged(&name, &why))?;
        return Ok(Copied {
            bytes,
            is_fresh: after.is_fresh(),
            stamp: after,
            scheme,
        });
    }
    Err(damaged(&name, &"it is replaced all the time"))
}

fn stamp(path: &Path) -> Result<Stamp> {
    let there = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    #[cfg(unix)]
    let inode = Some(std::os::unix::fs::MetadataExt::ino(&there));
    #[cfg(not(unix))]
    let inode = None;
    Ok(Stamp {
        modified: there.modified().ok(),
        len: there.len(),
        inode,
    })
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    let name = path.display().to_string();
    if error.kind() == io::ErrorKind::NotFound {
        let how = Lost::Gone;
        return Error::FilterLost { name, how };
    }
    damaged(&name, error)
}

fn damaged(name: &str, why: &dyn fmt::Display) -> Error {
    Error::Damaged {
        name: name.to_owned(),
        why: why.to_string(),
    }
}

impl<B> fmt::Debug for FileTier<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileTier")
            .field("path", &self.path)
            .field("tiers", &self.counts)
            .finish_non_exhaustive()
    }
}
