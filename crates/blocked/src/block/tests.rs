//! Compares every backend with a bit-by-bit implementation, for a fixed set of hashes.

#[cfg(all(target_arch = "aarch64", not(bouquet_portable)))]
use alloc::format;
use alloc::{vec, vec::Vec};

use bouquet_core::KeyHash;

use super::*;
use crate::{Geometry, Layout, Line, Words32, Words64, layout::Salted};

/// The number of blocks in the filters of these tests: few, so that keys share blocks.
const BLOCKS: u64 = 7;

/// Hashes that are likely to expose bugs: all bits set, none set, single bits, and many that
/// look random.
fn seeds() -> Vec<KeyHash> {
    let edges = [0, u64::MAX, 1, 1 << 63, 0x5555_5555_5555_5555];
    let one_bit = (0..64).map(|i| 1u64 << i);
    let edges = edges.into_iter().chain(one_bit.clone());
    let edges = edges.chain(one_bit.map(|bit| !bit));
    let edges = edges.zip((0..).map(|i| u64::wrapping_mul(i, 0x9e37_79b9_7f4a_7c15)));
    let mut seeds: Vec<KeyHash> = edges
        .map(|(probe, place)| KeyHash::new(place, probe))
        .collect();
    seeds.extend((0..300).map(|i| KeyHash::from_word(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(i))));
    if INTERPRETED {
        seeds.into_iter().step_by(9).collect()
    } else {
        seeds
    }
}

/// Whether the interpreter Miri runs the tests; it is slow, so fewer keys are used then.
const INTERPRETED: bool = cfg!(miri);

/// Tests all slots of a hash and sets them, bit by bit.
fn naive_take<L: Layout>(geometry: Geometry<L>, words: &mut [u64], hash: KeyHash) -> bool {
    let mut new = false;
    for slot in geometry.slots(hash) {
        let (word, bit) = ((slot / 64) as usize, 1 << (slot % 64));
        new |= words[word] & bit == 0;
        words[word] |= bit;
    }
    new
}

fn naive_holds<L: Layout>(geometry: Geometry<L>, words: &[u64], hash: KeyHash) -> bool {
    let set = |slot: u64| words[(slot / 64) as usize] >> (slot % 64) & 1 == 1;
    geometry.slots(hash).all(set)
}

/// The hash function for keys that are hashes already.
fn itself(hash: &KeyHash) -> KeyHash {
    *hash
}

