//! Compares the formulas of the filter crates with every reference table that contains theoretical
//! values, row by row and column by column.
//!
//! A computed value must be within half a unit of the last printed digit, or within the tolerance
//! that the test states for the column.
//!
//! Tables that contain only simulated values are not compared here (battery, battery_bigN,
//! chi2_calibration, chi2_tail_small_E, scheme_fpr, scheme_excess). The table chi2_critical is
//! compared in the chi-square tests.

mod statistics;

use std::f64::consts::{E, LN_2};

use bouquet_core::{
    Fill as _,
    math::{
        best_hashes, estimate_parameters, expected_fill, expected_fpr, fpr_deviation,
        fpr_given_fill, min_bits_exact, textbook_fpr,
    },
};
use bouquet_counting::math::counter_at_least;
use bouquet_cuckoo::math::fpr_at_load;
use bouquet_scalable::math::{compound_fpr, first_fpr};
use bouquet_sharded::math::mean_over_loads;
use bouquet_standard::Geometry;
use statrs::distribution::{Binomial, DiscreteCDF};

use super::{classic_hashes, distinct};
use crate::filter::last;

pub struct Record {
    names: Vec<String>,
    cells: Vec<String>,
}

impl Record {
    pub fn cell(&self, name: &str) -> &str {
        let at = self.names.iter().position(|column| column == name);
        &self.cells[at.unwrap_or_else(|| panic!("no column {name}"))]
    }

    pub fn number(&self, name: &str) -> f64 {
        let cell = self.cell(name);
        cell.parse()
            .unwrap_or_else(|_| panic!("{name} is {cell:?}"))
    }

    pub fn count(&self, name: &str) -> u64 {
        self.number(name) as u64
    }

    pub fn small(&self, name: &str) -> u32 {
        self.number(name) as u32
    }

    /// Asserts that `got` is within half a unit of the last digit printed in the column `name`.
    pub fn is(&self, name: &str, got: f64) {
        self.within(name, got, 0.0);
    }

    /// Like [`is`](Self::is), but also accepts a relative error of up to `relative`.
    pub fn within(&self, name: &str, got: f64, relative: f64) {
        self.near(name, got, relative * self.number(name).abs());
    }

    /// Like [`is`](Self::is), but also accepts an absolute error of up to `absolute`.
    pub fn near(&self, name: &str, got: f64, absolute: f64) {
        let (cell, want) = (self.cell(name), self.number(name));
        let allowed = (0.5 * last_digit(cell) * (1.0 + 1e-6)).max(absolute);
        assert!(
            (got - want).abs() <= allowed + 4.0 * f64::EPSILON * want.abs(),
            "{name}: {got:e} for {cell} in {:?}",
            self.cells
        );
    }
}

/// The value of one unit in the last printed digit of a number.
fn last_digit(cell: &str) -> f64 {
    let (digits, exponent) = cell.split_once('e').unwrap_or((cell, "0"));
    let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
    let exponent: i32 = exponent.parse().unwrap();
    10f64.powi(exponent - behind as i32)
}

pub fn rows(table: &str, count: usize) -> Vec<Record> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let strings = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let names: Vec<String> = strings(reader.headers().unwrap());
    let rows: Vec<Record> = reader
        .records()
        .map(|record| Record {
            names: names.clone(),
            cells: strings(&record.unwrap()),
        })
        .collect();
    assert_eq!(rows.len(), count);
    rows
}

#[test]
fn half_a_unit_of_the_last_digit() {
    for (cell, want) in [
        ("1.25", 0.01),
        ("3", 1.0),
        ("2.50e-3", 1e-5),
        ("0.10", 0.01),
    ] {
        assert!((last_digit(cell) / want - 1.0).abs() < 1e-12);
    }
}

