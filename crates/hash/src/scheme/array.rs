//! Filters over one array of bits: the code that standard and partitioned filters share. The
//! filter supplies only the slots of a hash.
//!
//! If the filter exceeds the cache, the lines of [`CHUNK`] keys are fetched in parallel. If it
//! fits in the cache and [`Rows`] are available, the slots of many keys are computed in
//! parallel; in filters above 256 KiB, an insert that reports which keys were new also
//! prefetches lines a few keys ahead.

use core::mem;

use bouquet_bits::{BitArray, Words};
use bouquet_core::{
    KeyHash,
    batch::{self, CHUNK, FAR_BITS, Hashes, NEAR_BITS, Part, by_branch},
};

use super::{Columns, Rows, fill, query};

/// Maps a hash to its slots in one array of bits.
///
/// ```
/// use bouquet_bits::BitArray;
/// use bouquet_core::KeyHash;
/// use bouquet_hash::{Folded, scheme::{RotateAdd, Rows, array::{self, Slots}}};
///
/// #[derive(Clone, Copy)]
/// struct Geometry(RotateAdd);
///
/// impl Slots for Geometry {
///     fn bits(self) -> u64 {
///         1_000
///     }
///     fn slots_of(self, hash: KeyHash) -> impl Iterator<Item = u64> + Clone {
///         self.0.locations(hash)
///     }
///     fn all_rows(self) -> Option<Rows> {
///         Rows::new(self.0)
///     }
/// }
///
/// let geometry = Geometry(RotateAdd::new(1_000, 7)?);
/// let mut bits = BitArray::new(1_000)?;
/// let (hasher, keys): (_, Vec<u64>) = (Folded::new(), (0..40).collect());
/// array::extend(geometry, &mut bits, &hasher, &keys);
/// let mut found = [false; 40];
/// array::contains_batch(geometry, bits.words(), &hasher, &keys, &mut found);
/// assert_eq!(found, [true; 40]);
/// assert_eq!(array::insert_batch(geometry, &mut bits, &hasher, &keys), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Slots: Copy {
    /// The length of the array in bits.
    fn bits(self) -> u64;

    /// The slots of a hash, in probe order; a slot may occur more than once.
    fn slots_of(self, hash: KeyHash) -> impl Iterator<Item = u64> + Clone;

    /// Computes the same slots for chunks of hashes in parallel, if this processor can do that.
    fn all_rows(self) -> Option<Rows>;

    /// Whether the bits may fit in the processor's inner caches, where a mispredicted branch
    /// costs more than all probes.
    #[inline]
    fn is_near(self) -> bool {
        self.bits() <= NEAR_BITS
    }

    /// Whether the bits exceed the processor's caches, where each further probe costs a read
    /// from memory.
    #[inline]
    fn is_far(self) -> bool {
        self.bits() > FAR_BITS
    }

    /// [`all_rows`](Self::all_rows), if computing the slots is the bottleneck: if the filter
    /// fits in the processor's caches and there are enough keys for a chunk.
    #[inline]
    fn rows(self, keys: usize) -> Option<Rows> {
        let pays = keys >= CHUNK && !self.is_far();
        pays.then(|| self.all_rows()).flatten()
    }

    /// [`rows`](Self::rows) for callers that must process the keys one after the other.
    #[inline]
    fn columns(self, keys: usize) -> Option<Columns> {
        self.rows(keys).and_then(Columns::new)
    }
}

/// Returns whether the filter may contain the key with this hash.
///
/// `bits` are the bits of an array or of a file, at least [`Slots::bits`] many. If the bits fit
/// in the cache, all of the key's bits are tested; otherwise two are tested, and the others
/// only if both are set.
#[inline]
pub fn contains(geometry: impl Slots, bits: &(impl Words + ?Sized), hash: KeyHash) -> bool {
    if geometry.is_near() {
        return bits.test_all(geometry.slots_of(hash));
    }
    contains_by_branch(geometry, bits, hash)
}

/// Not inlined: if both loops were in one function, the loop for filters in cache would have
/// too few registers.
#[inline(never)]
fn contains_by_branch(geometry: impl Slots, bits: &(impl Words + ?Sized), hash: KeyHash) -> bool {
    let mut slots = geometry.slots_of(hash);
    bits.test_all(slots.by_ref().take(2)) && by_branch(bits.test_all(slots))
}

/// [`contains`] for many keys: `found[i]` becomes the answer for `keys[i]`.
///
/// # Panics
///
/// If the slices differ in length.
#[inline]
pub fn contains_batch<K>(
    geometry: impl Slots,
    bits: &(impl Words + ?Sized),
    hashing: impl Hashes<K>,
    keys: &[K],
    found: &mut [bool],
) {
    assert_eq!(keys.len(), found.len(), "one answer per key");
    if !geometry.is_far() {
        query(
            geometry.rows(keys.len()),
            keys,
            hashing,
            found,
            |row, hits| bits.test_row(row, hits),
            |hash| bits.test_all(geometry.slots_of(hash)),
        );
        return;
    }
    let slots = |hash, part: Part| part.of(geometry.slots_of(hash));
    let fetch = |hash, part| slots(hash, part).for_each(|slot| bits.prefetch_bit(slot));
    batch::in_stages(keys, hashing, found, fetch, |hash, part| {
        bits.test_all(slots(hash, part))
    });
}

