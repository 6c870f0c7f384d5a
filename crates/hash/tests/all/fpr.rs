//! Tests by simulation, with fixed seeds, that the FPR of the default scheme is that of
//! independent probes.
use crate::sets::SETS;
use bouquet_core::{KeyHash, KeyHasher, math::expected_fpr};
use bouquet_hash::{
    Folded, Xxh3, Xxh3Wide,
    reduce::multiply_shift,
    scheme::{DoubleHashing, RotateAdd},
};

/// A filter configuration to be tested: size, hashes and number of inserted keys.
#[derive(Clone, Copy, Debug)]
struct Cell {
    size_bits: u64,
    hashes: u32,
    keys: u64,
}

const fn cell(size_bits: u64, hashes: u32, keys: u64) -> Cell {
    Cell {
        size_bits,
        hashes,
        keys,
    }
}

/// Small filters, where a dependence between probes shows most.
const CELLS: [Cell; 8] = [
    cell(1_000, 7, 100),
    cell(1_024, 7, 102),
    cell(1_009, 14, 50),
    cell(1_000, 14, 50),
    cell(1_024, 14, 51),
    cell(64, 7, 6),
    cell(128, 14, 6),
    cell(64, 20, 3),
];

/// The excess of the FPR over the theory, in standard errors and multiplied by m.
#[derive(Debug)]
struct Excess {
    z: f64,
    times_m: f64,
}

/// Fills `filters` filters and queries each for `absent` keys that were inserted in no
/// filter. Keys are sequential numbers; the hasher is what makes them random.
fn excess<I: Iterator<Item = u64>>(
    Cell {
        size_bits,
        keys,
        hashes,
    }: Cell,
    filters: u64,
    absent: u64,
    locations: impl Fn(u64) -> I,
) -> Excess {
    let mut key = 0;
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..filters {
        let mut words = vec![0u64; size_bits.div_ceil(64) as usize];
        for _ in 0..keys {
            key += 1;
            locations(key).for_each(|slot| words[(slot / 64) as usize] |= 1 << (slot % 64));
        }
        let set = |slot| words[(slot / 64) as usize] >> (slot % 64) & 1 == 1;
        let hits = (0..absent).filter(|_| {
            key += 1;
            locations(key).all(set)
        });
        let fpr = hits.count() as f64 / absent as f64;
        sum += fpr;
        squares += fpr * fpr;
    }
    let mean = sum / filters as f64;
    let error = ((squares / filters as f64 - mean * mean) / filters as f64).sqrt();
    let over = mean - expected_fpr(size_bits, hashes, keys);
    Excess {
        z: over / error,
        times_m: over * size_bits as f64,
    }
}

/// The name of a hash that the scheme is tested with, and the function that computes it from a
/// key.
type Source = (&'static str, fn(u64) -> KeyHash);

const SOURCES: [Source; 7] = [
    ("Xxh3", |key| Xxh3::new().hash(&key.to_le_bytes())),
    ("Xxh3 after 64 shards", |key| {
        Xxh3::new().hash(&key.to_le_bytes()).split(64).1
    }),
    ("Xxh3 after 2^32 places", |key| {
        Xxh3::new().hash(&key.to_le_bytes()).split(1 << 32).1
    }),
    ("Xxh3Wide", |key| Xxh3Wide::new().hash(&key.to_le_bytes())),
    ("Folded", |key| Folded::new().hash(&key.to_le_bytes())),
    ("Folded after 64 shards", |key| {
        Folded::new().hash(&key.to_le_bytes()).split(64).1
    }),
    ("Folded after 2^32 places", |key| {
        Folded::new().hash(&key.to_le_bytes()).split(1 << 32).1
    }),
];

/// Checks 56 results to be within 4.2 standard errors. With random keys the test would fail by
/// chance once in 670 runs; the keys are fixed.
#[test]
fn default_scheme_has_no_excess() {
    for cell in CELLS {
        let scheme = RotateAdd::new(cell.size_bits, cell.hashes).unwrap();
        for (name, hash) in SOURCES {
            let excess = excess(cell, 2_500, 1_500, |key| scheme.locations(hash(key)));
            assert!(excess.z.abs() < 4.2, "{cell:?} {name}: {excess:.4?}");
        }
    }
}

/// The default hasher has only two multiplications per key, and key sets that differ in few
/// bits would reveal a weakness. Checks 208 results to be within 4.6 standard errors. With
/// random keys the test would fail by chance once in 1,100 runs; the keys are fixed.
#[test]
fn structured_keys_have_no_excess() {
    for (name, key) in SETS {
        for cell in CELLS {
            let scheme = RotateAdd::new(cell.size_bits, cell.hashes).unwrap();
            for seed in [0, 0x0123_4567_89ab_cdef] {
                let hasher = Folded::with_seed(seed);
                let hash = |number: u64| hasher.hash(&key(number).to_le_bytes());
                let excess = excess(cell, 1_500, 1_000, |number| scheme.locations(hash(number)));
                assert!(
                    excess.z.abs() < 4.6,
                    "{cell:?} {name}, seed {seed}: {excess:.4?}"
                );
            }
        }
    }
}

/// Shows that the test above can fail: if the word is rotated by 21 and the step is not
/// rotated, the same bits are back after three probes.
#[test]
fn a_fixed_step_has_its_excess() {
    let cell = cell(128, 14, 6);
    let (_, hash) = SOURCES[0];
    let excess = excess(cell, 10_000, 1_500, |key| {
        let KeyHash { place, probe } = hash(key);
        let words = std::iter::successors(Some(probe), move |word| {
            Some(word.wrapping_add(place).rotate_left(21))
        });
        words.take(14).map(|word| multiply_shift(word, 128))
    });
    assert!(excess.z > 4.2, "{excess:?}");
}

/// Shows that plain double hashing has an excess too, as the literature says.
#[test]
fn double_hashing_has_its_excess() {
    let cell = cell(1_000, 14, 50);
    let scheme = DoubleHashing::new(cell.size_bits, cell.hashes).unwrap();
    let (_, hash) = SOURCES[3];
    let excess = excess(cell, 2_000, 400, |key| scheme.locations(hash(key)));
    assert!(excess.z > 10.0, "{excess:?}");
    assert!((0.8..2.0).contains(&excess.times_m), "{excess:?}");
}