#[test]
fn classic() {
    let table = include_str!("../../../data/reference/classic_fpr_exact.csv");
    for row in rows(table, 864) {
        let (m, k, n) = (row.count("m"), row.small("k"), row.count("n"));
        let (exact, textbook) = (expected_fpr(m, k, n), textbook_fpr(m as f64, k, n as f64));
        row.is("fpr_exact_iid", exact);
        row.is("fpr_approx", textbook);
        // Subtracting 1 from a quotient near 1 leaves an absolute accuracy of only about 1e-14.
        let excess = exact / textbook - 1.0;
        row.near("rel_excess_exact_over_approx", excess, 1e-14);
        let array = Geometry::new(m, k).unwrap();
        let (mean, variance) = (array.fill_mean(n), array.fill_variance(n));
        row.is("fill_mean", mean);
        row.is("fill_sd", variance.sqrt());
        let sd = fpr_deviation(1.0, k, mean, variance);
        row.is("rel_sd_fpr_across_filters", sd);
        if !row.cell("fpr_exact_distinct_probes").is_empty() {
            let distinct = distinct::expected_fpr(m, k, n);
            row.is("fpr_exact_distinct_probes", distinct);
        }
        let part = m / u64::from(k);
        let parts = bouquet_partitioned::math::expected_fpr(part, k, n);
        row.is("fpr_partitioned_exact", parts);
        row.is("m_used_partitioned", (part * u64::from(k)) as f64);
    }
}

#[test]
fn sizing() {
    for row in rows(include_str!("../../../data/reference/sizing.csv"), 98) {
        let (n, p, m) = (row.count("n"), row.number("p"), row.count("m_ceil"));
        let textbook = estimate_parameters(n, p).unwrap();
        let k = textbook.hashes;
        row.is("m_ceil", textbook.size_bits as f64);
        row.is("k_round", k.into());
        row.is("bits_per_key", m as f64 / n as f64);
        row.is("k_round_log2p", (1.0 / p).log2().round());
        row.is("k_ceil", (m as f64 / n as f64 * LN_2).ceil());
        row.is("fpr_exact_at_m_k_round", expected_fpr(m, k, n));
        row.is("ratio_to_p", expected_fpr(m, k, n) / p);
        let best = best_hashes(m, n);
        row.is("k_best_exact", best.into());
        row.is("fpr_at_k_best", expected_fpr(m, best, n));
        let up = m.next_multiple_of(64);
        row.is("m_rounded_up_64", up as f64);
        row.is("ratio_to_p_at_m64", expected_fpr(up, k, n) / p);
    }
}

#[test]
fn least_size() {
    for row in rows(include_str!("../../../data/reference/min_m_exact.csv"), 32) {
        let (n, p) = (row.count("n"), row.number("p"));
        let textbook = estimate_parameters(n, p).unwrap();
        let (m, k) = (textbook.size_bits, textbook.hashes);
        row.is("m_formula_ceil", m as f64);
        row.is("k_round", k.into());
        row.is("ratio_exact_fpr_to_p", expected_fpr(m, k, n) / p);
        let least = min_bits_exact(n, p).unwrap();
        row.is("m_min_exact_fpr_le_p", least.size_bits as f64);
        row.is("m_min_over_formula", least.size_bits as f64 / m as f64);
        if row.cell("n") == "1" && row.cell("p") == "1e-09" {
            // In this row, the table has 24 hashes, because its search began at 24; 22 are enough.
            assert_eq!(least.hashes, 22);
        } else {
            row.is("k_at_m_min", least.hashes.into());
        }
    }
}

/// The FPR of a blocked filter; `layout` is the table's name for the layout of its blocks.
fn fpr_of_blocks(layout: &str, block_bits: u64, k: u32, keys: u64, blocks: u32) -> f64 {
    let mut known = std::collections::HashMap::new();
    mean_over_loads(keys, blocks, |load| {
        *known.entry(load).or_insert_with(|| match layout {
            "blocked_iid" => expected_fpr(block_bits, k, load),
            "blocked_distinct" => distinct::expected_fpr(block_bits, k, load),
            // A block with words is like a partitioned filter whose partitions are the words.
            "sbbf_8x32" | "split_8x64" | "split_16x32" => {
                let word_bits = block_bits / u64::from(k);
                bouquet_partitioned::math::expected_fpr(word_bits, k, load)
            }
            other => panic!("{other}"),
        })
    })
}

