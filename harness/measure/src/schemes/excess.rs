//! Simulates the FPR of location schemes, and compares it with `scheme_fpr.csv` and
//! `scheme_excess.csv`, within the standard errors of both. The hash words are drawn uniformly, so
//! that only the arithmetic of the scheme matters.

use bouquet_core::{KeyHash, Locate};
use bouquet_hash::{
    reduce::multiply_shift,
    scheme::{BitsAndBlooms, DoubleHashing, EnhancedDoubleHashing},
};
use bouquet_interop::redisbloom::{self, RedisBloomHash};
use bouquet_stats::reference::Array;

use crate::workload::mix;

/// The largest allowed difference between a simulated FPR and that in the file, in standard errors.
/// With 243 rows, no larger difference is expected by chance, even if an FPR is based on a dozen
/// false positives.
const SIGMAS: f64 = 6.0;

type Words = [u64; 4];

/// The locations of a key with these hash words; `scheme` is the scheme's name in the file.
fn locations(scheme: &str, m: u64, k: u32, words: Words) -> Vec<u64> {
    let [a, b, c, _] = words;
    let hash = KeyHash::new;
    let each = |place: &dyn Fn(u64) -> u64| (0..u64::from(k)).map(place).collect();
    let line = |i: u64| a.wrapping_add(i.wrapping_mul(b));
    let double = |step| all(DoubleHashing::new(m, k).unwrap(), hash(a, step));
    let wrapped = |step| {
        let hash = RedisBloomHash { start: a, step };
        all(redisbloom::Scheme::new(m, k).unwrap(), hash)
    };
    match scheme {
        "independent" => each(&|i| multiply_shift(mix(a ^ mix(b.wrapping_add(i))), m)),
        "dh_mod_m(h2 in 0..m-1)" => double(b),
        "dh_mod_m(h2 in 1..m-1)" => double(1 + b % (m - 1)),
        "dh_even_h2(BAD)" => wrapped(b & !1),
        "linear_probe_h2=1(BAD)" => double(1),
        "dh_wrap64_then_mod" => wrapped(b),
        "dh_wrap64_odd_h2" => wrapped(b | 1),
        "dh_wrap64_fastrange" => each(&|i| multiply_shift(line(i), m)),
        "enhanced_dh_wrap64" => all(EnhancedDoubleHashing::new(m, k).unwrap(), hash(a, b)),
        "enhanced_dh_mod_m" => {
            let cubic = |i: u64| (i * i * i - i) / 6;
            each(&|i| (a % m + i * (b % m) + cubic(i)) % m)
        }
        "triple_hash_wrap64" => each(&|i| line(i).wrapping_add((i * i).wrapping_mul(c)) % m),
        "bits_and_blooms_4hash" => all(BitsAndBlooms::new(m, k).unwrap(), words),
        "guava_mitz32_like" => each(&|i| {
            let x = (a as u32).wrapping_add((i as u32 + 1).wrapping_mul(b as u32)) as i32;
            (if x < 0 { !x } else { x }) as u64 % m
        }),
        "fastbloom_like_rotmul" => {
            let turn = |word: u64| word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
            each(&|i| multiply_shift((0..i).fold(a, |word, _| turn(word)), m))
        }
        other => panic!("{other}"),
    }
}

fn all<G: Locate>(geometry: G, hash: G::Hash) -> Vec<u64> {
    let mut slots = Vec::new();
    geometry.locate(&hash, &mut |slot| slots.push(slot));
    slots
}

/// A row of `scheme_fpr.csv` or `scheme_excess.csv`: the FPR of a scheme and its standard error.
struct Seen<'a> {
    scheme: &'a str,
    m: u64,
    k: u32,
    n: u64,
    fpr: f64,
    error: f64,
    non_members: u64,
}

