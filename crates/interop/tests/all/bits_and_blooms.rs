//! Reads filters that Go's bits-and-blooms wrote, and expects the same bytes and the same answers.
use crate::common::{KeySets, answers, hostile, integer, list, path, records, span, text, unhex};
use bouquet_interop::{GoBloom, Term, Union};
use serde_json::Value;

fn read(record: &Value) -> GoBloom {
    let bytes = std::fs::read(path(&format!("bits-and-blooms/{}", text(&record["bin"])))).unwrap();
    let filter = GoBloom::from_bytes(&bytes).unwrap();
    assert_eq!(filter.to_bytes(), bytes, "{}", record["id"]);
    filter
}

fn made(record: &Value) -> GoBloom {
    let ctor = &record["ctor"];
    let number = |name: &str| integer(&ctor[name]);
    match text(&ctor["fn"]) {
        "NewWithEstimates" => {
            GoBloom::with_estimates(number("n"), ctor["p"].as_f64().unwrap()).unwrap()
        }
        // The peer replaces an m of 0 by 1, but its bit set has 0 bits.
        "New" if number("m") == 0 => GoBloom::from_bytes(&{
            let mut bytes = [0; 24];
            (bytes[7], bytes[15]) = (1, 1);
            bytes
        })
        .unwrap(),
        "New" => GoBloom::new(number("m"), number("k") as u32).unwrap(),
        // For `From` and `FromWithM`: a bit set of the given number of words, and any m.
        _ => {
            let words = number("words");
            let m = ctor.get("m").map_or(64 * words, integer);
            let header = [m, number("k"), 64 * words];
            let mut bytes: Vec<u8> = header.iter().flat_map(|n| n.to_be_bytes()).collect();
            bytes.resize(24 + 8 * words as usize, 0);
            GoBloom::from_bytes(&bytes).unwrap()
        }
    }
}

#[test]
fn every_filter() {
    let keys = KeySets::load();
    let records = records("bits-and-blooms/filters.jsonl");
    assert_eq!(records.len(), 31);
    for record in &records {
        let id = text(&record["id"]);
        let filter = read(record);
        assert_eq!(filter.size_bits(), integer(&record["m"]), "{id}");
        assert_eq!(u64::from(filter.hashes()), integer(&record["k"]), "{id}");
        assert_eq!(filter.bit_set_len(), integer(&record["bitset_len"]), "{id}");
        assert_eq!(filter.count_ones(), integer(&record["ones"]), "{id}");
        answers(&keys, record, &filter);
        if text(&record["ctor"]["fn"]) == "Merge" {
            continue;
        }
        let mut again = made(record);
        for added in record["added"].as_array().unwrap() {
            for (set, i) in span(added) {
                again.insert(&keys.bytes(set, i));
            }
        }
        assert_eq!(again.to_bytes(), filter.to_bytes(), "{id}");
    }
}

#[test]
fn merged_filters() {
    let records = records("bits-and-blooms/filters.jsonl");
    let by_id = |id: &str| read(records.iter().find(|r| r["id"] == id).unwrap());
    let mut merged = by_id("merge-a");
    merged.union_with(&by_id("merge-b")).unwrap();
    assert_eq!(merged, by_id("merge-ab"));
    assert!(merged.union_with(&by_id("new-1-1")).is_err());
    let (mut here, there) = (GoBloom::new(64, 1).unwrap(), GoBloom::new(64, 2).unwrap());
    assert!(here.union_with(&there).is_err());
}

#[test]
fn json() {
    let mut count = 0;
    for record in records("bits-and-blooms/filters.jsonl") {
        let Some(json) = record.get("json").map(text) else {
            continue;
        };
        let filter = read(&record);
        assert_eq!(filter.to_json(), json);
        assert_eq!(GoBloom::from_json(json).unwrap(), filter);
        count += 1;
    }
    assert!(count > 20, "{count}");
}

const JSON: &str = r#"{"m":48,"k":4,"b":"AAAAAAAAADAAAPjgNxeysw=="}"#;

#[test]
fn json_as_loose_as_the_peer_reads_it() {
    let filter = GoBloom::from_json(JSON).unwrap();
    for json in [
        " {\t\"k\" : 4 ,\n\"b\":\"AAAAAAAAADAAAPjgNxeysw==\",\r\"m\": 48 } \n",
        r#"{"M":48,"K":4,"B":"AAAAAAAAADAAAPjgNxeysw=="}"#,
        r#"{"x":{"m":[1,"}",{}],"y":-1.5e3},"m":7,"m":48,"k":4,"b":"AAAAAAAAADAAAPjgNxeysw==","z":null}"#,
    ] {
        assert_eq!(GoBloom::from_json(json).as_ref(), Ok(&filter), "{json}");
    }
}

