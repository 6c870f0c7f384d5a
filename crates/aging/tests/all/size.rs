//! Sizes and FPRs.

use bouquet_aging::{AgingBloom, Inspect, math};

/// The table of the paper's authors: numbers of hashes and generations by target FPR.
const TABLE: [(f64, &[(u32, u32)]); 5] = [
    (0.1, &[(4, 3), (5, 7), (6, 14), (7, 28), (8, 56)]),
    (
        0.01,
        &[(7, 5), (8, 8), (9, 14), (10, 25), (11, 46), (12, 88)],
    ),
    (
        0.001,
        &[(10, 7), (11, 9), (12, 14), (13, 23), (14, 40), (15, 74)],
    ),
    (1e-4, &[(14, 11), (15, 15), (16, 22), (17, 36), (18, 63)]),
    (1e-5, &[(17, 13), (18, 16), (19, 22), (20, 33), (21, 54)]),
];

/// They do when a generation begins; when it ends, their FPR is up to half above it.
#[test]
fn the_pairs_of_the_paper_reach_their_targets() {
    for (target, pairs) in TABLE {
        for (hashes, generations) in pairs {
            let rising =
                (0..*hashes).map(|age| 1.0 - (-f64::from(age) / f64::from(*hashes)).exp2());
            let half = std::iter::repeat_n(0.5, *generations as usize);
            let fpr = math::run_probability(rising.chain(half), *hashes);
            assert!(
                (0.7 * target..1.005 * target).contains(&fpr),
                "{hashes} {generations}: {fpr} of {target}"
            );
            assert!(math::half_full_fpr(*hashes, *generations) < 1.5 * target);
        }
    }
}

#[test]
fn no_more_bits_than_a_tenth_above_the_table() {
    for (target, pairs) in TABLE {
        let bits = pairs
            .iter()
            .map(|(k, l)| f64::from(k * (k + l)) / f64::from(*l) / core::f64::consts::LN_2);
        let best = bits.fold(f64::INFINITY, f64::min);
        for capacity in [10_000, 1_000_000] {
            let filter = AgingBloom::new(capacity, target).unwrap();
            let own = filter.size_bits() as f64 / capacity as f64;
            assert!(own <= 1.1 * best, "{target}: {own} and {best}");
        }
    }
}

#[test]
fn the_target_is_met_at_every_moment() {
    for capacity in [1, 2, 3, 10, 100, 1_000, 100_000] {
        for target in [0.3, 0.1, 0.01, 1e-4] {
            let filter = AgingBloom::new(capacity, target).unwrap();
            let g = filter.geometry().generation_keys();
            let whole = g * u64::from(filter.geometry().slices() + 2);
            for keys in (0..=whole).step_by((whole / 300).max(1) as usize) {
                let fpr = filter.expected_fpr(keys);
                assert!(
                    fpr <= target * (1.0 + 1e-9),
                    "{capacity} {target} {keys}: {fpr}"
                );
            }
        }
    }
}

/// Over a hundred windows, just before each generation ends.
#[test]
fn the_measured_fpr_is_the_expected_one() {
    let (window, target) = (2_000_u64, 0.01);
    let mut filter = AgingBloom::new(window as usize, target).unwrap();
    let g = filter.geometry().generation_keys();
    let (mut asked, mut found, mut estimated) = (0_u64, 0_u64, 0.0);
    let mut generations = 0.0;
    for key in 0..100 * window {
        filter.insert(&key);
        if (key + 1) % g == 0 && key > 2 * window {
            for other in 0..500 {
                asked += 1;
                found += u64::from(filter.contains(&(1 << 40 | key << 10 | other)));
            }
            estimated += filter.estimated_fpr();
            generations += 1.0;
        }
    }
    let expected = filter.expected_fpr(100 * window / g * g);
    let measured = found as f64 / asked as f64;
    let deviation = (expected / asked as f64).sqrt();
    assert!(
        (measured - expected).abs() < 5.0 * deviation,
        "{measured} {expected} {deviation}"
    );
    assert!(
        (estimated / generations / expected - 1.0).abs() < 0.02,
        "{estimated} {expected}"
    );
    assert!(measured < target);
}

#[test]
fn keys_are_estimated() {
    let mut filter = AgingBloom::new(10_000, 0.01).unwrap();
    for key in 0..50_000_u64 {
        filter.insert(&key);
        if key == 1_000 || key == 49_999 {
            let inside = (key + 1).min(10_400) as f64;
            let estimate = filter.estimated_keys();
            assert!(
                (estimate / inside - 1.0).abs() < 0.06,
                "{estimate} of {inside}"
            );
        }
    }
}
