//! Many keys at once: hash a chunk ahead, fetch its memory, then ask.
//!
//! For those who write a filter. A filter out of cache waits for memory with
//! every key; told early which lines it will need, the processor brings them
//! side by side. From: Polychroniou and Ross, "Vectorized Bloom filters for
//! advanced SIMD processors", DaMoN 2014, for the batch, and Chen et al.,
//! "Improving hash join performance through prefetching", ICDE 2004, for the
//! chunks that overlap.

use core::mem;

use crate::KeyHash;

/// Keys in a chunk: enough to fill the processor's queue of outstanding lines,
/// few enough that the first line is still there when it is asked for.
pub const CHUNK: usize = 32;

/// Takes `keys` through a filter by chunks of [`CHUNK`], in order: `fetch` gets
/// the hashes of each chunk before `take` gets those of the chunk before it.
///
/// `state` is what `take` changes and `fetch` looks at, the storage or the
/// answers. `take` is told the index of its first key. Uses 1 KiB of stack.
///
/// ```
/// use bouquet_core::{KeyHash, batch};
///
/// let keys: Vec<u64> = (0..70).collect();
/// let mut seen = Vec::new();
/// batch::in_chunks(
///     &keys,
///     |key| KeyHash::from_word(*key),
///     &mut seen,
///     |_, _| (),
///     |seen, first, hashes| seen.push((first, hashes.len())),
/// );
/// assert_eq!(seen, [(0, 32), (32, 32), (64, 6)]);
/// ```
#[inline]
pub fn in_chunks<K, S: ?Sized>(
    keys: &[K],
    hash: impl Fn(&K) -> KeyHash,
    state: &mut S,
    fetch: impl Fn(&S, &[KeyHash]),
    mut take: impl FnMut(&mut S, usize, &[KeyHash]),
) {
    let mut buffers = [[KeyHash::new(0, 0); CHUNK]; 2];
    let [now, ahead] = &mut buffers;
    let (mut now, mut ahead) = (now, ahead);
    let mut first = 0;
    let mut held = 0;
    for chunk in keys.chunks(CHUNK) {
        for (slot, key) in ahead.iter_mut().zip(chunk) {
            *slot = hash(key);
        }
        fetch(state, &ahead[..chunk.len()]);
        if held > 0 {
            take(state, first, &now[..held]);
        }
        first += held;
        held = chunk.len();
        mem::swap(&mut now, &mut ahead);
    }
    if held > 0 {
        take(state, first, &now[..held]);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use core::cell::RefCell;

    use super::*;

    #[test]
    fn every_key_comes_once_in_order_and_is_fetched_before() {
        for len in [0, 1, 31, 32, 33, 63, 64, 65, 200] {
            let keys: Vec<u64> = (0..len).collect();
            let fetched = RefCell::new(Vec::new());
            let mut taken = Vec::new();
            in_chunks(
                &keys,
                |key| KeyHash::new(*key, !*key),
                &mut taken,
                |_, hashes| fetched.borrow_mut().extend_from_slice(hashes),
                |taken, first, hashes| {
                    assert_eq!(taken.len(), first);
                    taken.extend_from_slice(hashes);
                    assert!(fetched.borrow().starts_with(taken));
                    let ahead = fetched.borrow().len() - taken.len();
                    assert!(ahead <= CHUNK, "{ahead}");
                },
            );
            let want: Vec<_> = keys.iter().map(|key| KeyHash::new(*key, !*key)).collect();
            assert_eq!(taken, want);
        }
        in_chunks(
            &[0u8; 5],
            |_| KeyHash::new(0, 0),
            &mut (),
            |(), _| (),
            |(), _, hashes| assert_eq!(hashes.len(), 5),
        );
    }
}
