//! Batches of keys for a filter in cache: whole chunks are processed row by row if rows are
//! available, the remaining keys one by one.

use bouquet_core::{
    KeyHash,
    batch::{CHUNK, Hashes, in_chunks},
};

use super::Rows;

/// Queries keys: `found[i]` becomes whether the filter may contain key `i`; both slices must
/// have the same length. `test_row` tests a row as in [`Rows::query`], `test` tests one hash.
///
/// ```
/// use bouquet_core::{KeyHash, batch::Ready};
/// use bouquet_hash::scheme::{self, RotateAdd, Rows};
///
/// // A filter without bits that contains the hashes of which every slot is even.
/// let scheme = RotateAdd::new(1_000, 2)?;
/// let hashes: Vec<_> = (0..70u64).map(|i| KeyHash::from_word(i << 56)).collect();
/// let even = |hash: &KeyHash| scheme.locations(*hash).all(|slot| slot % 2 == 0);
/// let mut found = [false; 70];
/// scheme::query(
///     Rows::new(scheme),
///     &hashes,
///     Ready,
///     &mut found,
///     |row, hits| row.iter().zip(hits).for_each(|(slot, hit)| *hit &= u64::from(!slot)),
///     |hash| even(&hash),
/// );
/// assert!(hashes.iter().map(even).eq(found));
/// # Ok::<(), bouquet_core::SpecError>(())
/// ```
#[inline]
pub fn query<K>(
    rows: Option<Rows>,
    keys: &[K],
    hashing: impl Hashes<K>,
    found: &mut [bool],
    mut test_row: impl FnMut(&[u32; CHUNK], &mut [u64; CHUNK]),
    mut test: impl FnMut(KeyHash) -> bool,
) {
    let no_fetch = |_: &[bool], _: &[KeyHash]| ();
    in_chunks(
        keys,
        false,
        hashing,
        found,
        no_fetch,
        |found, first, hashes| {
            let found = &mut found[first..];
            if let (Some(rows), Ok(hashes)) = (&rows, hashes.try_into()) {
                rows.query(hashes, found, &mut test_row);
                return;
            }
            for (hash, found) in hashes.iter().zip(found) {
                *found = test(*hash);
            }
        },
    );
}

/// The number of keys that are hashed before the first of them sets its bits. With less hashing
/// in between, more memory accesses overlap: if the filter exceeds the second-level cache, this
/// takes a sixth less time than chunk by chunk; otherwise up to a twentieth more.
const TOGETHER: usize = 4 * CHUNK;

/// Inserts keys into `state` in any order: rows with `set_row`, single hashes with `set`.
/// `prefetch` gets hashes that are inserted soon with `set`; rows need no prefetch, because
/// their memory accesses overlap anyway.
///
/// ```
/// use bouquet_core::{KeyHash, batch::Ready};
/// use bouquet_hash::scheme::{self, RotateAdd, Rows};
///
/// let scheme = RotateAdd::new(1_000, 7)?;
/// let hashes: Vec<_> = (0..70u64).map(KeyHash::from_word).collect();
/// let mut counters = [0; 1_000];
/// scheme::fill(
///     Rows::new(scheme),
///     &hashes,
///     Ready,
///     &mut counters,
///     |_, _| (),
///     |counters, row| row.iter().for_each(|slot| counters[*slot as usize] += 1),
///     |counters, hash| scheme.locations(hash).for_each(|slot| counters[slot as usize] += 1),
/// );
/// for slot in hashes.iter().flat_map(|hash| scheme.locations(*hash)) {
///     counters[slot as usize] -= 1;
/// }
/// assert_eq!(counters, [0; 1_000]);
/// # Ok::<(), bouquet_core::SpecError>(())
/// ```
#[inline]
pub fn fill<K, S: ?Sized>(
    rows: Option<Rows>,
    keys: &[K],
    hashing: impl Hashes<K>,
    state: &mut S,
    prefetch: impl Fn(&S, &[KeyHash]),
    mut set_row: impl FnMut(&mut S, &[u32; CHUNK]),
    mut set: impl FnMut(&mut S, KeyHash),
) {
    let Some(rows) = rows else {
        // Without rows, the filter may exceed the cache.
        in_chunks(keys, true, hashing, state, prefetch, |state, _, hashes| {
            hashes.iter().for_each(|hash| set(state, *hash));
        });
        return;
    };
    let mut hashes = [KeyHash::new(0, 0); TOGETHER];
    for keys in keys.chunks(TOGETHER) {
        let hashes = &mut hashes[..keys.len()];
        for (keys, hashes) in keys.chunks(CHUNK).zip(hashes.chunks_mut(CHUNK)) {
            hashing.many(keys, hashes);
        }
        let (chunks, rest) = hashes.as_chunks();
        for chunk in chunks {
            rows.each(chunk, |row| set_row(state, row));
        }
        rest.iter().for_each(|hash| set(state, *hash));
    }
}
