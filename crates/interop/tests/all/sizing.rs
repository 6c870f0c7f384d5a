//! Checks the sizing against every row computed by the systems themselves.
use crate::common::{float, integer, records};
use bouquet_interop::Locate;
use bouquet_interop::{
    SpecError, bits_and_blooms,
    guava::{Mitz32, Mitz64, Release},
    parquet, rbloom,
    redisbloom::{Rounding, Sizing},
};

#[test]
fn bits_and_blooms_parameters() {
    let rows = records("bits-and-blooms/estimate_parameters.jsonl");
    assert_eq!(rows.len(), 644);
    for row in rows {
        let got = bits_and_blooms::estimate_parameters(integer(&row[0]), float(&row[2])).unwrap();
        assert_eq!(got.size_bits, integer(&row[3]), "{row}");
        assert_eq!(u64::from(got.hashes), integer(&row[4]), "{row}");
    }
    assert!(bits_and_blooms::estimate_parameters(0, 0.1).is_err());
    assert!(bits_and_blooms::estimate_parameters(1, f64::NAN).is_err());
}

#[test]
fn bits_and_blooms_sizes() {
    let rows = records("bits-and-blooms/filters.jsonl");
    let mut full = 0;
    for row in rows {
        let (m, k) = (integer(&row["m"]), integer(&row["k"]) as u32);
        let want = integer(&row["approximated_size"]);
        match bits_and_blooms::approximated_size(m, k, integer(&row["ones"])) {
            Some(got) => assert_eq!(u64::from(got), want, "{row}"),
            None => {
                assert_eq!(integer(&row["ones"]), m);
                full += 1;
            }
        }
    }
    assert_eq!(full, 4);
}

#[test]
fn guava_parameters() {
    for (release, name) in [(Release::V31, "31.1"), (Release::V33, "33.4.6")] {
        let rows = records(&format!("guava/optimal-{name}.jsonl"));
        assert_eq!(rows.len(), 621);
        for row in rows {
            let got = release.optimal(integer(&row[0]), float(&row[2])).unwrap();
            assert_eq!(got.size_bits, integer(&row[3]), "{name} {row}");
            assert_eq!(u64::from(got.hashes), integer(&row[4]), "{name} {row}");
        }
    }
}

#[test]
fn guava_filters_are_made_as_recorded() {
    for record in records("guava/filters.jsonl") {
        let ctor = &record["ctor"];
        if ctor["fn"] != "create" {
            continue;
        }
        let (n, p) = (
            integer(&ctor["expectedInsertions"]),
            float(&ctor["fpp_bits"]),
        );
        let want = (integer(&record["bit_size"]), integer(&record["k"]) as u32);
        for release in [Release::V31, Release::V33] {
            let wide = Mitz64::create(release, n, p).unwrap();
            assert_eq!((wide.slots(), wide.probes()), want, "{record}");
            let narrow = Mitz32::create(release, n, p).unwrap();
            assert_eq!((narrow.slots(), narrow.probes()), want, "{record}");
        }
    }
    let nothing = Mitz64::create(Release::V31, 2, 0.9);
    assert_eq!(nothing, Err(SpecError::ZeroSizeBits));
    assert!(Mitz64::create(Release::V31, u64::MAX >> 8, 0.9).is_err());
}

#[test]
fn parquet_blocks() {
    let rows = records("parquet/sizing-parquet-rs.jsonl");
    assert_eq!(rows.len(), 80);
    for row in rows {
        let got = parquet::blocks_for(integer(&row[0]), float(&row[2])).unwrap();
        assert_eq!(u64::from(got), integer(&row[3]), "{row}");
    }
    assert_eq!(parquet::blocks_for(u64::MAX, 1e-9), Ok(1 << 22));
    assert!(parquet::blocks_for(1, 0.0).is_err());
}

