//! Compares the formulas of the filter crates with the independently written formulas that the
//! harness uses to judge filters. Exact values must agree to about 1e-8.

use bouquet_blocked::{BlockedBloom, Geometry, Layout, Line, Words32, Words64};
use bouquet_core::{
    Fill as _, Inner as _,
    math::{self, Occupancy},
};
use bouquet_scalable::math::compound_fpr;
use bouquet_sharded::math::mean_over_loads;
use bouquet_stats::reference::{Array, Form, fill_after};

/// The relative tolerance for values that are computed without approximation.
const EXACT: f64 = 1e-8;

fn close(got: f64, want: f64, part: f64, what: &str) {
    assert!(
        (got - want).abs() <= part * want.abs() + 1e-300,
        "{what}: {got:e} for {want:e}, {:e} off",
        got / want - 1.0
    );
}

/// Combinations of size, number of hashes and number of keys: overfull, half full and nearly empty
/// filters, with sizes from a few bits to 2^40.
fn grid() -> impl Iterator<Item = (u64, u32, u64)> {
    let sizes = [
        9,
        64,
        100,
        1_000,
        9_585,
        65_536,
        1_000_003,
        1 << 26,
        1 << 40,
    ];
    let hashes = [1, 2, 3, 7, 10, 16, 24, 40];
    let loads = [0.003, 0.1, 0.5, 0.7, 1.0, 1.5, 4.0];
    let all = sizes.into_iter().flat_map(move |m| {
        let of = hashes.into_iter().flat_map(move |k| {
            let keys = loads.map(|load| (load * m as f64 / f64::from(k)) as u64);
            keys.map(|n| (m, k, n))
        });
        of.collect::<Vec<_>>()
    });
    all.filter(|(_, _, n)| (1..=1 << 34).contains(n))
}

#[test]
fn classic() {
    let mut cases = 0;
    for (m, k, n) in grid() {
        let what = format!("m={m} k={k} n={n}");
        let array = Array::whole(m, k);
        let fill = array.fill(n);
        let throws = f64::from(k) * n as f64;
        close(array.fpr(n).mean, math::expected_fpr(m, k, n), EXACT, &what);
        close(fill.mean, math::expected_fill(m, throws), EXACT, &what);
        let own = Occupancy {
            groups: 1,
            ranges: 1,
            slots: m,
            throws: k,
        };
        // The crate's variance has a rounding error of about 1e-16 times the mean.
        let rounding = 3e-16 * fill.mean;
        let off = (fill.sd * fill.sd - own.fill_variance(n)).abs();
        let allowed = 2e-6 * fill.sd * fill.sd + rounding;
        assert!(off <= allowed, "{what}: {fill:?} {}", own.fill_variance(n));
        cases += 1;
    }
    assert!(cases > 350, "{cases}");
}

/// The crates derive the standard deviation of the FPR from that of the fill ratio, by a
/// first-order approximation.
#[test]
fn deviations() {
    for (m, k, n) in grid().filter(|(m, ..)| *m >= 9_585) {
        let fill = fill_after(m, u64::from(k) * n);
        let square = fill.sd * fill.sd;
        let first = math::fpr_deviation(1.0, k, fill.mean, square);
        if first > 0.1 || !(0.05..0.95).contains(&fill.mean) {
            continue;
        }
        let fpr = Array::whole(m, k).fpr(n);
        // The tolerance for terms of higher order: the square of the relative deviation, and a term
        // for the skewness.
        let part = 3.0 * f64::from(k) * first * first + 2.0 * first / f64::from(k) + 1e-4;
        close(
            fpr.sd / fpr.mean,
            first,
            part,
            &format!("m={m} k={k} n={n}"),
        );
    }
}

#[test]
fn partitioned() {
    for (m, k, n) in grid().filter(|(m, k, _)| *m >= 2 * u64::from(*k)) {
        let slots = m / u64::from(k);
        let array = Array {
            groups: 1,
            ranges: k,
            slots,
            throws: 1,
        };
        let own = bouquet_partitioned::math::expected_fpr(slots, k, n);
        let what = format!("m={m} k={k} n={n}");
        close(array.fpr(n).mean, own, EXACT, &what);
        let all = Occupancy {
            groups: 1,
            ranges: k.into(),
            slots,
            throws: 1,
        };
        close(array.fill(n).mean, all.fill_mean(n), EXACT, &what);
    }
}

