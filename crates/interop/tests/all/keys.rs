//! Queries filters that each system filled, with keys of every type. A number of the wrong width,
//! or encoded as anything but its text, would cause false negatives without any error.
use crate::common::{KeySets, path, records, span, text, unhex};
use bouquet_interop::{
    Filter, GoBloom, GoKey, GoZeroBloom, GuavaBloom, ParquetBloom, ParquetKey, RedisBloom,
    guava::Unencoded,
};
use serde_json::Value;

/// The bytes of the filter of a record, and the keys that its system inserted.
fn filled<'a>(
    system: &str,
    records: &'a [Value],
    id: &str,
) -> (Vec<u8>, impl Iterator<Item = (&'a str, u64)>) {
    let record = records.iter().find(|record| record["id"] == id).unwrap();
    let file = path(&format!("{system}/{}", text(&record["bin"])));
    let added = record["added"].as_array().unwrap().iter();
    (std::fs::read(file).unwrap(), added.flat_map(span))
}

#[test]
fn a_value_of_a_column_is_found_by_every_type_that_its_physical_type_has() {
    let (keys, records) = (KeySets::load(), records("parquet/filters.jsonl"));
    let mut narrow = 0;
    for id in [
        "rs-int32",
        "rs-int64",
        "rs-float",
        "rs-double",
        "pyarrow-int64",
        "duckdb-int64",
    ] {
        let (bytes, added) = filled("parquet", &records, id);
        let column = ParquetBloom::from_bytes(&bytes).unwrap();
        for (set, i) in added {
            let number = keys.number(set, i);
            let found = match id {
                "rs-float" => column.contains(&(number as f32)),
                "rs-double" => column.contains(&(number as f64)),
                "rs-int32" => {
                    column.contains(&(number as i32)) && column.contains(&(number as u32))
                }
                _ => column.contains(&number) && column.contains(&(number as u64)),
            };
            assert!(found, "{id} {number}");
            if id == "rs-int32" {
                let some = [
                    i8::try_from(number).map(|one| column.contains(&one)),
                    i16::try_from(number).map(|one| column.contains(&one)),
                    u8::try_from(number).map(|one| column.contains(&one)),
                    u16::try_from(number).map(|one| column.contains(&one)),
                ];
                assert!(some.iter().flatten().all(|found| *found), "{number}");
                narrow += some.iter().flatten().count();
            }
        }
    }
    assert!(narrow > 30, "{narrow}");
    // FIXED_LEN_BYTE_ARRAY, for example a UUID, and zeros with both signs.
    let mut column = ParquetBloom::new(8).unwrap();
    column.insert(&[7u8; 16]);
    assert!(Filter::contains_bytes(&column, &[7; 16]) && !column.contains(&-0.0f64));
    column.insert(&0.0f64);
    assert!(column.contains(&0.0f64) && !column.contains(&-0.0f64));
}

#[test]
fn a_key_of_guava_is_fed_by_the_funnel_of_its_type() {
    let (keys, records) = (KeySets::load(), records("guava/filters.jsonl"));
    let word = |set: &str, i| String::from_utf8(keys.bytes(set, i)).unwrap();
    for id in [
        "i64-300-0.01",
        "l64-300-0.001",
        "c64-100-0.01",
        "s64-100-0.01",
    ] {
        let (bytes, added) = filled("guava", &records, id);
        let filter = GuavaBloom::from_bytes(&bytes).unwrap();
        for (set, i) in added {
            let found = match &id[..1] {
                "i" => filter.contains(&(keys.number(set, i) as i32)),
                "l" => filter.contains(&keys.number(set, i)),
                "c" => filter.contains(&Unencoded(&word(set, i))),
                _ => filter.contains(&word(set, i)),
            };
            assert!(found, "{id} {set} {i}");
        }
    }
}

#[test]
fn a_number_of_redisbloom_is_its_decimal_text() {
    let file = std::fs::read(path("redisbloom/numbers.json")).unwrap();
    let record: Value = serde_json::from_slice(&file).unwrap();
    let words = |name: &str| record[name].as_array().unwrap().iter().map(text);
    let chunks = record["chunks"].as_array().unwrap().iter();
    let chunks: Vec<(i64, Vec<u8>)> = chunks
        .map(|chunk| (chunk[0].as_i64().unwrap(), unhex(text(&chunk[1]))))
        .collect();
    let chunks: Vec<(i64, &[u8])> = chunks.iter().map(|(at, bytes)| (*at, &bytes[..])).collect();
    let server = RedisBloom::from_chunks(&chunks).unwrap();
    for added in words("added") {
        assert!(server.contains(added), "{added}");
        if let Ok(number) = added.parse::<i128>()
            && number.to_string() == added
        {
            assert!(server.contains(&number), "{number}");
            let narrower = [
                i8::try_from(number).map(|one| server.contains(&one)),
                u8::try_from(number).map(|one| server.contains(&one)),
                i32::try_from(number).map(|one| server.contains(&one)),
                i64::try_from(number).map(|one| server.contains(&one)),
                u64::try_from(number).map(|one| server.contains(&one)),
                usize::try_from(number).map(|one| server.contains(&one)),
            ];
            assert!(narrower.iter().flatten().all(|found| *found), "{number}");
        }
    }
    // The keys added as `007`, `-0` and `1e3` are not numbers for the server.
    assert!(!server.contains(&7) && !server.contains(&1_000));
    assert!(words("absent").all(|absent| !server.contains(absent)));
}

/// As in the README of bits-and-blooms, the number is encoded big-endian.
#[test]
fn a_number_of_go_is_the_bytes_that_its_program_gives() {
    fn is_key<K: GoKey + ?Sized>(key: &K) -> Vec<u8> {
        key.with_bytes(<[u8]>::to_vec)
    }
    let mut filter = GoBloom::with_estimates(1_000, 1e-6).unwrap();
    filter.insert(&[0, 0, 0, 100]);
    assert!(filter.contains(&100u32.to_be_bytes()) && !filter.contains("100"));
    let mut filter = GoZeroBloom::new(10_000).unwrap();
    filter.insert("100");
    assert!(filter.contains(&100.to_string()) && filter.contains(&b"100".to_vec()));
    assert_eq!(is_key(&Box::<str>::from("rose")), is_key(b"rose"));
}

/// A key type behind a generic parameter, and the trait `Filter`, see only bytes.
#[test]
fn of_the_methods_of_the_traits_those_of_bytes_are_left() {
    fn bytes<K: ParquetKey>(key: K) -> Vec<u8> {
        key.with_bytes(<[u8]>::to_vec)
    }
    let mut column = ParquetBloom::new(8).unwrap();
    column.insert(&42i32);
    let column: &dyn Filter = &column;
    assert!(column.contains_bytes(&bytes(42u8)) && !column.contains_bytes(&bytes(42i64)));
}

/// The key bytes listed in docs/FROZEN.md, which no release may change.
#[test]
fn bytes_are_those_that_no_release_changes() {
    use bouquet_interop::{GuavaKey, RedisKey};
    let hex = |bytes: &[u8]| {
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        bytes.join(" ")
    };
    let page = std::fs::read_to_string(path("../../../../docs/FROZEN.md")).unwrap();
    for row in [
        format!(
            "| `42i8`, `42u16`, `42i32`, `42u32` | `{}` |",
            ParquetKey::with_bytes(&42i8, hex)
        ),
        format!(
            "| `-1i8`, `-1i32` | `{}` |",
            ParquetKey::with_bytes(&-1i8, hex)
        ),
        format!(
            "| `42i64`, `42u64` | `{}` |",
            ParquetKey::with_bytes(&42u64, hex)
        ),
        format!(
            "| `1f32`; `-0f64` | `{}`; `{}` |",
            ParquetKey::with_bytes(&1f32, hex),
            ParquetKey::with_bytes(&-0f64, hex)
        ),
        format!(
            "| `42i32`; `42i64` | `{}`; `{}` |",
            GuavaKey::with_bytes(&42i32, hex),
            GuavaKey::with_bytes(&42i64, hex)
        ),
        format!(
            "| `\"é\"`; `Unencoded(\"é\")` | `{}`; `{}` |",
            GuavaKey::with_bytes("é", hex),
            GuavaKey::with_bytes(&Unencoded("é"), hex)
        ),
        format!(
            "| `42u8`, `42i64`, `\"42\"` | `{}` |",
            RedisKey::with_bytes(&42u8, hex)
        ),
        format!("| `-7i128` | `{}` |", RedisKey::with_bytes(&-7i128, hex)),
        format!(
            "| `42u32.to_be_bytes()` | `{}` |",
            GoKey::with_bytes(&42u32.to_be_bytes(), hex)
        ),
    ] {
        assert!(page.contains(&row), "FROZEN.md lacks {row}");
    }
    for same in [
        ParquetKey::with_bytes(&42u16, hex),
        ParquetKey::with_bytes(&42i32, hex),
        ParquetKey::with_bytes(&42u32, hex),
    ] {
        assert_eq!(same, ParquetKey::with_bytes(&42i8, hex));
    }
}