/// Inserts keys in order and returns how many were definitely new.
///
/// With the count this takes up to twice as long as [`extend`], because each key has to wait
/// for the keys before it.
#[inline]
pub fn insert_batch<K>(
    geometry: impl Slots,
    bits: &mut BitArray,
    hashing: impl Hashes<K>,
    keys: &[K],
) -> usize {
    let mut new = 0;
    insert(geometry, bits, hashing, keys, |_, is_new| {
        new += usize::from(is_new)
    });
    new
}

/// Inserts keys in order: `new[i]` becomes whether key `i` was definitely new.
///
/// # Panics
///
/// If the slices differ in length.
#[inline]
pub fn insert_each<K>(
    geometry: impl Slots,
    bits: &mut BitArray,
    hashing: impl Hashes<K>,
    keys: &[K],
    new: &mut [bool],
) {
    assert_eq!(keys.len(), new.len(), "one answer per key");
    insert(geometry, bits, hashing, keys, |i, is_new| new[i] = is_new);
}

/// Inserts keys in order and calls `tell` for each with its index and whether it was definitely
/// new.
#[inline]
fn insert<K>(
    geometry: impl Slots,
    bits: &mut BitArray,
    hashing: impl Hashes<K>,
    keys: &[K],
    mut tell: impl FnMut(usize, bool),
) {
    // `columns` returns `None` for filters that exceed the cache.
    if let Some(columns) = geometry.columns(keys.len()) {
        if bits.prefetch_pays() {
            insert_by_columns::<true, K>(geometry, bits, hashing, keys, columns, tell);
        } else {
            insert_by_columns::<false, K>(geometry, bits, hashing, keys, columns, tell);
        }
        return;
    }
    let fetch = |bits: &BitArray, hashes: &[KeyHash]| prefetch(geometry, bits, hashes);
    batch::in_chunks(keys, true, hashing, bits, fetch, |bits, first, hashes| {
        for (i, hash) in (first..).zip(hashes) {
            tell(i, bits.set_all(geometry.slots_of(*hash)));
        }
    });
}

/// How many keys ahead of the inserted key lines are prefetched: the fastest of 0, 4, 8, 16 and
/// 32 in a filter of 1 MiB.
const AHEAD: usize = 4;

/// Inserts keys into a filter in cache. The slots of a chunk are computed in parallel, and set
/// key by key, because whether a key is new depends on the keys before it.
#[inline]
fn insert_by_columns<const PREFETCHES: bool, K>(
    geometry: impl Slots,
    bits: &mut BitArray,
    hashing: impl Hashes<K>,
    keys: &[K],
    columns: Columns,
    mut tell: impl FnMut(usize, bool),
) {
    let mut hashes = [KeyHash::new(0, 0); CHUNK];
    let mut both = [columns.clone(), columns];
    let [now, next] = &mut both;
    let (mut now, mut next) = (now, next);
    let (chunks, rest) = keys.as_chunks::<CHUNK>();
    for at in 0..=chunks.len() {
        if let Some(chunk) = chunks.get(at) {
            hashing.many(chunk, &mut hashes);
            next.locate(&hashes);
        }
        if let Some(before) = at.checked_sub(1) {
            for i in 0..CHUNK {
                if PREFETCHES {
                    // After the last chunk, `next` has the slots of an old chunk: a few
                    // prefetches are useless.
                    let slots = match i + AHEAD {
                        ahead @ ..CHUNK => now.of(ahead),
                        ahead => next.of(ahead - CHUNK),
                    };
                    slots.for_each(|slot| bits.prefetch(slot));
                }
                tell(before * CHUNK + i, bits.set_all(now.of(i)));
            }
        }
        mem::swap(&mut now, &mut next);
    }
    for (i, key) in (chunks.len() * CHUNK..).zip(rest) {
        tell(i, bits.set_all(geometry.slots_of(hashing.one(key))));
    }
}

/// Inserts keys without counting the new ones, and so in whatever order is fastest.
#[inline]
pub fn extend<K>(geometry: impl Slots, bits: &mut BitArray, hashing: impl Hashes<K>, keys: &[K]) {
    fill(
        geometry.rows(keys.len()),
        keys,
        hashing,
        bits,
        |bits, hashes| prefetch(geometry, bits, hashes),
        |bits, row| bits.set_row(row),
        |bits, hash| _ = bits.set_all(geometry.slots_of(hash)),
    );
}

/// Prefetches all slots, if the array is larger than 256 KiB.
#[inline]
fn prefetch(geometry: impl Slots, bits: &BitArray, hashes: &[KeyHash]) {
    if bits.prefetch_pays() {
        let slots = hashes.iter().flat_map(|hash| geometry.slots_of(*hash));
        slots.for_each(|slot| bits.prefetch(slot));
    }
}
