//! Compares the location schemes with their formulas, written as in the papers.

use bouquet_core::{KeyHash, KeyHasher, Locate, MAX_SIZE_BITS, SpecError};
use bouquet_hash::{
    Probes, Xxh3Wide,
    scheme::{BitsAndBlooms, DoubleHashing, EnhancedDoubleHashing, RotateAdd},
};

const SIZES: [u64; 9] = [
    1,
    2,
    63,
    64,
    1_000,
    1_009,
    1 << 32,
    (1 << 48) - 59,
    MAX_SIZE_BITS,
];

fn hashes() -> impl Iterator<Item = KeyHash> {
    let edges = [0, 1, u64::MAX, 1 << 63];
    let edges = edges
        .into_iter()
        .flat_map(move |place| edges.map(|probe| KeyHash::new(place, probe)));
    edges.chain((0..200u64).map(|key| Xxh3Wide::new().hash(&key.to_le_bytes())))
}

/// The slots that `Locate` visits, after checking its contract.
fn visited<L: Locate>(scheme: &L, hash: &L::Hash) -> Vec<u64> {
    let mut slots = Vec::new();
    scheme.locate(hash, &mut |slot| slots.push(slot));
    assert_eq!(slots.len(), scheme.probes() as usize);
    assert!(slots.iter().all(|slot| *slot < scheme.slots()), "{slots:?}");
    slots
}

#[test]
fn double_hashing_is_the_textbook_formula() {
    for m in SIZES {
        let scheme = DoubleHashing::new(m, 20).unwrap();
        for hash in hashes() {
            let (h1, h2) = (u128::from(hash.place % m), u128::from(hash.probe % m));
            let want = (0..20).map(|i| ((h1 + i * h2) % u128::from(m)) as u64);
            assert!(visited(&scheme, &hash).into_iter().eq(want), "{m} {hash:?}");
        }
    }
}

#[test]
fn enhanced_double_hashing_is_its_cubic() {
    for m in SIZES {
        let scheme = EnhancedDoubleHashing::new(m, 20).unwrap();
        for hash in hashes() {
            // The formula of Dillinger and Manolios: h1 + i h2 + (i^3 - i)/6.
            let want = (0..20u64).map(|i| {
                let growth = (i * i * i - i) / 6;
                let word = hash.place.wrapping_add(i.wrapping_mul(hash.probe));
                word.wrapping_add(growth) % m
            });
            assert!(visited(&scheme, &hash).into_iter().eq(want), "{m} {hash:?}");
        }
    }
}

#[test]
fn bits_and_blooms_is_the_formula_of_its_source() {
    for m in SIZES {
        let scheme = BitsAndBlooms::new(m, 20).unwrap();
        for hash in hashes() {
            let h = [hash.place, hash.probe, !hash.place, hash.probe ^ 0x5555];
            let want = (0..20usize).map(|i| {
                let step = h[2 + ((i + i % 2) % 4) / 2];
                h[i % 2].wrapping_add((i as u64).wrapping_mul(step)) % m
            });
            assert!(visited(&scheme, &h).into_iter().eq(want), "{m} {hash:?}");
        }
    }
}

#[test]
fn rotate_add_is_probes_by_multiply_shift() {
    for (m, k) in SIZES
        .into_iter()
        .flat_map(|m| [1, 2, 20, 21].map(|k| (m, k)))
    {
        let scheme = RotateAdd::new(m, k).unwrap();
        for hash in hashes() {
            let words = Probes::new(hash).take(k as usize);
            let want = words.map(|word| ((u128::from(word) * u128::from(m)) >> 64) as u64);
            let want: Vec<u64> = want.collect();
            assert_eq!(visited(&scheme, &hash), want, "{m} {k} {hash:?}");
            let mut one_by_one = scheme.locations(hash);
            assert_eq!(one_by_one.size_hint(), (k as usize, Some(k as usize)));
            assert!(want.iter().all(|i| one_by_one.next() == Some(*i)));
            assert_eq!(one_by_one.next(), None);
        }
    }
}

/// Computed without this code, from the recurrence in its documentation: stored filters depend
/// on these values.
#[test]
fn probes_have_known_answers() {
    let hash = KeyHash::new(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210);
    let words: Vec<u64> = Probes::new(hash).take(5).collect();
    assert_eq!(
        words,
        [
            0xfedc_ba98_7654_3210,
            0xffff_ffff_ffff_ffff,
            0x9abc_def0_11b4_5678,
            0x13e6_dc71_c69c_71c7,
            0xf92c_1f92_c5f4_e6e9,
        ]
    );
}

#[test]
fn impossible_sizes_are_rejected() {
    let hashes = |hashes, max| Err(SpecError::HashesOutOfRange { hashes, max });
    let too_large = Err(SpecError::TooLarge {
        size_bits: (MAX_SIZE_BITS + 1) as f64,
    });
    for (m, k, error) in [
        (0, 3, Err(SpecError::ZeroSizeBits)),
        (MAX_SIZE_BITS + 1, 3, too_large),
        (100, 0, hashes(0, 128)),
        (100, 129, hashes(129, 128)),
    ] {
        assert_eq!(RotateAdd::new(m, k).map(|_| ()), error);
        assert_eq!(DoubleHashing::new(m, k).map(|_| ()), error);
        assert_eq!(EnhancedDoubleHashing::new(m, k).map(|_| ()), error);
    }
    let foreign = |m, k| BitsAndBlooms::new(m, k).map(|_| ());
    assert_eq!(foreign(0, 3), Err(SpecError::ZeroSizeBits));
    assert_eq!(foreign(100, 0), hashes(0, u32::MAX));
    assert_eq!(foreign(u64::MAX, u32::MAX), Ok(()));
}
