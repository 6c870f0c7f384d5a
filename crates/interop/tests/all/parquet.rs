//! Reads filters that several Parquet writers wrote, and expects the same bytes and the same
//! answers.
use crate::common::{KeySets, hostile, integer, list, path, records, span, text, unhex};
use bouquet_interop::{ParquetBloom, Union};
use serde_json::Value;

fn read(record: &Value) -> ParquetBloom {
    let bytes = std::fs::read(path(&format!("parquet/{}", text(&record["bin"])))).unwrap();
    assert!(bytes.starts_with(&unhex(text(&record["header_hex"]))));
    let filter = ParquetBloom::from_bytes(&bytes).unwrap();
    assert_eq!(filter.to_bytes(), bytes, "{}", record["id"]);
    filter
}

/// The plain value of a key in the column's type.
fn plain(keys: &KeySets, record: &Value, set: &str, i: u64) -> Vec<u8> {
    if set != "ints" {
        return keys.bytes(set, i);
    }
    let number = keys.number(set, i);
    match text(&record["type"]) {
        "INT32" => (number as i32).to_le_bytes().to_vec(),
        "FLOAT" => (number as f32).to_le_bytes().to_vec(),
        "DOUBLE" => (number as f64).to_le_bytes().to_vec(),
        _ => number.to_le_bytes().to_vec(),
    }
}

fn insert_added(keys: &KeySets, record: &Value, filter: &mut ParquetBloom) {
    for (set, i) in record["added"].as_array().unwrap().iter().flat_map(span) {
        filter.insert(&plain(keys, record, set, i));
    }
}

#[test]
fn every_filter() {
    let keys = KeySets::load();
    let records = records("parquet/filters.jsonl");
    assert_eq!(records.len(), 20);
    let mut folded = 0;
    for record in &records {
        let id = text(&record["id"]);
        let filter = read(record);
        assert_eq!(
            u64::from(filter.blocks()),
            integer(&record["blocks"]),
            "{id}"
        );
        assert_eq!(filter.count_ones(), integer(&record["ones"]), "{id}");
        let positives: Vec<u64> = span(&record["probe"])
            .filter(|(set, i)| filter.contains(&plain(&keys, record, set, *i)))
            .map(|(_, i)| i)
            .collect();
        assert_eq!(
            positives,
            list(&record["probe"]["positives"], integer),
            "{id}"
        );

        let mut again = ParquetBloom::new(filter.blocks()).unwrap();
        insert_added(&keys, record, &mut again);
        assert_eq!(again.to_bytes(), filter.to_bytes(), "{id}");

        if let Some(blocks) = record.get("folded_from_blocks") {
            let mut large = ParquetBloom::new(integer(blocks) as u32).unwrap();
            insert_added(&keys, record, &mut large);
            while large.blocks() > filter.blocks() {
                large = large.folded().unwrap().unwrap();
            }
            assert_eq!(large, filter, "{id}");
            folded += 1;
        }
    }
    assert_eq!(folded, 1);
}

#[test]
fn folding_is_inserting_into_half() {
    for blocks in [2, 6, 100, 4_096] {
        let mut large = ParquetBloom::new(blocks).unwrap();
        let mut small = ParquetBloom::new(blocks / 2).unwrap();
        for key in 0..3 * i64::from(blocks) {
            large.insert(&key);
            small.insert(&key);
        }
        assert_eq!(large.folded(), Ok(Some(small)), "{blocks}");
    }
    assert_eq!(ParquetBloom::new(1).unwrap().folded(), Ok(None));
    assert_eq!(ParquetBloom::new(7).unwrap().folded(), Ok(None));
}

#[test]
fn unions() {
    let [mut a, mut b, mut both] = [0; 3].map(|_| ParquetBloom::new(5).unwrap());
    a.insert("rose");
    b.insert("tulip");
    both.insert("rose");
    both.insert("tulip");
    a.union_with(&b).unwrap();
    assert_eq!(a, both);
    assert!(a.union_with(&ParquetBloom::new(6).unwrap()).is_err());
}

#[test]
fn in_the_middle_of_a_file() {
    let mut filter = ParquetBloom::new(3).unwrap();
    filter.insert("rose");
    let bytes = filter.to_bytes();
    let longer = [&bytes[..], b"PAR1"].concat();
    assert_eq!(
        ParquetBloom::from_start_of(&longer),
        Ok((filter, bytes.len() as u64))
    );
    assert_eq!(ParquetBloom::from_bytes(&longer).unwrap_err().field, "end");
}

#[test]
fn headers_grow_with_the_number_of_blocks() {
    for (blocks, header) in [
        (1, 15),
        (2, 16),
        (255, 16),
        (256, 17),
        (32_767, 17),
        (32_768, 18),
    ] {
        let bytes = ParquetBloom::new(blocks).unwrap().to_bytes();
        assert_eq!(bytes.len(), header + 32 * blocks as usize);
        assert_eq!(ParquetBloom::from_bytes(&bytes).unwrap().blocks(), blocks);
    }
}

#[test]
fn hostile_bytes() {
    let mut filter = ParquetBloom::new(3).unwrap();
    filter.insert("rose");
    hostile(&filter.to_bytes(), 16, |bytes| {
        ParquetBloom::from_bytes(bytes).map(|f| f.to_bytes())
    });

    let rest = [0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0];
    for (varint, offset, field) in [
        (&[0x00][..], 1, "numBytes"),
        (&[0x3f], 1, "numBytes"),
        (&[0x20], 1, "numBytes"),
        (&[0xff, 0xff, 0xff, 0xff, 0x0f], 1, "numBytes"),
        (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 1, "numBytes"),
        (&[0xc0, 0xff, 0xff, 0xff, 0x0f], 19, "bitset"),
    ] {
        let bytes = [&[0x15], varint, &rest].concat();
        let error = ParquetBloom::from_bytes(&bytes).unwrap_err();
        assert_eq!((error.offset, error.field), (offset, field), "{error}");
    }
}