/// m may come after the bits, and may be larger than their number.
#[test]
fn json_in_another_order_has_the_same_bits() {
    let small = GoBloom::from_json(r#"{"b":"AAAAAAAAADAAAPjgNxeysw==","k":4,"m":4096}"#).unwrap();
    let again = GoBloom::from_json(&small.to_json()).unwrap();
    assert_eq!((small.size_bits(), small.bit_set_len()), (4_096, 48));
    assert_eq!(again, small);
    let filter = GoBloom::from_json(JSON).unwrap();
    assert_eq!(small.count_ones(), filter.count_ones());
    // If there are two bit sets, the last one counts.
    let twice = format!(r#"{{"b":"AAAAAAAAAAA=",{}"#, &JSON[1..]);
    assert_eq!(GoBloom::from_json(&twice), Ok(filter));
}

#[test]
fn json_that_is_not_a_filter() {
    for (json, offset, field) in [
        ("", 0, "object"),
        ("[]", 0, "object"),
        ("{}", 2, "m"),
        (r#"{"m":0,"k":4,"b":""}"#, 5, "m"),
        (r#"{"m":4.5,"k":4,"b":""}"#, 5, "m"),
        (r#"{"m":-1,"k":4,"b":""}"#, 5, "m"),
        (r#"{"m":"48","k":4,"b":""}"#, 5, "m"),
        (r#"{"m":18446744073709551616,"k":4}"#, 5, "m"),
        (r#"{"m":48,"k":0,"b":""}"#, 12, "k"),
        (r#"{"m":48,"k":4}"#, 14, "b"),
        (r#"{"m":48,"k":4,"b":""}"#, 21, "b"),
        (r#"{"m":48,"k":4,"b":"AAAAAAAAADA"}"#, 27, "b, base64"),
        (r#"{"m":48,"k":4,"b":"AAAAAAAAADA="}"#, 19, "words"),
        (r#"{"m":48,"k":4,"b":"AAAAAAAAADD//w=="}"#, 30, "b, base64"),
        (
            r#"{"m":48,"k":4,"b":"AAAAAAAAADAAAPjgNxeysw=="} x"#,
            46,
            "end",
        ),
    ] {
        let error = GoBloom::from_json(json).unwrap_err();
        assert_eq!(
            (error.offset, error.field),
            (offset, field),
            "{json} {error}"
        );
    }
    for end in 0..JSON.len() {
        assert!(GoBloom::from_json(&JSON[..end]).is_err(), "{end}");
    }
    // Deep nesting must not overflow the stack.
    let deep = format!(r#"{{"x":{}"#, "[".repeat(1_000_000));
    assert!(GoBloom::from_json(&deep).is_err());
}

#[test]
fn answers_of_inserts() {
    let keys = KeySets::load();
    let records = records("bits-and-blooms/test_and_add.jsonl");
    assert_eq!(records.len(), 1);
    for record in records {
        let (m, k) = (integer(&record["m"]), integer(&record["k"]) as u32);
        let mut filter = GoBloom::new(m, k).unwrap();
        let present: Vec<u64> = span(&record)
            .filter(|(set, i)| !filter.insert(&keys.bytes(set, *i)))
            .map(|(_, i)| i)
            .collect();
        assert_eq!(present, list(&record["test_and_add_true"], integer));
        assert_eq!(present, list(&record["test_or_add_true"], integer));
        let bytes = unhex(text(&record["bin_hex"]));
        assert_eq!(filter.to_bytes(), bytes);
        let size = filter.approximated_size().map(u64::from);
        assert_eq!(size, Some(integer(&record["approximated_size"])));
    }
}

/// This crate rejects what the peer rejects, and also four inputs that the peer accepts.
#[test]
fn odd_input() {
    let records = records("bits-and-blooms/odd_input.jsonl");
    assert_eq!(records.len(), 10);
    let mut stricter = Vec::new();
    for record in &records {
        let error = GoBloom::from_bytes(&unhex(text(&record["hex"]))).unwrap_err();
        if record.get("ok").is_some() {
            stricter.push((text(&record["name"]), error.offset, error.field));
        }
    }
    assert_eq!(
        stricter,
        [
            ("one byte more at the end", 32, "end"),
            ("m = 0", 0, "m"),
            ("k = 0", 8, "k"),
            ("a bit set past the end", 24, "bit past the length"),
        ]
    );
}

#[test]
fn hostile_bytes() {
    let mut filter = GoBloom::new(1_000, 7).unwrap();
    filter.insert("rose");
    hostile(&filter.to_bytes(), 24, |bytes| {
        GoBloom::from_bytes(bytes).map(|f| f.to_bytes())
    });

    let with = |at: usize, value: u64| {
        let mut bytes = filter.to_bytes();
        bytes[at..at + 8].copy_from_slice(&value.to_be_bytes());
        GoBloom::from_bytes(&bytes).unwrap_err()
    };
    for len in [1_088, 1 << 40, u64::MAX - 62, u64::MAX] {
        assert_eq!(with(16, len).offset, 24, "{len}");
        assert_eq!(with(16, len).found, Term::Bytes(128));
    }
    for m in [1_000 + (8 << 16) + 1, u64::MAX] {
        assert_eq!((with(0, m).offset, with(0, m).field), (0, "m"));
    }
    assert!(GoBloom::new(1, (1 << 16) + 1).is_err());
    for k in [(1 << 16) + 1, 1 << 32, u64::MAX] {
        assert_eq!((with(8, k).offset, with(8, k).field), (8, "k"));
    }
}
