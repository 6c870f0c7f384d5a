//! Compares the formulas of the module with reference tables that were computed independently.

use super::{
    Array, Form, Moments, OfBits, fill_after, form::any, groups::over_groups, throws::Throws,
};

/// The lines of a table, and their cells as numbers; a cell that is not a number is NaN.
fn rows(table: &str) -> impl Iterator<Item = (&str, Vec<f64>)> {
    table.lines().skip(1).map(|line| {
        let cells = line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN));
        (line, cells.collect())
    })
}

fn close(got: f64, want: f64, part: f64, what: &str) {
    assert!(
        (got - want).abs() <= part * want.abs() + 1e-300,
        "{what}: {got:e} for {want:e}"
    );
}

#[test]
fn classic() {
    let mut count = 0;
    for (line, cell) in rows(include_str!(
        "../../../data/reference/classic_fpr_exact.csv"
    )) {
        let (m, k, n) = (cell[0] as u64, cell[1] as u32, cell[2] as u64);
        let array = Array::whole(m, k);
        let (fpr, fill) = (array.fpr(n), array.fill(n));
        // The table has 12 digits of the means and 6 of the standard deviations.
        close(fpr.mean, cell[4], 6e-12, line);
        close(fill.mean, cell[10], 6e-12, line);
        let sd = (fill.sd - cell[11]).abs();
        assert!(sd <= 6e-6 * cell[11] + 1e-9, "{line}: {}", fill.sd);
        // The table derives the deviation of the FPR from that of the fill ratio, to first order.
        let (own, first_order) = (fpr.sd / fpr.mean, cell[12]);
        if m >= 1_000 && first_order < 0.1 && fill.mean < 0.95 {
            let part = 2.0 * first_order + 6e-6;
            assert!(
                (own - first_order).abs() <= part * first_order + 1e-7,
                "{line}: {own}"
            );
        }
        if !cell[8].is_nan() {
            let parts = Array {
                groups: 1,
                ranges: k,
                slots: m / u64::from(k),
                throws: 1,
            };
            close(parts.fpr(n).mean, cell[8], 6e-12, line);
        }
        count += 1;
    }
    assert_eq!(count, 864);
}

/// The array for a block layout of the table; `None` if the slots of a key are always different.
fn layout(name: &str, bits: u64, k: u32) -> Option<Array> {
    let ranges = match name {
        "blocked_iid" => return Some(Array::whole(bits, k)),
        "sbbf_8x32" | "split_8x64" => 8,
        "split_16x32" => 16,
        _ => return None,
    };
    Some(Array {
        groups: 1,
        ranges,
        slots: bits / u64::from(ranges),
        throws: 1,
    })
}

#[test]
fn blocked() {
    let mut count = 0;
    for (line, cell) in rows(include_str!("../../../data/reference/blocked_fpr.csv")) {
        let name = line.split(',').next().unwrap();
        let (bits, k, per_key) = (cell[1], cell[2] as u32, cell[3]);
        let Some(block) = layout(name, bits as u64, k) else {
            continue;
        };
        let groups = (10_000.0 * per_key / bits).round_ties_even() as u64;
        let few = Array { groups, ..block };
        close(few.fpr(10_000).mean, cell[5], 6e-10, line);
        // The table assumes Poisson-distributed keys per block. With this many blocks, the error of
        // this assumption is of the order of 1 / (number of blocks).
        let groups = (per_key as u64) << 30;
        let many = Array { groups, ..block };
        close(many.fpr((bits as u64) << 30).mean, cell[4], 6e-9, line);
        count += 1;
    }
    assert_eq!(count, 76);
}

#[test]
fn sharded() {
    let mut count = 0;
    for (line, cell) in rows(include_str!("../../../data/reference/sharded_fpr.csv")) {
        let (k, shards, mean, m) = (cell[1], cell[3] as u64, cell[4] as u64, cell[5] as u64);
        // The table computes the FPR of a shard from its mean fill ratio.
        let at_mean_fill = |load: u64| {
            let fill = fill_after(m, load * k as u64).mean;
            (fill.powi(k as i32), 0.0)
        };
        close(at_mean_fill(mean).0, cell[6], 6e-8, line);
        let loaded = over_groups(mean * shards, shards, at_mean_fill).mean;
        close(loaded, cell[7], 6e-8, line);
        // The exact FPR is higher than `loaded`, because the fill ratio varies.
        let array = Array {
            groups: shards,
            ..Array::whole(m, k as u32)
        };
        let exact = array.fpr(mean * shards).mean;
        assert!(exact > loaded * (1.0 - 1e-9), "{line}: {exact}");
        close(exact, cell[7], 0.2 * k * k / m as f64, line);
        count += 1;
    }
    assert_eq!(count, 80);
}

