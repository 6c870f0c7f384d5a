//! Reads Redis strings that go-zero and Redisson wrote, and expects the same bytes and the same
//! answers.
use crate::common::{KeySets, answers, integer, path, records, span, text};
use bouquet_interop::{GoZeroBloom, Term, Union};
use serde_json::Value;

fn string(system: &str, record: &Value) -> Vec<u8> {
    std::fs::read(path(&format!("{system}/{}", text(&record["bin"])))).unwrap()
}

#[test]
fn every_filter_of_go_zero() {
    let keys = KeySets::load();
    let records = records("go-zero/filters.jsonl");
    assert_eq!(records.len(), 8);
    for record in &records {
        let bytes = string("go-zero", record);
        let bits = integer(&record["bits"]);
        let filter = GoZeroBloom::from_bytes(&bytes, bits).unwrap();
        assert_eq!(filter.to_bytes(), bytes, "{}", record["id"]);
        assert_eq!(filter.count_ones(), integer(&record["ones"]));
        answers(&keys, record, &filter);

        let mut again = GoZeroBloom::new(bits).unwrap();
        for (set, i) in record["added"].as_array().unwrap().iter().flat_map(span) {
            again.insert(&keys.bytes(set, i));
        }
        assert_eq!(again, filter, "{}", record["id"]);
    }
}

#[cfg(feature = "redisson")]
#[test]
fn every_filter_of_redisson() {
    use bouquet_interop::RedissonBloom;

    let keys = KeySets::load();
    let records = records("redisson/filters.jsonl");
    assert_eq!(records.len(), 3);
    for record in &records {
        let bytes = string("redisson", record);
        let (size, k) = (
            integer(&record["size"]),
            integer(&record["hashIterations"]) as u32,
        );
        let filter = RedissonBloom::from_bytes(&bytes, size, k).unwrap();
        assert_eq!(filter.to_bytes(), bytes, "{}", record["id"]);
        assert_eq!(filter.count_ones(), integer(&record["ones"]));
        assert_eq!(filter.count(), Some(integer(&record["count"])));
        answers(&keys, record, &filter);

        let n = integer(&record["expectedInsertions"]);
        let p = record["falseProbability"].as_f64().unwrap();
        let mut again = RedissonBloom::with_estimates(n, p).unwrap();
        for (set, i) in record["added"].as_array().unwrap().iter().flat_map(span) {
            again.insert(&keys.bytes(set, i));
        }
        assert_eq!(again, filter, "{}", record["id"]);
    }
    assert!(RedissonBloom::from_bytes(&[], 0, 1).is_err());
    assert!(RedissonBloom::from_bytes(&[], 1 << 33, 1).is_err());
}

#[test]
fn strings_of_another_size() {
    let read = |bytes: &[u8], bits| GoZeroBloom::from_bytes(bytes, bits);
    assert_eq!(read(&[0, 0x80], 9).unwrap().count_ones(), 1);
    let stray = read(&[0, 0x40], 9).unwrap_err();
    assert_eq!((stray.offset, stray.found), (1, Term::Number(9)));
    let longer = read(&[0, 0, 0], 16).unwrap_err();
    assert_eq!((longer.offset, longer.found), (2, Term::Bytes(1)));
    assert!(read(&[], 0).is_err());
    assert!(read(&[], (1 << 32) + 1).is_err());
    let large = GoZeroBloom::new((1 << 32) + 1).unwrap_err();
    assert!(
        large.to_string().starts_with(
            "4294967297 bits are more than the 4294967296 bits that a Redis string can have"
        ),
        "{large}"
    );
    // A zero byte at the end means that a bit was set and cleared later. It must be kept.
    assert_eq!(read(&[1, 0], 16).unwrap().to_bytes(), [1, 0]);
}

/// Like `BITOP OR`, a union has the length of the longer string.
#[test]
fn unions() {
    let of = |bytes: &[u8]| GoZeroBloom::from_bytes(bytes, 100).unwrap();
    let mut both = of(&[1, 2, 0]);
    both.union_with(&of(&[4])).unwrap();
    assert_eq!(both.to_bytes(), [5, 2, 0]);
    let mut both = of(&[4]);
    both.union_with(&of(&[1, 2, 0])).unwrap();
    assert_eq!(both.to_bytes(), [5, 2, 0]);
    assert!(both.union_with(&GoZeroBloom::new(101).unwrap()).is_err());
}
