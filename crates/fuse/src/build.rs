//! Builds a filter of its keys.

mod counts;
mod parts;
mod threads;

use core::mem;

use bouquet_bits::BitArray;
use bouquet_core::{Key, KeyHash, KeyHasher};
use bouquet_hash::Folded;

use crate::{BuildError, Fingerprint, FuseFilter};
use counts::{Counts, collected, sorted};
pub(crate) use parts::ATTEMPTS;
use parts::{Parts, distinct};

/// The memory for a key of a pass: its word, in a vector that grows by quarters, and the same sorted.
const PASS_BYTES: usize = 18;

/// Builds filters with a hasher of your choice, with several threads, or in passes over more keys
/// than there is memory for.
///
/// ```
/// use bouquet_fuse::{Bits12, Builder, Folded, FuseFilter};
///
/// let builder = Builder::new(Folded::with_seed(7)).threads(2);
/// let filter: FuseFilter<Bits12> = builder.from_keys(["rose", "tulip"])?;
/// assert!(filter.contains("rose") && !filter.contains("daisy"));
/// # Ok::<(), bouquet_fuse::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder<H: KeyHasher = Folded> {
    hasher: H,
    threads: usize,
}

impl<H: KeyHasher> Builder<H> {
    /// Builds with this hasher, in one thread.
    pub fn new(hasher: H) -> Self {
        Self { hasher, threads: 1 }
    }

    /// Builds with so many threads, which give the same filter. A filter of fewer than two million
    /// keys has only one part, which one thread builds. Without the feature `std` there is one
    /// thread.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// A filter of these keys, of which repeated ones count once.
    ///
    /// Uses 24 to 28 bytes of memory per key from 1,000 keys on and up to two million, 18 for more,
    /// and up to 31 MB for each thread after the first.
    /// If keys are repeated, all are sorted, and the filter is built again.
    ///
    /// # Errors
    ///
    /// [`BuildError`].
    pub fn from_keys<F: Fingerprint, K: Key>(
        self,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<FuseFilter<F, H>, BuildError> {
        let hasher = self.hasher.clone();
        self.from_hashes(keys.into_iter().map(|key| hasher.hash_key(&key)))
    }

    /// Like [`from_keys`](Self::from_keys), of the keys with these hashes.
    ///
    /// # Errors
    ///
    /// [`BuildError`].
    pub fn from_hashes<F: Fingerprint>(
        self,
        hashes: impl IntoIterator<Item = KeyHash>,
    ) -> Result<FuseFilter<F, H>, BuildError> {
        let mut words = collected(hashes.into_iter().map(word))?;
        loop {
            let mut room: BitArray;
            let counts;
            // The slots of fewer keys fit into the caches, in any order.
            let in_order = if words.len() < 1 << 17 {
                counts = Counts::of_one_part(words.len());
                &mut words[..]
            } else {
                (room, counts) = sorted(&mem::take(&mut words), self.threads)?;
                room.whole_words_mut()
            };
            let mut parts = Parts::new::<F>(&counts)?;
            let all = 0..parts.keys.len();
            let keys = parts.build::<F>(all, in_order, false, self.threads)?;
            if keys == in_order.len() as u64 {
                return Ok(parts.filter(keys, self.hasher));
            }
            // Without the repeated keys the filter is smaller.
            let different = distinct(in_order);
            words = collected(in_order[..different].iter().copied())?;
        }
    }

    /// A filter of more keys than there is memory for: it calls `pass` for an iterator over all
    /// keys, which must be the same each time, once to count them and then again and again for as
    /// many as fit into `memory` bytes, 18 bytes per key, and at least for one part, of up to two
    /// million. Takes 31 MB per thread and the filter besides.
    ///
    /// A repeated key takes room for a fingerprint each time.
    ///
    /// # Errors
    ///
    /// [`BuildError`], with [`BuildError::PassesDiffer`] if a later pass has other keys than the
    /// first.
    ///
    /// ```
    /// use bouquet_fuse::{Builder, Folded, FuseFilter};
    ///
    /// let squares = || (0..3_000_000_u64).map(|i| i * i);
    /// let filter: FuseFilter = Builder::new(Folded::new()).from_passes(squares, 12 << 20)?;
    /// assert!(filter.contains(&49_u64));
    /// # Ok::<(), bouquet_fuse::BuildError>(())
    /// ```
    pub fn from_passes<F: Fingerprint, K: Key, I: IntoIterator<Item = K>>(
        self,
        mut pass: impl FnMut() -> I,
        memory: usize,
    ) -> Result<FuseFilter<F, H>, BuildError> {
        let hasher = self.hasher.clone();
        let mut pass = || {
            let keys = pass().into_iter();
            keys.map(|key| word(hasher.hash_key(&key)))
        };
        let counts = Counts::of(pass());
        let mut parts = Parts::new::<F>(&counts)?;
        let ranges_in_part = counts.ranges.len() / parts.keys.len();
        let in_pass = (memory / PASS_BYTES / parts.largest.max(1)).max(1);
        let mut keys = 0;
        for first in (0..parts.keys.len()).step_by(in_pass) {
            let group = first..parts.keys.len().min(first.saturating_add(in_pass));
            let ranges = group.start * ranges_in_part..group.end * ranges_in_part;
            let words = collected(pass().filter(|word| ranges.contains(&Counts::range(*word))))?;
            let (mut words, found) = sorted(&words, self.threads)?;
            if found.ranges[ranges.clone()] != counts.ranges[ranges] {
                return Err(BuildError::PassesDiffer);
            }
            let words = words.whole_words_mut();
            keys += parts.build::<F>(group, words, true, self.threads)?;
        }
        Ok(parts.filter(keys, self.hasher))
    }
}

/// What a filter needs of a key's hash. The other word is left to whoever picks one of several
/// filters by it.
#[inline(always)]
pub(crate) fn word(hash: KeyHash) -> u64 {
    hash.probe
}