#[test]
fn redisbloom_links() {
    let records = records("redisbloom/filters.jsonl");
    assert_eq!(records.len(), 11);
    for record in records {
        let options = integer(&record["options"]);
        let rounding = if options & 1 != 0 {
            Rounding::Words
        } else {
            Rounding::PowerOfTwo
        };
        // With option 2 the record gives log2 of the number of bits; a capacity of 100 leads to
        // this number.
        let capacity = if options & 2 != 0 {
            100
        } else {
            integer(&record["entries_asked"])
        };
        let got = Sizing::new(capacity, float(&record["error_bits"]), rounding).unwrap();
        assert_eq!(got.capacity, integer(&record["entries"]), "{record}");
        assert_eq!(got.bits_per_key, float(&record["bpe_bits"]), "{record}");
        assert_eq!(got.size_bits, integer(&record["bits"]), "{record}");
        assert_eq!(
            u64::from(got.hashes),
            integer(&record["hashes"]),
            "{record}"
        );
        assert_eq!(u64::from(got.size_log2), integer(&record["n2"]), "{record}");
    }
}

/// The expected values are replies of servers to `BF.RESERVE`.
#[test]
fn redisbloom_first_links() {
    for (capacity, fpr, bytes, hashes) in [(1_000, 0.01, 1_384, 8), (100, 0.01, 144, 8)] {
        let link = Sizing::first_link(capacity, fpr, true).unwrap();
        assert_eq!((link.size_bits, link.hashes), (8 * bytes, hashes));
        let next = link.next_link(2).unwrap();
        assert_eq!(next.capacity, 2 * capacity);
        assert_eq!(next.target_fpr, fpr / 4.0);
    }
    let fixed = Sizing::first_link(10_000_000, 0.01, false).unwrap();
    assert_eq!(32 + 64 + fixed.size_bits / 8, 11_981_424);
    assert!(Sizing::first_link(u64::MAX, 0.01, true).is_err());
    assert!(Sizing::new(1 << 62, 0.01, Rounding::PowerOfTwo).is_err());
    assert!(fixed.next_link(0).is_err());
}

/// A power of two below 64 is the divisor, although the bits take a whole word.
#[test]
fn redisbloom_small_powers_of_two() {
    let link = Sizing::new(1, 0.1, Rounding::PowerOfTwo).unwrap();
    assert_eq!((link.size_log2, link.size_bits), (3, 64));
    assert_eq!(link.scheme().unwrap().slots(), 8);
}

#[test]
fn rbloom_parameters() {
    for record in records("rbloom/filters.jsonl") {
        let n = integer(&record["expected_items"]);
        let p = record["false_positive_rate"].as_f64().unwrap();
        let got = rbloom::optimal(n, p).unwrap();
        assert_eq!(got.size_bits, integer(&record["size_in_bits"]), "{record}");
        assert_eq!(u64::from(got.hashes), integer(&record["k"]), "{record}");
    }
    assert!(rbloom::optimal(1_000, 0.9).is_err());
}

#[cfg(feature = "redisson")]
#[test]
fn redisson_parameters() {
    use bouquet_interop::redisson::{count, optimal};

    for record in records("redisson/filters.jsonl") {
        let n = integer(&record["expectedInsertions"]);
        let p = record["falseProbability"].as_f64().unwrap();
        let got = optimal(n, p).unwrap();
        assert_eq!(got.size_bits, integer(&record["size"]), "{record}");
        let k = integer(&record["hashIterations"]);
        assert_eq!(u64::from(got.hashes), k, "{record}");
        let ones = integer(&record["ones"]);
        let keys = count(got.size_bits, got.hashes, ones).unwrap();
        assert_eq!(keys, integer(&record["count"]), "{record}");
    }
    assert_eq!(optimal(1, 0.9), Err(SpecError::ZeroSizeBits));
    assert!(optimal(1_000_000_000, 0.01).is_err());
    assert_eq!(count(1_000, 7, 1_000), None);
}
