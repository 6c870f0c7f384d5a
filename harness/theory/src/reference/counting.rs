//! The tables about counters, and about filters with equal memory.

use super::*;
use crate::COUNTING;

#[test]
fn counting() {
    for row in rows(
        include_str!("../../../data/reference/counting_overflow.csv"),
        70,
    ) {
        let (bits, m) = (row.small("counter_bits"), row.count("m"));
        let got = answer(&Request {
            capacity: Some(row.count("n")),
            bits: Some(m * u64::from(bits)),
            hashes: Some(row.small("k")),
            counter_bits: Some(bits),
            ..request(COUNTING)
        })
        .unwrap();
        row.is("mean_per_counter", got.number("counter_mean"));
        row.is("p_counter_overflow", got.number("counter_overflow"));
        row.is("p_any_overflow", got.number("any_overflow"));
        row.is(
            "expected_overflowed_counters",
            got.number("expected_overflows"),
        );
        row.is("fan_union_bound", got.number("overflow_bound"));
    }
}

#[test]
fn equal_memory() {
    for row in rows(include_str!("../../../data/reference/equal_memory.csv"), 8) {
        let per_key = row.number("bits_per_key");
        let of = |form, block_bits| {
            answer(&Request {
                capacity: Some(1 << 30),
                bits_per_key: Some(per_key),
                block_bits,
                ..request(form)
            })
            .unwrap()
        };
        let standard = of(STANDARD, None);
        row.is("k_classic", standard.number("classic_hashes"));
        row.is("fpr_classic", standard.number("classic_fpr"));
        row.is("information_bound", standard.number("information_bound"));
        let blocked = of(BLOCKED, Some(512));
        row.is("fpr_blocked512_bestk", blocked.number("poisson_fpr"));
        let split = of(SPLIT_BLOCK, Some(256));
        row.is("fpr_sbbf", split.number("poisson_fpr"));
        let cuckoo = of(CUCKOO, None);
        row.is(
            "cuckoo_f_bits_at_load95_b4",
            cuckoo.number("fingerprint_bits"),
        );
        row.is("fpr_cuckoo", cuckoo.number("exact_fpr"));
    }
}
