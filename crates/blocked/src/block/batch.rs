//! Block operations on many keys, with the best backend for the processor.

use core::borrow::Borrow;

use bouquet_core::KeyHash;

use super::{Backend, Best, Block, Blocks, KNOWN};
use crate::{Geometry, Layout};

/// Queries all keys: `found[i]` becomes the answer for key i.
pub(crate) fn hold_all<L: Layout, K>(
    geometry: Geometry<L>,
    blocks: impl Blocks<L::Block>,
    keys: &[K],
    hash: impl Fn(&K) -> KeyHash,
    found: &mut [bool],
) {
    hold_all_by(Best::here(), geometry, blocks, keys, hash, found);
}

/// Same as `hold_all`, for callers that know the best backend already.
#[inline]
pub(crate) fn hold_all_by<L: Layout, K>(
    best: Best,
    geometry: Geometry<L>,
    blocks: impl Blocks<L::Block>,
    keys: &[K],
    hash: impl Fn(&K) -> KeyHash,
    found: &mut [bool],
) {
    match best {
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        Best::Avx512(avx512) => avx512.hold_each(geometry, blocks, keys, hash, found),
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        Best::Avx2(avx2) => avx2.hold_each(geometry, blocks, keys, hash, found),
        Best::Other => hold_each(KNOWN, geometry, blocks, keys, hash, found),
    }
}

/// Inserts the keys in order and reports for each key its index and whether one of its slots
/// was clear.
pub(crate) fn take_all<L: Layout, K>(
    geometry: Geometry<L>,
    words: &mut [u64],
    keys: &[K],
    hash: impl Fn(&K) -> KeyHash,
    tell: impl FnMut(usize, bool),
) {
    match Best::here() {
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        Best::Avx512(avx512) => avx512.take_each(geometry, words, keys, hash, tell),
        #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
        Best::Avx2(avx2) => avx2.take_each(geometry, words, keys, hash, tell),
        Best::Other => take_each(KNOWN, geometry, words, keys, hash, tell),
    }
}

/// Implements [`hold_all`] with one backend. Always inlined, into a function that is compiled
/// for the backend's processor features.
#[inline(always)]
pub(crate) fn hold_each<B: Backend, L: Layout, K>(
    backend: B,
    geometry: Geometry<L>,
    blocks: impl Blocks<L::Block>,
    keys: &[K],
    hash: impl Fn(&K) -> KeyHash,
    found: &mut [bool],
) {
    for (key, found) in keys.iter().zip(found) {
        let (block, probe) = geometry.place(hash(key));
        let block = blocks.block(block);
        *found = geometry.layout().holds(backend, block.borrow(), probe);
    }
}

/// Implements [`take_all`] with one backend.
#[inline(always)]
pub(crate) fn take_each<B: Backend, L: Layout, K>(
    backend: B,
    geometry: Geometry<L>,
    words: &mut [u64],
    keys: &[K],
    hash: impl Fn(&K) -> KeyHash,
    mut tell: impl FnMut(usize, bool),
) {
    let blocks = L::Block::all_mut(words);
    for (i, key) in keys.iter().enumerate() {
        let (block, probe) = geometry.place(hash(key));
        let was_new = geometry.layout().take(backend, &mut blocks[block], probe);
        tell(i, was_new);
    }
}