/// The limit of `fpr_of_blocks` for infinitely many blocks. Doubling the number n of blocks halves
/// the distance from the limit, so the limit is 2 FPR(2n blocks) - FPR(n blocks).
fn fpr_of_many_blocks(layout: &str, block_bits: u64, k: u32, bits_per_key: f64) -> f64 {
    // The number of blocks is a multiple of the bits per key, which makes the number of keys whole.
    let at = |times: u32| {
        let (keys, blocks) = (block_bits * u64::from(times), bits_per_key as u32 * times);
        fpr_of_blocks(layout, block_bits, k, keys, blocks)
    };
    2.0 * at(1 << 26) - at(1 << 25)
}

#[test]
fn blocked() {
    for row in rows(include_str!("../../../data/reference/blocked_fpr.csv"), 122) {
        let (layout, k) = (row.cell("variant"), row.small("k"));
        let (bits, per_key) = (row.count("block_bits"), row.number("bits_per_key"));
        let fpr = |k| fpr_of_many_blocks(layout, bits, k, per_key);
        let poisson = fpr(k);
        row.is("fpr_poisson", poisson);
        let classic_k = classic_hashes(per_key);
        let classic = textbook_fpr(per_key, classic_k, 1.0);
        row.is("k_classic", classic_k.into());
        row.is("fpr_classic_same_bpk", classic);
        row.is("ratio_to_classic", poisson / classic);
        if row.cell("is_best_k") == "1" && layout.starts_with("blocked") {
            assert!(fpr(k + 1) >= poisson && (k == 1 || fpr(k - 1) >= poisson));
        }
        // The table rounds the number of blocks to the nearest whole number, and ties to the even
        // one.
        let blocks = (10_000.0 * per_key / bits as f64).round_ties_even() as u32;
        let few = fpr_of_blocks(layout, bits, k, 10_000, blocks);
        row.is("fpr_binomial_n10000", few);
    }
}

#[test]
fn cuckoo() {
    for row in rows(include_str!("../../../data/reference/cuckoo_fpr.csv"), 176) {
        let (slots, load) = (row.small("bucket_size"), row.number("load"));
        let bits = row.small("fingerprint_bits");
        let met = 2.0 * f64::from(slots);
        let all = f64::from(bits).exp2();
        row.is("bound_2b_over_2f", met / all);
        // The formula of `fpr_at_load`, but without reserving a fingerprint value for empty slots.
        let unreserved = expected_fill(1 << bits, met * load);
        row.is("fpr_expected_all_fp_values", unreserved);
        row.is("fpr_expected_zero_reserved", fpr_at_load(slots, bits, load));
        row.is("bits_per_key", f64::from(bits) / load);
    }
}

#[test]
fn scalable() {
    let table = include_str!("../../../data/reference/scalable_compound.csv");
    for row in rows(table, 225) {
        let (target, ratio) = (row.number("target_P"), row.number("tightening_r"));
        let first = match row.cell("first_layer_rule") {
            "P0=P" => target,
            _ => first_fpr(target, ratio),
        };
        let layers = row.small("layers");
        let fprs: Vec<f64> = (0..layers as i32).map(|i| first * ratio.powi(i)).collect();
        let compound = compound_fpr(fprs.iter().copied());
        row.is("p0", first);
        row.is("fpr_compound_all_full", compound);
        row.is("compound_over_target", compound / target);
        let hashes = |fpr: &f64| -fpr.log2();
        let last = hashes(fprs.last().unwrap());
        row.is("last_layer_bits_per_key", last / LN_2);
        row.is("last_layer_k", last.ceil());
        let sizes = (0..layers as i32).map(|i| 2_f64.powi(i));
        let bits: f64 = sizes
            .zip(&fprs)
            .map(|(size, fpr)| size * hashes(fpr) / LN_2)
            .sum();
        let keys = f64::from(layers).exp2() - 1.0;
        row.is("avg_bits_per_key_growth2", bits / keys);
        let probes = fprs.iter().map(|fpr| hashes(fpr).ceil()).sum();
        row.is("probes_worst_case", probes);
        let bound = match ratio {
            1.0 => first * f64::from(layers),
            _ => first / (1.0 - ratio),
        };
        row.is("bound_p0_over_1_minus_r", bound);
    }
}