fn blocks_agree<L: Layout>(layout: L, block: Array) {
    let bits = block.size();
    for groups in [1, 2, 3, 30, 1_000, 40_000_000] {
        for per_key in [4, 10, 24, 60] {
            let n = groups * bits / per_key;
            let array = Array { groups, ..block };
            let what = format!("{groups} blocks of {layout:?}, n={n}");
            let geometry = Geometry::new(groups, layout).unwrap();
            let own = <BlockedBloom<L>>::expected_fpr_of(geometry, n);
            close(array.fpr(n).mean, own, EXACT, &what);
            let fill = array.fill(n);
            close(fill.mean, geometry.fill_mean(n), EXACT, &what);
            close(fill.sd, geometry.fill_variance(n).sqrt(), 1e-5, &what);
        }
    }
}

#[test]
fn blocked() {
    let words = |slots| Array {
        ranges: 8,
        ..Array::whole(slots, 1)
    };
    blocks_agree(Words64, words(64));
    blocks_agree(Words32, words(32));
    for hashes in [1, 3, 7, 14] {
        blocks_agree(Line::new(hashes).unwrap(), Array::whole(512, hashes));
    }
}

#[test]
fn sharded() {
    let part = |(m, k, _): &(u64, u32, u64)| (1_000..1 << 30).contains(m) && [1, 7, 16].contains(k);
    for (m, k, n) in grid().filter(part) {
        for shards in [2, 8, 1_024] {
            let what = format!("{shards} shards of m={m} k={k} n={n}");
            let array = Array {
                groups: shards.into(),
                ..Array::whole(m, k)
            };
            let keys = n * u64::from(shards);
            if keys < 10 * u64::from(k) {
                // With so few keys, the two formulas agree less closely, so they are not compared.
                continue;
            }
            let own = mean_over_loads(keys, shards, |load| math::expected_fpr(m, k, load));
            let fpr = array.fpr(keys);
            close(fpr.mean, own, 3e-8, &what);
            let shard = Occupancy {
                groups: 1,
                ranges: 1,
                slots: m,
                throws: k,
            };
            let all = shard.in_shards(shards);
            let fill = array.fill(keys);
            close(fill.mean, all.fill_mean(keys), EXACT, &what);
            close(fill.sd, all.fill_variance(keys).sqrt(), 1e-4, &what);
        }
    }
}

#[test]
fn stages() {
    let sizes = [
        (1 << 16, 9, 5_000),
        (1 << 17, 9, 10_000),
        (1 << 19, 10, 20_000),
    ];
    let form = Form::Stages(
        sizes
            .map(|(m, k, room)| (Array::whole(m, k), room))
            .to_vec(),
    );
    for keys in [1, 4_999, 5_001, 15_000, 30_000, 35_000] {
        let mut left = keys;
        let own = sizes.map(|(m, k, room)| {
            let here = left.min(room);
            left -= here;
            math::expected_fpr(m, k, here)
        });
        let own = math::with_hash_floor(compound_fpr(own), keys, 64);
        close(form.expected(keys, 64).fpr, own, EXACT, "stages");
    }
}

#[test]
fn cuckoo() {
    for buckets in [1, 2, 7, 32, 1_001, 262_144, 1 << 33] {
        for bits in [4, 8, 12, 16, 32] {
            for load in [0.01, 0.5, 0.95] {
                let keys = (4.0 * load * buckets as f64).ceil() as u64;
                let form = Form::Fingerprints {
                    buckets,
                    bucket_slots: 4,
                    values: (1 << bits) - 1,
                };
                let own = bouquet_cuckoo::math::expected_fpr(buckets, bits, keys);
                let own = math::with_hash_floor(own, keys, 64);
                let got = form.expected(keys, 64).fpr;
                // For an odd number of buckets, the crate's formula is only approximate.
                let odd = (buckets % 2) as f64 / (buckets as f64 * f64::from(1 << (bits - 1)));
                close(got, own, EXACT + odd, &format!("{buckets} {bits} {keys}"));
            }
        }
    }
}
