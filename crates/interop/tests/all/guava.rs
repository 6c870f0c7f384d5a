//! Reads filters that Guava wrote, and expects the same bytes and the same answers.
use crate::common::{KeySets, float, hostile, integer, list, path, records, span, text, unhex};
use bouquet_interop::{
    GuavaBloom, Term, Union,
    guava::{GuavaHash, Release, Strategy},
};
use serde_json::Value;

fn read(record: &Value) -> GuavaBloom {
    let bytes = std::fs::read(path(&format!("guava/{}", text(&record["bin"])))).unwrap();
    let filter = GuavaBloom::from_bytes(&bytes).unwrap();
    assert_eq!(filter.to_bytes(), bytes, "{}", record["id"]);
    filter
}

fn strategy(record: &Value) -> Strategy {
    match text(&record["strategy"]) {
        "MURMUR128_MITZ_32" => Strategy::Mitz32,
        _ => Strategy::Mitz64,
    }
}

/// The hash of a key by the funnel that the record names.
fn funnel(keys: &KeySets, record: &Value, set: &str, i: u64) -> GuavaHash {
    match text(&record["funnel"]) {
        "long" => GuavaHash::of_long(keys.number(set, i)),
        "integer" => GuavaHash::of_integer(keys.number(set, i) as i32),
        "unencodedChars" => {
            let key = keys.bytes(set, i);
            GuavaHash::of_chars(str::from_utf8(&key).unwrap().encode_utf16())
        }
        _ => GuavaHash::of_bytes(&keys.bytes(set, i)),
    }
}

#[test]
fn every_filter() {
    let keys = KeySets::load();
    let records = records("guava/filters.jsonl");
    assert_eq!(records.len(), 22);
    for record in &records {
        let id = text(&record["id"]);
        let filter = read(record);
        assert_eq!(filter.strategy(), strategy(record), "{id}");
        assert_eq!(filter.size_bits(), integer(&record["bit_size"]), "{id}");
        assert_eq!(u64::from(filter.hashes()), integer(&record["k"]), "{id}");
        assert_eq!(filter.count_ones(), integer(&record["ones"]), "{id}");
        let estimated = filter.approximate_element_count();
        assert_eq!(
            estimated,
            Some(integer(&record["approximate_element_count"])),
            "{id}"
        );
        let fpp = float(&record["expected_fpp_bits"]);
        assert!((filter.estimated_fpr() - fpp).abs() <= 1e-12 * fpp, "{id}");

        let positives: Vec<u64> = span(&record["probe"])
            .filter(|(set, i)| filter.contains_hash(funnel(&keys, record, set, *i)))
            .map(|(_, i)| i)
            .collect();
        assert_eq!(
            positives,
            list(&record["probe"]["positives"], integer),
            "{id}"
        );
        if record["ctor"]["fn"] == "create" {
            made_again(&keys, record, &filter);
        }
    }
}

/// Inserts the record's keys into a new filter, and expects the same answers and the same bytes.
fn made_again(keys: &KeySets, record: &Value, filter: &GuavaBloom) {
    let longs = integer(&record["longs"]) as u32;
    let mut again = GuavaBloom::new(strategy(record), longs, filter.hashes()).unwrap();
    let added = record["added"].as_array().unwrap();
    let added = added.iter().flat_map(span);
    let put_false: Vec<u64> = (0..)
        .zip(added)
        .filter(|(_, (set, i))| !again.insert_hash(funnel(keys, record, set, *i)))
        .map(|(ordinal, _)| ordinal)
        .collect();
    assert_eq!(put_false, list(&record["put_false_at"], integer));
    assert_eq!(again.to_bytes(), filter.to_bytes(), "{}", record["id"]);
}

#[test]
fn keys_are_funnelled_by_their_type() {
    let mut filter = GuavaBloom::create(Release::V31, 100, 1e-6).unwrap();
    filter.insert("rose");
    filter.insert(&-7i64);
    filter.insert(&-7i32);
    assert!(filter.contains_hash(GuavaHash::of_bytes(b"rose")));
    assert!(filter.contains_hash(GuavaHash::of_long(-7)));
    assert!(filter.contains_hash(GuavaHash::of_integer(-7)));
    assert!(!filter.contains_hash(GuavaHash::of_chars("rose".encode_utf16())));
}

#[test]
fn merged_filters() {
    let records = records("guava/filters.jsonl");
    let by_id = |id: &str| read(records.iter().find(|r| r["id"] == id).unwrap());
    let mut merged = by_id("merge-a");
    merged.union_with(&by_id("merge-b")).unwrap();
    assert_eq!(merged, by_id("merge-ab"));
    assert!(merged.union_with(&by_id("b64-1-0.5")).is_err());

    let new = |strategy, hashes| GuavaBloom::new(strategy, 1, hashes).unwrap();
    let mut filter = new(Strategy::Mitz64, 3);
    assert!(filter.union_with(&new(Strategy::Mitz32, 3)).is_err());
    assert!(filter.union_with(&new(Strategy::Mitz64, 4)).is_err());
    assert!(
        filter
            .union_with(&GuavaBloom::new(Strategy::Mitz64, 2, 3).unwrap())
            .is_err()
    );
}

/// This crate rejects the same input as the peer, and trailing bytes in addition.
#[test]
fn odd_input() {
    let records = records("guava/odd_input.jsonl");
    assert_eq!(records.len(), 13);
    for record in &records {
        let read = GuavaBloom::from_bytes(&unhex(text(&record["hex"])));
        match text(&record["name"]) {
            "one byte more at the end" => assert_eq!(read.unwrap_err().field, "end"),
            _ => assert_eq!(read.is_ok(), record.get("ok").is_some(), "{record}"),
        }
    }
}

#[test]
fn hostile_bytes() {
    let mut filter = GuavaBloom::create(Release::V33, 100, 0.01).unwrap();
    filter.insert("rose");
    hostile(&filter.to_bytes(), 6, |bytes| {
        GuavaBloom::from_bytes(bytes).map(|f| f.to_bytes())
    });

    // A header of 7 bytes that claims the largest possible filter.
    let error = GuavaBloom::from_bytes(&[1, 7, 0x7f, 0xff, 0xff, 0xff, 0]).unwrap_err();
    assert_eq!((error.offset, error.field), (6, "longs"));
    assert_eq!(error.wanted, Term::Bytes(17_179_869_176));
}
