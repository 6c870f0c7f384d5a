//! Memory-mapped files, which are loaded page by page as they are accessed.

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

/// The bytes of a memory-mapped file: for a [`View`](crate::View) of a filter that is larger
/// than the memory, or that many processes share. Needs the feature `mmap`, which the crate of
/// each filter has too.
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
/// (This is one of the programs in the tests of the crate `bouquet`.)
///
/// # Contract
///
/// - **The file must not change while it is mapped**: [`open`](Self::open) requires this, and
///   no program can check it. Files that are only ever changed by [saving](crate::Encode::save)
///   meet the requirement.
/// - Nothing is read before it is needed. [`View::open`](crate::View::open) reads the header
///   and checks that the file has the stated length; each query then reads the pages of its
///   probes. The checksum, which needs all bytes, is checked only by
///   [`View::verify`](crate::View::verify).
/// - A query reads only the pages of its probes, because the system is advised that access is
///   random. [`View::verify`](crate::View::verify) and
///   [`Decode::decode`](crate::Decode::decode) go through all bytes, so they switch read-ahead
///   on while they run. For other code that goes through all bytes, use
///   [`read_ahead`](Self::read_ahead); without it, such code takes about twenty times as long
///   if the file is not cached.
/// - If another program truncates the file nevertheless, a disk fails, or a network file
///   becomes unavailable, the access causes a signal (`SIGBUS`), not an error. If that must not
///   happen, `load` the filter.
/// - The value can be sent to other threads and shared by them; the file is unmapped when it is
///   dropped. Renaming or deleting the path meanwhile has no effect on Unix; on Windows a
///   mapped file can be neither deleted nor replaced.
#[derive(Debug)]
pub struct Mapped(Arc<Map>);

#[derive(Debug)]
struct Map {
    bytes: Mmap,
    /// The number of passes over the whole map that are in progress.
    passes: Mutex<u32>,
}

/// All existing maps, by the address at which they begin. A pass knows only the bytes that it
/// reads, and finds their map here.
static MAPS: Mutex<BTreeMap<usize, Weak<Map>>> = Mutex::new(BTreeMap::new());

/// Below this number of bytes a pass is as fast without read-ahead: the system reads about that
/// many bytes at once anyway.
const SHORT: usize = 1 << 17;

/// A panic of another thread is ignored: the number or the list behind the mutex is valid all
/// the same.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps read-ahead of a map switched on until it is dropped; see [`Mapped::read_ahead`].
#[derive(Debug)]
pub struct ReadAhead(Arc<Map>);

impl ReadAhead {
    fn of(map: Arc<Map>) -> Self {
        map.passes(|passes| passes + 1);
        Self(map)
    }

    /// Switches read-ahead on for a pass over `bytes`, if they belong to a map.
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
        // Outside the lock: if this becomes the last reference, dropping it takes the lock
        // again.
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
        // Removed before the bytes are unmapped, after which another map may begin at this
        // address.
        locked(&MAPS).remove(&self.begin());
    }
}

impl Map {
    fn begin(&self) -> usize {
        self.bytes.as_ptr().addr()
    }

    /// Changes the number of passes, and advises the system accordingly.
    fn passes(&self, change: impl FnOnce(u32) -> u32) {
        let mut passes = locked(&self.passes);
        *passes = change(*passes);
        // If the system rejects the advice, it reads as before. With `Sequential` a pass takes
        // twice as long: after a page that is already loaded, such as that of the header, Linux
        // 6.18 reads nothing ahead.
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
    /// Those of the operating system, with the path; a folder is also an error.
    ///
    /// # Safety
    ///
    /// Nobody, in this process or another, may write into the file or truncate it while it is
    /// mapped: its bytes would change behind a shared reference, and accessing a page that no
    /// longer exists ends the process. [`save`](crate::Encode::save) does neither: it puts
    /// another file in its place, and the mapped file stays unchanged until it is dropped.
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

    /// Switches read-ahead on for as long as the returned value exists: for code that goes
    /// through all bytes, such as the statistics of a view, or a copy.
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
