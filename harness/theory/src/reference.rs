//! Compares the calculator with every reference table that contains theory, by rows and columns.
//!
//! A column counts as reproduced if the number is within half a unit of the last printed digit, or
//! within the tolerance that the test states for the column.
//!
//! Tables of simulations are not theory and are not compared here (battery, battery_bigN,
//! chi2_calibration, chi2_tail_small_E, scheme_fpr, scheme_excess). The table chi2_critical is
//! compared in the chi-square tests.

mod counting;
mod statistics;

use bouquet_core::math::{expected_fill, fpr_given_fill};
use bouquet_sharded::math::mean_over_loads;

use super::{
    Answer, BLOCKED, CUCKOO, Form, PARTITIONED, Request, SCALABLE, SHARDED, SPLIT_BLOCK, STANDARD,
    answer,
};

/// A row of a table, with its cells by the names of their columns.
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

    /// Asserts that the number is within half a unit of the last printed digit.
    pub fn is(&self, name: &str, got: f64) {
        self.within(name, got, 0.0);
    }

    /// Like [`is`](Self::is), or within this relative error.
    pub fn within(&self, name: &str, got: f64, relative: f64) {
        self.near(name, got, relative * self.number(name).abs());
    }

    /// Like [`is`](Self::is), or within this absolute error.
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

/// The rows of a table; asserts that there are `count` of them.
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

fn request(form: Form) -> Request {
    Request::new(form)
}

fn sized(form: Form, capacity: u64, bits: u64, hashes: u32) -> Answer {
    answer(&Request {
        capacity: Some(capacity),
        bits: Some(bits),
        hashes: Some(hashes),
        ..request(form)
    })
    .unwrap()
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
    for row in rows(
        include_str!("../../data/reference/classic_fpr_exact.csv"),
        864,
    ) {
        let (m, k, n) = (row.count("m"), row.small("k"), row.count("n"));
        let got = sized(STANDARD, n, m, k);
        row.is("fpr_exact_iid", got.number("exact_fpr"));
        row.is("fpr_approx", got.number("textbook_fpr"));
        // The difference of two `f64` values near 1 is accurate to about 1e-14 only.
        let excess = got.number("exact_over_textbook");
        row.near("rel_excess_exact_over_approx", excess, 1e-14);
        row.is("fill_mean", got.number("fill_mean"));
        row.is("fill_sd", got.number("fill_sd"));
        row.is("rel_sd_fpr_across_filters", got.number("fpr_relative_sd"));
        let distinct = answer(&Request {
            capacity: Some(n),
            bits: Some(m),
            hashes: Some(k),
            distinct: true,
            ..request(STANDARD)
        });
        if !row.cell("fpr_exact_distinct_probes").is_empty() {
            row.is(
                "fpr_exact_distinct_probes",
                distinct.unwrap().number("exact_fpr"),
            );
        }
        let parts = sized(PARTITIONED, n, m, k);
        row.is("fpr_partitioned_exact", parts.number("exact_fpr"));
        row.is("m_used_partitioned", parts.number("size_bits"));
    }
}

#[test]
fn sizing() {
    for row in rows(include_str!("../../data/reference/sizing.csv"), 98) {
        let (n, p, m) = (row.count("n"), row.number("p"), row.count("m_ceil"));
        let got = answer(&Request {
            capacity: Some(n),
            fpr: Some(p),
            ..request(STANDARD)
        })
        .unwrap();
        row.is("m_ceil", got.number("textbook_size_bits"));
        row.is("k_round", got.number("textbook_hashes"));
        row.is("bits_per_key", m as f64 / n as f64);
        row.is("k_round_log2p", (1.0 / p).log2().round());
        row.is(
            "k_ceil",
            (m as f64 / n as f64 * std::f64::consts::LN_2).ceil(),
        );
        row.is("fpr_exact_at_m_k_round", got.number("textbook_size_fpr"));
        row.is("ratio_to_p", got.number("textbook_size_over_target"));
        let best = answer(&Request {
            capacity: Some(n),
            bits: Some(m),
            ..request(STANDARD)
        })
        .unwrap();
        row.is("k_best_exact", best.number("hashes"));
        row.is("fpr_at_k_best", best.number("exact_fpr"));
        let up = m.next_multiple_of(64);
        row.is("m_rounded_up_64", up as f64);
        let at_64 = sized(STANDARD, n, up, row.small("k_round"));
        row.is("ratio_to_p_at_m64", at_64.number("exact_fpr") / p);
    }
}

#[test]
fn least_size() {
    for row in rows(include_str!("../../data/reference/min_m_exact.csv"), 32) {
        let got = answer(&Request {
            capacity: Some(row.count("n")),
            fpr: Some(row.number("p")),
            ..request(STANDARD)
        })
        .unwrap();
        row.is("m_formula_ceil", got.number("textbook_size_bits"));
        row.is("k_round", got.number("textbook_hashes"));
        row.is(
            "ratio_exact_fpr_to_p",
            got.number("textbook_size_over_target"),
        );
        row.is("m_min_exact_fpr_le_p", got.number("least_size_bits"));
        row.is("m_min_over_formula", got.number("least_over_textbook"));
        if row.cell("n") == "1" && row.cell("p") == "1e-09" {
            // The table's search began at 24 hashes; 22 are enough.
            assert_eq!(got.number("least_hashes"), 22.0);
        } else {
            row.is("k_at_m_min", got.number("least_hashes"));
        }
    }
}