#[test]
fn stages() {
    let mut count = 0;
    for (line, cell) in rows(include_str!(
        "../../../data/reference/scalable_compound.csv"
    )) {
        let (tightening, first, layers) = (cell[1], cell[3], cell[4] as i32);
        let fprs = (0..layers).map(|stage| first * tightening.powi(stage));
        close(any(fprs), cell[5], 6e-10, line);
        count += 1;
    }
    assert_eq!(count, 225);
}

#[test]
fn cuckoo() {
    let mut count = 0;
    for (line, cell) in rows(include_str!("../../../data/reference/cuckoo_fpr.csv")) {
        let (slots, bits, load) = (cell[0], cell[1] as u32, cell[2]);
        let buckets = 1_u64 << 24;
        let keys = (load * slots * buckets as f64).round() as u64;
        let of = |values| {
            let form = Form::Fingerprints {
                buckets,
                bucket_slots: slots as u64,
                values,
            };
            form.expected(keys, 128).fpr
        };
        // The table assumes that the number of occupied slots in two buckets is fixed.
        let part = 0.5_f64.powi(bits as i32) + 1e-6;
        close(of(1 << bits), cell[4], part, line);
        close(of((1 << bits) - 1), cell[5], part, line);
        count += 1;
    }
    assert_eq!(count, 176);
}

#[test]
fn groups_of_slots_match_enumeration() {
    // Two groups with two ranges of two slots; a key falls into one group, and there into one slot
    // of each range.
    let array = Array {
        groups: 2,
        ranges: 2,
        slots: 2,
        throws: 1,
    };
    for keys in 1..=4_u32 {
        let (mut fprs, mut fills) = (Vec::new(), Vec::new());
        for code in 0..8_u64.pow(keys) {
            let mut words = [0_u64; 2];
            for key in 0..keys {
                let draw = code >> (3 * key);
                let bits = 1 << (draw >> 1 & 1) | 4 << (draw >> 2 & 1);
                words[(draw & 1) as usize] |= bits;
            }
            let form = Form::Array(array);
            let parts = words.map(|word| vec![word]);
            let OfBits { fill, fpr } = form.of_bits(&parts).unwrap();
            fprs.push(fpr);
            fills.push(fill);
        }
        for (got, all) in [
            (array.fpr(keys.into()), fprs),
            (array.fill(keys.into()), fills),
        ] {
            let n = all.len() as f64;
            let mean = all.iter().sum::<f64>() / n;
            let variance = all.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / n;
            close(got.mean, mean, 1e-11, "mean");
            assert!(
                (got.sd - variance.sqrt()).abs() < 1e-7,
                "{got:?} {variance}"
            );
        }
    }
}

/// Up to 4,096 throws are followed one by one; more are computed by squaring a matrix. One result
/// comes from two steps of 3,000 throws, the other from one step of 6,000.
#[test]
fn two_ways_to_one_mean() {
    for slots in [1, 3, 64, 740, 100_000] {
        for power in [1, 2, 7, 20] {
            let (mut followed, mut squared) = (Throws::new(slots), Throws::new(slots));
            followed.power_mean(3_000, power);
            let (want, got) = (
                followed.power_mean(6_000, power),
                squared.power_mean(6_000, power),
            );
            let what = format!("{slots} {power}");
            close(got, want, 1e-12, &what);
            let variance = followed.variance(6_000, power, want);
            let off = squared.variance(6_000, power, got) - variance;
            assert!(off.abs() <= 1e-6 * variance + 1e-15, "{what}: {off}");
        }
    }
}

#[test]
fn edges() {
    let none = Moments::default();
    assert_eq!(Array::whole(100, 3).fpr(0), none);
    assert_eq!(fill_after(1, 1).mean, 1.0);
    let one = Array {
        groups: 10,
        ..Array::whole(64, 1)
    };
    close(one.fpr(1).mean, 1.0 / 640.0, 1e-11, "one key");
    let full = Array::whole(64, 4).fpr(1_000_000);
    assert!(
        (full.mean - 1.0).abs() < 1e-12 && full.sd < 1e-6,
        "{full:?}"
    );
    // 2^20 keys with 64-bit hashes have a hash-collision floor of 2^-44.
    let form = Form::Array(Array::whole(1 << 40, 20));
    close(
        form.expected(1 << 20, 64).fpr,
        2f64.powi(-44),
        1e-9,
        "floor",
    );
    let empty = Form::Stages(Vec::new());
    assert_eq!(empty.expected(5, 64).fpr, 5.0 * 2f64.powi(-64));
}

/// `keys_at_fill` is the inverse of the mean fill ratio.
#[test]
fn keys_of_a_fill() {
    for (array, keys) in [
        (Array::whole(9_585, 7), 1_000),
        (
            Array {
                groups: 30,
                ..Array::whole(512, 5)
            },
            1_500,
        ),
        (
            Array {
                groups: 1_000,
                ranges: 8,
                ..Array::whole(64, 1)
            },
            70_000,
        ),
    ] {
        let fill = array.fill(keys).mean;
        close(array.keys_at_fill(fill), keys as f64, 1e-9, "keys");
    }
}
