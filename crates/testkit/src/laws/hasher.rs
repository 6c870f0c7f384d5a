//! Laws about hash functions, as far as tests of outputs can show them.
//!
//! The bounds are fixed and wide (at least six standard deviations, over some ten thousand
//! numbers): every good function passes, and the weak functions that are used with filters in
//! practice fail. A function that passes may still be weak against an adversary; no test of outputs
//! can show that.

use std::collections::HashMap;

use bouquet_core::{Key, KeyHash, KeyHasher, USER_HASHER_IDS};

use super::Verdict;
use crate::{
    Rng,
    keys::{odd, show},
};

/// A hasher satisfies [`KeyHasher`]: it has a valid ID and width, depends only on the key's bytes,
/// and returns two uniform, independent words in which every bit depends on every bit of the key.
///
/// # Errors
///
/// The check that failed, with the numbers.
pub fn hasher<H: KeyHasher>(make: impl Fn(u64) -> H) -> Verdict {
    ensure!(H::ID != 0, "ID is 0, which is reserved");
    ensure!(
        matches!(H::HASH_BITS, 64 | 128),
        "HASH_BITS is {}, neither 64 nor 128",
        H::HASH_BITS
    );
    let hasher = make(1);
    ensure!(
        hasher == make(1) && hasher == hasher.clone(),
        "equal seeds make different hashers"
    );
    let mut seen = HashMap::new();
    for key in odd() {
        let hash = hasher.hash(&key);
        ensure!(
            hash == hasher.hash(&key) && hash == make(1).hash(&key),
            "two hashes of one key differ: {}",
            show(&key)
        );
        if let Some(other) = seen.insert(hash, show(&key)) {
            return Err(format!("two keys share a hash: {other} and {}", show(&key)));
        }
    }
    batches(&hasher)?;
    wide(&hasher)?;
    for seed in [0, 1, u64::MAX] {
        avalanche(&make(seed), 8).map_err(|why| format!("{why}, seed {seed}"))?;
        avalanche(&make(seed), 20).map_err(|why| format!("{why}, seed {seed}"))?;
        for (kind, key) in KINDS {
            let words: Vec<_> = (0..SAMPLES).map(|i| make(seed).hash(&key(i))).collect();
            uniform(&words).map_err(|why| format!("{why}, {kind}, seed {seed}"))?;
            independent(&words).map_err(|why| format!("{why}, {kind}, seed {seed}"))?;
        }
    }
    Ok(())
}

/// Hashing a batch gives the same hashes as hashing the keys one by one, for keys of every length,
/// whether the compiler knows the length or not, and for batches of every length.
fn batches<H: KeyHasher>(hasher: &H) -> Verdict {
    fn agree<H: KeyHasher, K: Key>(hasher: &H, keys: &[K]) -> Verdict {
        let mut hashes = vec![KeyHash::new(0, 0); keys.len()];
        hasher.hash_batch(keys, &mut hashes);
        for (i, (key, hash)) in keys.iter().zip(&hashes).enumerate() {
            ensure!(
                *hash == hasher.hash_key(key),
                "key {i} of {} has another hash alone: {}",
                keys.len(),
                key.with_bytes(show)
            );
        }
        Ok(())
    }
    let integers: Vec<u64> = (0..100)
        .map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    for len in [0, 1, 31, 32, 33, 64, 100] {
        let integers = &integers[..len];
        agree(hasher, integers)?;
        agree(
            hasher,
            &integers.iter().map(|i| *i as u8).collect::<Vec<_>>(),
        )?;
        agree(
            hasher,
            &integers.iter().map(|i| *i as u32).collect::<Vec<_>>(),
        )?;
        agree(
            hasher,
            &integers
                .iter()
                .map(|i| u128::from(*i) << 3)
                .collect::<Vec<_>>(),
        )?;
        agree(
            hasher,
            &integers.iter().map(|i| [*i as u8; 17]).collect::<Vec<_>>(),
        )?;
    }
    agree(hasher, &odd())
}

