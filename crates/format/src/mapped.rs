//! Files mapped into memory, loaded page by page as they are used.

#![allow(
    unsafe_code,
    reason = "only the caller can know that nobody writes into the file"
)]

use std::{
    collections::BTreeMap,
    io,
    ops::Deref,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use memmap2::Mmap;

use crate::path;

/// The bytes of a file, mapped: for a [`View`](crate::View) of a filter that is
/// larger than the memory, or that many processes share. By the feature `mmap`, which the
/// crate of each filter has too.
///
/// ```ignore
/// use bouquet::{Mapped, StandardBloom, StandardView, View};
///
/// StandardBloom::from_keys(["rose", "tulip"], 1e-6)?.save(&path)?;
/// // SAFETY: nobody writes into the file; whoever changes the filter saves another.
/// let mapped = unsafe { Mapped::open(&path) }?;
/// let view: StandardView<'_> = View::open(&mapped)?;
/// assert!(view.contains("rose") && !view.contains("lily"));
/// ```
///
/// (That is one of the programs of new users that are tests of the crate `bouquet`.)
///
/// # Contract
///
/// - **The file does not change while it is mapped**: what [`open`](Self::open) asks for, and
///   what no program can check. Files that are only ever [saved](crate::Encode::save) keep it.
/// - Nothing is read before it is asked for. [`View::open`](crate::View::open) reads the header
///   and checks that the file has the length that it says; each answer then reads the pages of
///   its probes. The checksum, which would read all of it, is checked by
///   [`View::verify`](crate::View::verify) alone.
/// - An answer reads the pages of its probes alone: the system knows that access is at random.
///   [`View::verify`](crate::View::verify) and [`Decode::decode`](crate::Decode::decode) of its bytes, which go
///   through all of them, have it read ahead till they are done; what else does takes
///   [`read_ahead`](Self::read_ahead), and without it some twenty times as long where the file is not cached.
/// - A file that another program cuts shorter all the same, a disk that fails, or a network file
///   that is gone, shows as a signal (`SIGBUS`) at the access, not as an error. Where that must
///   not happen, `load` the filter.
/// - It can be sent to and shared by threads, and is unmapped when it is dropped. What the
///   file system does with the path meanwhile, also deleting it, does not matter on Unix; on
///   Windows a mapped file can be neither deleted nor replaced.
#[derive(Debug)]
pub struct Mapped(Arc<Map>);

#[derive(Debug)]
struct Map {
    bytes: Mmap,
    /// Passes over all of it that are under way.
    passes: Mutex<u32>,
}

/// The maps that there are: a pass knows the bytes that it goes through, not what they are of.
/// By where they begin.
static MAPS: Mutex<BTreeMap<usize, Weak<Map>>> = Mutex::new(BTreeMap::new());

/// Fewer bytes are read as fast without: the system reads about as many at once.
const SHORT: usize = 1 << 17;

/// What a panic elsewhere left is a number or a list all the same.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the system read a map ahead till this is dropped, as by [`Mapped::read_ahead`].
#[derive(Debug)]
pub struct ReadAhead(Arc<Map>);

impl ReadAhead {
    fn of(map: Arc<Map>) -> Self {
        map.passes(|passes| passes + 1);
        Self(map)
    }

    /// For a pass over these bytes, if they are those of a map.
    pub(crate) fn over(bytes: &[u8]) -> Option<Self> {
        if bytes.len() < SHORT {
            return None;
        }
        let first = bytes.as_ptr();
        let last = |maps: MutexGuard<'_, BTreeMap<_, Weak<Map>>>| {
            let (_, map) = maps.range(..=first.addr()).next_back()?;
            Some(map.clone())
        };
        let last_before = last(locked(&MAPS))?;
        // Not under the lock: the last one of a map takes it.
        let map = last_before.upgrade()?;
        map.bytes
            .as_ptr_range()
            .contains(&first)
            .then(|| Self::of(map))
    }
}

impl Drop for ReadAhead {
    fn drop(&mut self) {
        self.0.passes(|passes| passes - 1);
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // Before its bytes are unmapped, and another map can begin there.
        locked(&MAPS).remove(&self.begin());
    }
}

impl Map {
    fn begin(&self) -> usize {
        self.bytes.as_ptr().addr()
    }

    /// Changes the number of passes, and what the system knows of them.
    fn passes(&self, change: impl FnOnce(u32) -> u32) {
        let mut passes = locked(&self.passes);
        *passes = change(*passes);
        // Where the system takes no advice, it reads as it does. By `Sequential` a pass takes twice as long:
        // Linux 6.18 reads nothing ahead of what follows a page that is there already, as the header's is.
        #[cfg(unix)]
        let _ = self.bytes.advise(match *passes {
            0 => memmap2::Advice::Random,
            _ => memmap2::Advice::Normal,
        });
    }
}

impl Mapped {
    /// Maps a file for reading.
    ///
    /// # Errors
    ///
    /// Those of the operating system, with the path; also for a folder.
    ///
    /// # Safety
    ///
    /// Nobody, in this process or another, writes into the file or truncates it while
    /// it is mapped: its bytes would change behind a shared reference, and a page
    /// that is no longer there ends the process. [`save`](crate::Encode::save)
    /// does neither: it puts another file in its place, and the mapped one stays
    /// unchanged until it is dropped.
    pub unsafe fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let mapped = path::open(path).and_then(|file| {
            // SAFETY: our caller promises that the file does not change.
            unsafe { Mmap::map(&file) }
        });
        let bytes = mapped.map_err(|error| path::named("map", path, error))?;
        let passes = Mutex::new(0);
        let map = Arc::new(Map { bytes, passes });
        map.passes(|none| none);
        locked(&MAPS).insert(map.begin(), Arc::downgrade(&map));
        Ok(Self(map))
    }

    /// Has the system read ahead as long as what this returns is there: for whatever goes through all
    /// bytes, as the statistics of a view do, or a copy.
    #[must_use]
    pub fn read_ahead(&self) -> ReadAhead {
        ReadAhead::of(self.0.clone())
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0.bytes
    }
}