#[test]
fn sharded() {
    for row in rows(include_str!("../../../data/reference/sharded_fpr.csv"), 80) {
        let (shards, mean) = (row.small("shards"), row.count("keys_per_shard_mean"));
        let (k, m) = (row.small("k"), row.count("m_per_shard"));
        let keys = mean * u64::from(shards);
        // The number of keys that the fullest shard exceeds with a probability of 1/1,000, if the
        // shards are treated as independent.
        let law = Binomial::new(1.0 / f64::from(shards), keys).unwrap();
        let rare = -((-1e-3_f64).ln_1p() / f64::from(shards)).exp_m1();
        let largest = last(keys, |load| law.sf(load) > rare) + 1;
        let largest = largest as f64 / mean as f64;
        row.is("max_shard_load_over_mean_at_1e-3", largest);
        // The table computes the FPR of a shard from its mean fill ratio.
        let at_mean_fill = |load| fpr_given_fill(expected_fill(m, f64::from(k) * load as f64), k);
        let balanced = at_mean_fill(mean);
        let loaded = mean_over_loads(keys, shards, at_mean_fill);
        row.is("fpr_if_balanced", balanced);
        row.is("fpr_hash_sharded", loaded);
        row.is("ratio", loaded / balanced);
        // The exact FPR is above the FPR at the mean fill ratio, because the fill ratio varies.
        let spread = 0.2 * f64::from(k * k) / m as f64;
        let (exact, even) = (
            mean_over_loads(keys, shards, |load| expected_fpr(m, k, load)),
            expected_fpr(m, k, mean),
        );
        row.within("fpr_if_balanced", even, spread);
        row.within("fpr_hash_sharded", exact, spread);
        row.within("ratio", exact / even, spread);
    }
}

#[test]
fn counting() {
    let table = include_str!("../../../data/reference/counting_overflow.csv");
    for row in rows(table, 70) {
        let (k, n) = (row.small("k"), row.count("n"));
        let (m, value) = (row.count("m"), 1_u16 << row.small("counter_bits"));
        let throws = f64::from(k) * n as f64;
        row.is("mean_per_counter", throws / m as f64);
        let one = counter_at_least(m, k, n, value.min(256));
        let m = m as f64;
        row.is("p_counter_overflow", one);
        row.is("p_any_overflow", -(m * (-one).ln_1p()).exp_m1());
        row.is("expected_overflowed_counters", m * one);
        let bound = (E * throws / (f64::from(value) * m)).powf(value.into());
        row.is("fan_union_bound", m * bound);
    }
}

#[test]
fn equal_memory() {
    for row in rows(include_str!("../../../data/reference/equal_memory.csv"), 8) {
        let per_key = row.number("bits_per_key");
        let hashes = classic_hashes(per_key);
        row.is("k_classic", hashes.into());
        row.is("fpr_classic", textbook_fpr(per_key, hashes, 1.0));
        row.is("information_bound", (-per_key).exp2());
        let line = |k| fpr_of_many_blocks("blocked_iid", 512, k, per_key);
        let best = (1..=hashes + 1).map(line).fold(1.0, f64::min);
        row.is("fpr_blocked512_bestk", best);
        let split = fpr_of_many_blocks("sbbf_8x32", 256, 8, per_key);
        row.is("fpr_sbbf", split);
        let bits = (per_key * 0.95 + 1e-9).floor();
        row.is("cuckoo_f_bits_at_load95_b4", bits);
        row.is("fpr_cuckoo", fpr_at_load(4, bits as u32, 0.95));
    }
}