/// The hash is as wide as it claims: no two of 2^19 keys have the same hash (a 32-bit hash would
/// have about 32 such pairs), and a 128-bit hash is not a single word mixed twice.
fn wide<H: KeyHasher>(hasher: &H) -> Verdict {
    const KEYS: u64 = 1 << 19;
    let hashes = (0..KEYS).map(|i| hasher.hash(&i.to_le_bytes()));
    let mut all: Vec<u128> = hashes.map(joined).collect();
    all.sort_unstable();
    let shared = all.windows(2).filter(|pair| pair[0] == pair[1]).count();
    ensure!(
        shared == 0,
        "{shared} of {KEYS} keys share a hash: it is narrower than stated"
    );
    let remixed = |i: u64| {
        let hash = hasher.hash(&i.to_le_bytes());
        hash == KeyHash::from_word(hash.place)
    };
    ensure!(
        H::HASH_BITS == 64 || !(0..8).all(remixed),
        "HASH_BITS is {}, but the hash is one word remixed",
        H::HASH_BITS
    );
    Ok(())
}

/// A hasher that is not part of this project has an ID from [`USER_HASHER_IDS`].
///
/// # Errors
///
/// The ID that is outside this range.
pub fn user_id<H: KeyHasher>(_make: impl Fn(u64) -> H) -> Verdict {
    ensure!(
        USER_HASHER_IDS.contains(&H::ID),
        "ID {:#06x} is not from {USER_HASHER_IDS:#06x?}",
        H::ID
    );
    Ok(())
}

/// Equal seeds make equal hashers with equal hashes. Different seeds make hashers that are unequal,
/// report different `seed()`, and hash every key differently, including the empty key. Not for
/// functions without a seed.
///
/// # Errors
///
/// The two seeds and the key.
pub fn seeds<H: KeyHasher>(make: impl Fn(u64) -> H) -> Verdict {
    let mut seeds: Vec<u64> = (0..20).collect();
    seeds.extend((5..64).map(|bit| 1 << bit));
    seeds.push(u64::MAX);
    let keys: Vec<Vec<u8>> = odd()
        .into_iter()
        .filter(|key| key.len() < 1_000)
        .step_by(7)
        .collect();
    for (i, &a) in seeds.iter().enumerate() {
        ensure!(
            make(a) == make(a) && make(a).seed() == make(a).seed(),
            "seed {a} makes two hashers"
        );
        for &b in &seeds[..i] {
            ensure!(make(a) != make(b), "hashers of seeds {a} and {b} are equal");
            ensure!(
                make(a).seed() != make(b).seed(),
                "seed() is the same for {a} and {b}"
            );
            for key in &keys {
                let (one, two) = (make(a).hash(key), make(b).hash(key));
                ensure!(
                    one.place != two.place && one.probe != two.probe,
                    "seeds {a} and {b} share a word of the hash of {}",
                    show(key)
                );
            }
        }
    }
    Ok(())
}

const SAMPLES: u64 = 1 << 14;

/// Sets of different keys with little entropy.
type Kind = fn(u64) -> Vec<u8>;
const KINDS: [(&str, Kind); 4] = [
    ("sequential u64", |i| i.to_le_bytes().to_vec()),
    ("u64 in strides of 2^40", |i| {
        (i << 40).to_le_bytes().to_vec()
    }),
    ("decimal ids", |i| format!("user:{i:08}").into_bytes()),
    ("long keys with a counter in front", |i| {
        let mut key = i.to_le_bytes().to_vec();
        key.resize(100, 0);
        key
    }),
];

