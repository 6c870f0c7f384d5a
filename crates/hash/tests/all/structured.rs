//! Tests that the default hasher maps structured keys to uniform locations in filters of every
//! size: chi-square tests of each probe's high bits, its low bits and its distance from the
//! same probe of the previous key.
use crate::sets::SETS;
use bouquet_core::KeyHasher;
use bouquet_hash::{Folded, scheme::RotateAdd};

/// From the size of one word to the largest size that the format allows.
const SIZES: [u64; 8] = [
    64,
    1_009,
    958_511,
    1 << 20,
    1 << 32,
    (1 << 40) + 15,
    (1 << 48) - 59,
    1 << 48,
];
const HASHES: u32 = 7;
const KEYS: u64 = 1 << 15;
const BINS: usize = 64;

/// The name of a kind of text, and the function that computes its i-th key.
type Text = (&'static str, fn(u64) -> Vec<u8>);

/// A number as text, in forms that programs use.
const TEXTS: [Text; 6] = [
    ("decimals", |i| i.to_string().into_bytes()),
    ("padded decimals", |i| format!("user:{i:012}").into_bytes()),
    ("URLs", |i| {
        format!("https://example.org/en/articles/{i:016x}/index.html").into_bytes()
    }),
    ("long URLs that differ in the middle", |i| {
        format!(
            "https://example.org/{}/{i}/{}",
            "a/".repeat(30),
            "b/".repeat(40)
        )
        .into_bytes()
    }),
    ("zeros with one byte set", |i| {
        let mut bytes = vec![0; 130];
        bytes[(i % 130) as usize] = 1 + (i / 130) as u8;
        bytes
    }),
    ("a byte repeated, of 512 lengths", |i| {
        vec![(i >> 9) as u8; (i % 512) as usize + 1]
    }),
];

/// The name of a key layout, and the function that makes 16 bytes from one word, as in a tuple
/// or a 128-bit integer.
type Pair = (&'static str, fn(u64) -> [u64; 2]);

const PAIRS: [Pair; 3] = [
    ("before zero", |word| [word, 0]),
    ("behind zero", |word| [0, word]),
    ("before itself", |word| [word, word]),
];

/// The chi-square statistic of `counts` as a standard normal deviate, by the cube-root formula
/// of Wilson and Hilferty. All values are equally likely; `values` gives their number per bin.
fn deviate(counts: &[u64; BINS], values: impl Fn(usize) -> u64) -> f64 {
    let all: u64 = (0..BINS).map(&values).sum();
    let keys: u64 = counts.iter().sum();
    let chi2: f64 = (0..BINS)
        .map(|bin| {
            let expected = keys as f64 * values(bin) as f64 / all as f64;
            (counts[bin] as f64 - expected).powi(2) / expected
        })
        .sum();
    let (df, ninth) = ((BINS - 1) as f64, 2.0 / (9.0 * (BINS - 1) as f64));
    ((chi2 / df).cbrt() - (1.0 - ninth)) / ninth.sqrt()
}

/// The largest deviate of all tests, with the name of its test.
fn worst(size_bits: u64, seed: u64, key: impl Fn(u64) -> Vec<u8>) -> (f64, String) {
    let (hasher, scheme) = (
        Folded::with_seed(seed),
        RotateAdd::new(size_bits, HASHES).unwrap(),
    );
    let bins = BINS as u64;
    let high = |slot: u64| (u128::from(slot) * u128::from(bins) / u128::from(size_bits)) as usize;
    let in_high = |bin: usize| {
        let first = |bin: u64| (u128::from(bin) * u128::from(size_bits)).div_ceil(u128::from(bins));
        (first(bin as u64 + 1) - first(bin as u64)) as u64
    };
    let in_low = |bin: usize| size_bits / bins + u64::from((bin as u64) < size_bits % bins);
    let mut counts = [[[0; BINS]; 3]; HASHES as usize];
    let mut before = [0; HASHES as usize];
    for number in 0..KEYS {
        let locations = scheme.locations(hasher.hash(&key(number)));
        for (probe, slot) in locations.enumerate() {
            let away = (slot + size_bits - before[probe]) % size_bits;
            let of = &mut counts[probe];
            of[0][high(slot)] += 1;
            of[1][(slot % bins) as usize] += 1;
            of[2][high(away)] += 1;
            before[probe] = slot;
        }
    }
    let mut worst = (0.0, String::new());
    for (probe, [of_high, of_low, of_away]) in counts.iter().enumerate() {
        for (what, deviate) in [
            ("high bits", deviate(of_high, in_high)),
            ("low bits", deviate(of_low, in_low)),
            ("distances", deviate(of_away, in_high)),
        ] {
            if f64::abs(deviate) > worst.0 {
                worst = (f64::abs(deviate), format!("{what} of probe {probe}"));
            }
        }
    }
    worst
}

/// Checks 21 results for each of 58 key sets, 2 seeds and 8 sizes to be within 6 standard
/// errors. With random keys the test would fail by chance once in 25,000 runs; the keys are
/// fixed.
#[test]
fn structured_keys_are_uniform_in_filters_of_every_size() {
    for size_bits in SIZES {
        for seed in [0, 0x0123_4567_89ab_cdef] {
            let check = |name: &str, (deviate, what): (f64, String)| {
                assert!(
                    deviate < 6.0,
                    "m = {size_bits}, {name}, seed {seed}: {what} is {deviate:.2}"
                );
            };
            for (name, key) in SETS {
                check(
                    name,
                    worst(size_bits, seed, |i| key(i).to_le_bytes().to_vec()),
                );
                for (where_to, pair) in PAIRS {
                    let bytes = |i| pair(key(i)).map(u64::to_le_bytes).concat();
                    check(
                        &format!("{name}, {where_to}"),
                        worst(size_bits, seed, bytes),
                    );
                }
            }
            for (name, text) in TEXTS {
                check(name, worst(size_bits, seed, text));
            }
        }
    }
}

/// Shows that the test above can fail: the low bits of a product do not depend on all bits of
/// the key.
#[test]
fn one_product_is_found() {
    let (hasher, size_bits) = (Folded::with_seed(0), 1u64 << 20);
    let mut counts = [0; BINS];
    for number in 0..KEYS {
        // A hash that multiplies the key once and takes the low bits.
        let product = number.wrapping_mul(hasher.hash(&[]).probe | 1);
        counts[(product % BINS as u64) as usize] += 1;
    }
    assert!(deviate(&counts, |_| size_bits / BINS as u64).abs() > 6.0);
}