/// The form of filter for the table's name of a layout, and whether its slots are distinct.
fn layout(variant: &str) -> (Form, bool) {
    match variant {
        "blocked_iid" => (BLOCKED, false),
        "blocked_distinct" => (BLOCKED, true),
        "sbbf_8x32" | "split_8x64" | "split_16x32" => (SPLIT_BLOCK, false),
        other => panic!("{other}"),
    }
}

#[test]
fn blocked() {
    for row in rows(include_str!("../../data/reference/blocked_fpr.csv"), 122) {
        let (form, distinct) = layout(row.cell("variant"));
        let (block_bits, per_key) = (row.count("block_bits"), row.number("bits_per_key"));
        let at = |capacity: u64, blocks: u64| {
            answer(&Request {
                capacity: Some(capacity),
                bits: Some(blocks * block_bits),
                hashes: Some(row.small("k")),
                block_bits: Some(block_bits),
                distinct,
                ..request(form)
            })
            .unwrap()
        };
        // The number of keys is such that the number of blocks is a whole number.
        let many = at(block_bits << 10, (per_key as u64) << 10);
        row.is("fpr_poisson", many.number("poisson_fpr"));
        row.is("k_classic", many.number("classic_hashes"));
        row.is("fpr_classic_same_bpk", many.number("classic_fpr"));
        let ratio = many.number("poisson_fpr") / many.number("classic_fpr");
        row.is("ratio_to_classic", ratio);
        // The table rounds the number of blocks to the nearest whole number, and ties to the even
        // one.
        let blocks = (10_000.0 * per_key / block_bits as f64).round_ties_even() as u64;
        row.is(
            "fpr_binomial_n10000",
            at(10_000, blocks).number("exact_fpr"),
        );
    }
}

#[test]
fn the_best_k_of_a_block() {
    for row in rows(include_str!("../../data/reference/blocked_fpr.csv"), 122) {
        if row.cell("is_best_k") != "1" {
            continue;
        }
        let (form, distinct) = layout(row.cell("variant"));
        let block_bits = row.count("block_bits");
        let got = answer(&Request {
            capacity: Some(block_bits << 20),
            bits_per_key: Some(row.number("bits_per_key")),
            block_bits: Some(block_bits),
            distinct,
            ..request(form)
        })
        .unwrap();
        row.is("k", got.number("hashes"));
    }
}

#[test]
fn cuckoo() {
    for row in rows(include_str!("../../data/reference/cuckoo_fpr.csv"), 176) {
        let got = answer(&Request {
            bucket: Some(row.small("bucket_size")),
            fingerprint_bits: Some(row.small("fingerprint_bits")),
            load: Some(row.number("load")),
            ..request(CUCKOO)
        })
        .unwrap();
        row.is("bound_2b_over_2f", got.number("bound_fpr"));
        row.is("fpr_expected_all_fp_values", got.number("all_values_fpr"));
        row.is("fpr_expected_zero_reserved", got.number("exact_fpr"));
        row.is("bits_per_key", got.number("bits_per_key"));
    }
}

#[test]
fn scalable() {
    for row in rows(
        include_str!("../../data/reference/scalable_compound.csv"),
        225,
    ) {
        let target = row.number("target_P");
        let first = row.cell("first_layer_rule") == "P0=P";
        let got = answer(&Request {
            fpr: Some(target),
            first_fpr: first.then_some(target),
            tightening: Some(row.number("tightening_r")),
            stages: Some(row.small("layers")),
            ..request(SCALABLE)
        })
        .unwrap();
        row.is("p0", got.number("first_stage_fpr"));
        row.is("fpr_compound_all_full", got.number("compound_fpr"));
        row.is("compound_over_target", got.number("compound_over_target"));
        row.is(
            "last_layer_bits_per_key",
            got.number("last_stage_bits_per_key"),
        );
        row.is("last_layer_k", got.number("last_stage_hashes"));
        row.is("avg_bits_per_key_growth2", got.number("mean_bits_per_key"));
        row.is("probes_worst_case", got.number("most_probes"));
        row.is("bound_p0_over_1_minus_r", got.number("compound_bound"));
    }
}

#[test]
fn sharded() {
    for row in rows(include_str!("../../data/reference/sharded_fpr.csv"), 80) {
        let (shards, mean) = (row.small("shards"), row.count("keys_per_shard_mean"));
        let (k, m) = (row.small("k"), row.count("m_per_shard"));
        let got = answer(&Request {
            capacity: Some(mean * u64::from(shards)),
            bits: Some(m * u64::from(shards)),
            hashes: Some(k),
            shards: Some(shards),
            ..request(SHARDED)
        })
        .unwrap();
        row.is(
            "max_shard_load_over_mean_at_1e-3",
            got.number("largest_shard"),
        );
        // The table computes the FPR of a shard from its mean fill ratio.
        let at_mean_fill = |load| {
            let throws = f64::from(k) * load as f64;
            fpr_given_fill(expected_fill(m, throws), k)
        };
        let balanced = at_mean_fill(mean);
        let loaded = mean_over_loads(mean * u64::from(shards), shards, at_mean_fill);
        row.is("fpr_if_balanced", balanced);
        row.is("fpr_hash_sharded", loaded);
        row.is("ratio", loaded / balanced);
        // The exact FPR is higher than that, because the fill ratio varies.
        let spread = 0.2 * f64::from(k * k) / m as f64;
        row.within("fpr_if_balanced", got.number("balanced_fpr"), spread);
        row.within("fpr_hash_sharded", got.number("exact_fpr"), spread);
        row.within("ratio", got.number("over_balanced"), spread);
    }
}