impl Seen<'_> {
    /// The simulated FPR, as the mean over filters with different hash words, and its standard
    /// error.
    fn seen(&self) -> (f64, f64) {
        let a_filter = self.n.max(500);
        let filters = (self.non_members / a_filter).max(40);
        let mut next = mix(self.m ^ u64::from(self.k) << 32);
        let mut words = || {
            next = next.wrapping_add(4);
            [0, 1, 2, 3].map(|n| mix(mix(next.wrapping_add(n))))
        };
        let rates: Vec<f64> = (0..filters)
            .map(|_| {
                let mut bits = vec![false; self.m as usize];
                let mut of_key = || locations(self.scheme, self.m, self.k, words());
                for _ in 0..self.n {
                    of_key().iter().for_each(|slot| bits[*slot as usize] = true);
                }
                let found = (0..a_filter).filter(|_| of_key().iter().all(|s| bits[*s as usize]));
                found.count() as f64 / a_filter as f64
            })
            .collect();
        let mean = rates.iter().sum::<f64>() / filters as f64;
        let squares: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
        let error = (squares / (filters * (filters - 1)) as f64).sqrt();
        // The error must not be zero, even if no false positive was found.
        (mean, error.max(1.0 / (filters * a_filter) as f64))
    }

    /// A description of the difference, if it is too large.
    fn difference(&self) -> Option<String> {
        let (mean, error) = self.seen();
        let sigmas = (mean - self.fpr).abs() / error.hypot(self.error);
        (sigmas > SIGMAS).then(|| {
            let Self { scheme, m, k, .. } = self;
            format!("{scheme} m = {m} k = {k}: {mean:e}, {:e} there", self.fpr)
        })
    }
}

fn check(rows: &[Seen<'_>], count: usize) {
    assert_eq!(rows.len(), count);
    let wrong: Vec<_> = rows.iter().filter_map(Seen::difference).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Splits a line into the name of the scheme and the numbers.
fn cells(line: &str) -> (&str, Vec<f64>) {
    let (name, rest) = line.split_once(',').unwrap();
    (name, rest.split(',').map(|c| c.parse().unwrap()).collect())
}

#[test]
fn rates_of_schemes() {
    let table = include_str!("../../../data/scheme_fpr.csv");
    let row = |line| {
        let (scheme, cell) = cells(line);
        let row = Seen {
            scheme,
            m: cell[0] as u64,
            k: cell[1] as u32,
            n: cell[2] as u64,
            fpr: cell[5],
            error: cell[6],
            non_members: 150_000,
        };
        // The file also has the exact FPR.
        let exact = Array::whole(row.m, row.k).fpr(row.n).mean;
        assert!((cell[4] / exact - 1.0).abs() < 1e-7, "{line}: {exact}");
        row
    };
    check(&table.lines().skip(1).map(row).collect::<Vec<_>>(), 189);
}

#[test]
fn excess_of_schemes() {
    let table = include_str!("../../../data/scheme_excess.csv");
    let row = |line| {
        let (scheme, cell) = cells(line);
        let (m, k, n) = (cell[0] as u64, cell[1] as u32, cell[2] as u64);
        Seen {
            scheme,
            m,
            k,
            n,
            fpr: Array::whole(m, k).fpr(n).mean + cell[3] / m as f64,
            error: cell[4] / m as f64,
            non_members: 600_000,
        }
    };
    check(&table.lines().skip(1).map(row).collect::<Vec<_>>(), 54);
}

/// Compares `guava_mitz32_like` with Guava's own scheme, for an array of 16 words.
#[test]
fn the_flipped_line_is_guava_s() {
    use bouquet_interop::guava::{GuavaHash, Mitz32};
    let scheme = Mitz32::new(16, 7).unwrap();
    for key in 0..1_000u64 {
        let (a, b) = (mix(key), mix(!key));
        let low = a & 0xffff_ffff | b << 32;
        let guava = all(scheme, GuavaHash { low, high: 0 });
        assert_eq!(
            locations("guava_mitz32_like", 1_024, 7, [a, b, 0, 0]),
            guava
        );
    }
}