/// Flipping any bit of a key flips each bit of both words in half of the cases.
fn avalanche(hasher: &impl KeyHasher, len: usize) -> Verdict {
    const SAMPLES: u32 = 1_024;
    let mut rng = Rng::new(80);
    let mut flips = vec![[0u32; 128]; 8 * len];
    for _ in 0..SAMPLES {
        let mut key = rng.bytes(len);
        let hash = joined(hasher.hash(&key));
        for (bit, flips) in flips.iter_mut().enumerate() {
            key[bit / 8] ^= 1 << (bit % 8);
            count_bits(hash ^ joined(hasher.hash(&key)), flips);
            key[bit / 8] ^= 1 << (bit % 8);
        }
    }
    for (bit, flips) in flips.iter().enumerate() {
        half_of(SAMPLES, flips).map_err(|(out, count)| {
            format!(
                "bit {bit} of keys of {len} bytes flips {} in {count} of {SAMPLES} cases",
                bit_name(out)
            )
        })?;
    }
    Ok(())
}

/// The top and the low byte of both words and of their XOR are uniform: neither too uneven
/// (chi-square) nor too even, as those of a counter would be.
fn uniform(hashes: &[KeyHash]) -> Verdict {
    type Byte = fn(&KeyHash) -> u64;
    let bytes: [(&str, Byte); 6] = [
        ("top byte of place", |hash| hash.place >> 56),
        ("low byte of place", |hash| hash.place & 0xff),
        ("top byte of probe", |hash| hash.probe >> 56),
        ("low byte of probe", |hash| hash.probe & 0xff),
        ("top byte of place ^ probe", |hash| {
            (hash.place ^ hash.probe) >> 56
        }),
        ("low byte of place ^ probe", |hash| {
            (hash.place ^ hash.probe) & 0xff
        }),
    ];
    let expected = hashes.len() as f64 / 256.0;
    for (name, byte) in bytes {
        let mut counts = [0.0; 256];
        for hash in hashes {
            counts[byte(hash) as usize] += 1.0;
        }
        let chi2: f64 = counts
            .iter()
            .map(|count: &f64| (count - expected) * (count - expected) / expected)
            .sum();
        // 255 degrees of freedom: mean 255, standard deviation 22.6; the limits are exceeded with
        // probability below 1e-8.
        ensure!(
            (140.0..=400.0).contains(&chi2),
            "{name} has chi-square {chi2:.0} over 256 bins"
        );
    }
    Ok(())
}

/// No bit of one word depends on a bit of the other: each of the 64 x 64 pairs of bits is equal in
/// half of the cases. This fails if one word is a copy, rotation, negation or multiple of the
/// other.
fn independent(hashes: &[KeyHash]) -> Verdict {
    const SAMPLES: u32 = 1_024;
    for rotation in 0..64 {
        let mut agree = [0; 128];
        for hash in &hashes[..SAMPLES as usize] {
            count_bits(
                u128::from(hash.place ^ hash.probe.rotate_left(rotation)),
                &mut agree,
            );
        }
        half_of(SAMPLES, &agree[..64]).map_err(|(bit, count)| {
            let other = (bit as u32 + 64 - rotation) % 64;
            format!(
                "bit {bit} of place and bit {other} of probe differ in {count} of {SAMPLES} hashes"
            )
        })?;
    }
    Ok(())
}

fn joined(hash: KeyHash) -> u128 {
    u128::from(hash.probe) << 64 | u128::from(hash.place)
}

fn bit_name(bit: usize) -> String {
    let word = if bit < 64 { "place" } else { "probe" };
    format!("bit {} of {word}", bit % 64)
}

fn count_bits(word: u128, counts: &mut [u32; 128]) {
    for (bit, count) in counts.iter_mut().enumerate() {
        *count += (word >> bit) as u32 & 1;
    }
}

/// Returns the first index whose count differs from half of the samples by more than 6.5 standard
/// deviations.
fn half_of(samples: u32, counts: &[u32]) -> Result<(), (usize, u32)> {
    let half = f64::from(samples) / 2.0;
    let allowed = 6.5 * f64::from(samples).sqrt() / 2.0;
    for (i, &count) in counts.iter().enumerate() {
        if (f64::from(count) - half).abs() > allowed {
            return Err((i, count));
        }
    }
    Ok(())
}