/// Checks one backend with one layout: keys are inserted one by one and in batches of every
/// length up to 40, and each is queried before and after.
fn agrees<B: Backend, L: Layout>(backend: B, layout: L) {
    let geometry = Geometry::new(BLOCKS, layout).unwrap();
    let seeds = seeds();
    let mut naive = vec![0u64; (geometry.size_bits() / 64) as usize];
    let (mut single, mut batched) = (naive.clone(), naive.clone());
    let mut rest = &seeds[..];
    for len in (0..=40).step_by(if INTERPRETED { 13 } else { 1 }).cycle() {
        let (batch, after) = rest.split_at(rest.len().min(len));
        let (mut new, mut got) = (Vec::new(), Vec::new());
        for hash in batch {
            let want = naive_take(geometry, &mut naive, *hash);
            new.push(want);
            let (block, probe) = geometry.place(*hash);
            let block = &mut L::Block::all_mut(&mut single)[block];
            assert_eq!(layout.holds(backend, block, probe), !want, "{hash:?}");
            assert_eq!(layout.take(backend, block, probe), want, "{hash:?}");
            assert!(layout.holds(backend, block, probe), "{hash:?}");
        }
        batch::take_each(
            backend,
            geometry,
            &mut batched,
            batch,
            itself,
            |i, is_new| {
                assert_eq!(i, got.len());
                got.push(is_new);
            },
        );
        assert_eq!(got, new, "{layout:?}");
        assert_eq!(single, naive, "{layout:?}");
        assert_eq!(batched, naive, "{layout:?}");
        let want: Vec<bool> = seeds
            .iter()
            .map(|hash| naive_holds(geometry, &naive, *hash))
            .collect();
        let mut found: Vec<bool> = want.iter().map(|found| !found).collect();
        batch::hold_each(
            backend,
            geometry,
            L::Block::all(&naive),
            &seeds,
            itself,
            &mut found,
        );
        assert_eq!(found, want, "{layout:?}");
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
}

fn agrees_everywhere<B: Backend>(backend: B) {
    agrees(backend, Words64);
    agrees(backend, Words32);
    agrees(backend, Salted);
    // Up to seven slots come from a single word of the probe.
    let all: &[u32] = if INTERPRETED {
        &[1, 8, 15]
    } else {
        &[1, 2, 6, 7, 8, 9, 14, 15, 64]
    };
    for &hashes in all {
        agrees(backend, Line::new(hashes).unwrap());
    }
}

#[test]
fn portable_is_what_the_slots_say() {
    agrees_everywhere(Portable);
}

#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
#[test]
fn single_keys_without_vectors_are_what_the_slots_say() {
    agrees_everywhere(Single(Portable));
}

#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
#[test]
fn avx2_is_what_the_slots_say() {
    // On a processor without AVX2 no filter uses this backend either.
    if let Some(avx2) = Avx2::detect() {
        agrees_everywhere(avx2);
        agrees_everywhere(Single(avx2));
    }
}

#[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
#[test]
fn avx512_is_what_the_slots_say() {
    // On a processor without AVX-512 no filter uses this backend either.
    if let Some(avx512) = Avx512::detect() {
        agrees_everywhere(avx512);
        agrees_everywhere(Single(avx512));
    }
}

/// Checks the code of single keys with blocks that begin at each word of a cache line.
#[test]
fn single_keys_at_every_alignment() {
    fn check<L: Layout, B: Backend>(layout: L, backend: B) {
        let bytes = size_of::<L::Block>() / 8;
        for first in 0..8 {
            let (mut words, mut portable) = ([0u64; 16], [0u64; 16]);
            for KeyHash { probe, .. } in seeds() {
                let [got] = L::Block::all_mut(&mut words[first..first + bytes]) else {
                    panic!("one block");
                };
                let [want] = L::Block::all_mut(&mut portable[first..first + bytes]) else {
                    panic!("one block");
                };
                let held = layout.holds(Portable, want, probe);
                assert_eq!(layout.holds(backend, got, probe), held);
                let is_new = layout.take(Portable, want, probe);
                assert_eq!(layout.take(backend, got, probe), is_new);
                assert_eq!(words, portable, "{layout:?} {first} {probe:x}");
            }
        }
    }
    fn each<B: Backend>(backend: B) {
        check(Words64, backend);
        check(Words32, backend);
        check(Salted, backend);
    }
    each(Best::here());
    #[cfg(all(target_arch = "x86_64", not(bouquet_portable)))]
    {
        Avx2::detect().map(Single).into_iter().for_each(each);
        each(Single(Portable));
    }
}

/// Checks the backend known at compile time, which is NEON on AArch64.
#[test]
fn what_is_compiled_in_is_what_the_slots_say() {
    agrees_everywhere(KNOWN);
}

#[cfg(all(target_arch = "aarch64", not(bouquet_portable)))]
#[test]
fn on_aarch64_neon_is_compiled_in() {
    assert_eq!(format!("{KNOWN:?}"), "Neon(())");
}

/// Checks the backend that single keys use on this processor.
#[test]
fn the_best_here_is_what_the_slots_say() {
    agrees_everywhere(Best::here());
}

/// Checks that a whole batch, with the backend for this processor, sets the same bits as the
/// portable backend.
#[test]
fn what_a_batch_takes_is_what_portable_takes() {
    fn check<L: Layout>(layout: L) {
        let geometry = Geometry::new(BLOCKS, layout).unwrap();
        let mut portable = vec![0u64; (geometry.size_bits() / 64) as usize];
        let mut chosen = portable.clone();
        let seeds = seeds();
        let (mut want, mut got) = (Vec::new(), Vec::new());
        let tell = |_, is_new| want.push(is_new);
        batch::take_each(Portable, geometry, &mut portable, &seeds, itself, tell);
        take_all(geometry, &mut chosen, &seeds, itself, |_, is_new| {
            got.push(is_new)
        });
        assert_eq!(got, want);
        assert_eq!(chosen, portable);
        let mut found = vec![false; seeds.len()];
        hold_all(geometry, L::Block::all(&chosen), &seeds, itself, &mut found);
        assert!(found.iter().all(|found| *found));
    }
    check(Words64);
    check(Words32);
    check(Line::new(6).unwrap());
}
