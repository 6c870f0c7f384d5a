//! Compares formulas with the reference tables about sample sizes, test power and 32-bit hashes.

use statrs::distribution::{DiscreteCDF, Poisson};

use super::rows;
use bouquet_stats::z_two_sided;

fn z_one_sided(level: f64) -> f64 {
    z_two_sided(2.0 * level - 1.0)
}

#[test]
fn multiple_comparison() {
    let table = include_str!("../../../../data/multiple_comparison.csv");
    for row in rows(table, 15) {
        let (checks, level) = (row.number("checks"), row.number("fwer"));
        let alpha = level / checks;
        row.is("per_check_alpha_bonferroni", alpha);
        let z = z_two_sided(1.0 - alpha);
        row.is("z_two_sided", z);
        row.is(
            "noncentrality_for_power99_1df",
            (z + z_one_sided(0.99)).powi(2),
        );
        let fails = |naive: f64| 1.0 - (1.0 - naive).powf(checks);
        row.is("clean_run_failure_if_naive_alpha_0.05", fails(0.05));
        row.is("naive_0.01", fails(0.01));
        row.is("naive_0.001", fails(0.001));
    }
}

/// Half the width of Wilson's confidence interval.
fn wilson(p: f64, n: f64, z: f64) -> f64 {
    z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt()
}

#[test]
fn sample_size() {
    let table = include_str!("../../../../data/sample_size.csv");
    for row in rows(table, 45) {
        let (p, half) = (row.number("p"), row.number("rel_half_width"));
        let z = z_two_sided(row.number("confidence"));
        let wald = (z * z * (1.0 - p) / (p * half * half)).ceil();
        row.is("n_wald", wald);
        let n = row.number("n_wilson");
        // The search that made the table stopped at a relative step of 1e-7.
        let step = 1.0 + 1e-7 * n;
        let relative = |n: f64| wilson(p, n, z) / p;
        assert!(
            relative(n + step) <= half && relative(n - step) >= half,
            "{n}"
        );
        row.is("expected_fp_at_n_wilson", p * n);
    }
}

/// Checks that the table's threshold is the smallest number of false positives that a correct
/// filter reaches with a probability of at most alpha, and that the table's power belongs to it.
#[test]
fn gate_power() {
    let table = include_str!("../../../../data/reference/gate_power.csv");
    for row in rows(table, 144) {
        let (mean, ratio) = (
            row.number("mu_expected_fp_under_null"),
            row.number("ratio_alt"),
        );
        let (alpha, fail_at) = (
            row.number("alpha_one_sided"),
            row.count("fail_if_fp_at_least"),
        );
        let at_least = |hits: u64, mean: f64| Poisson::new(mean).unwrap().sf(hits - 1);
        // The table prints the mean with only five digits.
        let least = |mean: f64, hits| at_least(hits, mean * (1.0 - 1e-4)) <= alpha;
        assert!(least(mean, fail_at));
        assert!(at_least(fail_at - 1, mean * (1.0 + 1e-4)) > alpha);
        let power = at_least(fail_at, ratio * mean * (1.0 + 1e-4));
        assert!(power >= row.number("power"), "{power} at {mean}");
        let probes = mean / row.number("p_null");
        row.near("negative_probes", probes, 1.0 + 1e-4 * probes);
    }
}

/// If 32-bit hashes are reduced mod m, some slots get one hash value more than the others. The test
/// computes the resulting FPR and non-uniformity.
#[test]
fn reduction_bias() {
    const WORDS: u64 = 1 << 32;
    let table = include_str!("../../../../data/reference/reduction_bias_32bit.csv");
    for row in rows(table, 16) {
        let m = row.count("m");
        let (quotient, rest) = (WORDS / m, WORDS % m);
        row.is("m_over_2^32", m as f64 / WORDS as f64);
        row.is("q", quotient as f64);
        row.is("r_high_locations", rest as f64);
        let throws = 7.0 * m as f64 / 9.585;
        let set = |words: u64| -(-throws * words as f64 / WORDS as f64).exp_m1();
        let part = |slots: u64, words: u64| slots as f64 * words as f64 / WORDS as f64 * set(words);
        let biased = (part(rest, quotient + 1) + part(m - rest, quotient)).powi(7);
        let unbiased = (-(-7.0f64 / 9.585).exp_m1()).powi(7);
        row.is("fpr_unbiased_k7_bpk9.585", unbiased);
        row.is("fpr_biased", biased);
        row.is("ratio", biased / unbiased);
        if m < WORDS {
            // Computes m sum p^2 - 1, over the probabilities p of the slots, without cancellation.
            let (m, mean) = (m as f64, 1.0 / m as f64);
            let square = |words: u64| (words as f64 / WORDS as f64 - mean).powi(2);
            let (high, low) = (rest as f64, m - rest as f64);
            let uneven = m * (high * square(quotient + 1) + low * square(quotient));
            row.within("ncp_per_location_all_m_bins", uneven, 1e-5);
        }
    }
}
