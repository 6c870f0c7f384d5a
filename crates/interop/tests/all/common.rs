//! Access to the golden data: key sets and records.
use std::{fs, path::PathBuf};

use serde_json::Value;

pub fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/data", name]
        .iter()
        .collect()
}

/// The records of a file that has one JSON value per line.
pub fn records(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(path(name)).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The key sets that the records refer to.
pub struct KeySets(Value);

impl KeySets {
    pub fn load() -> Self {
        Self(serde_json::from_slice(&fs::read(path("keys.json")).unwrap()).unwrap())
    }

    /// Key `i` of a set of byte strings.
    pub fn bytes(&self, set: &str, i: u64) -> Vec<u8> {
        let set = &self.0[set];
        if let Some(range) = set.get("range") {
            assert!(i < integer(&range["count"]));
            let index = integer(&range["start"]) + i;
            return format!("{}{index}", text(&range["prefix"])).into_bytes();
        }
        unhex(text(&set["hex"][i as usize]))
    }

    /// Key `i` of a set of numbers.
    pub fn number(&self, set: &str, i: u64) -> i64 {
        text(&self.0[set]["i64"][i as usize]).parse().unwrap()
    }

    /// The key that a record names by its `set` and `i`.
    pub fn of(&self, record: &Value) -> Vec<u8> {
        self.bytes(text(&record["set"]), integer(&record["i"]))
    }
}

/// The set and the index of every key in the range `{set, from, to}`.
pub fn span(value: &Value) -> impl Iterator<Item = (&str, u64)> {
    let set = text(&value["set"]);
    (integer(&value["from"])..integer(&value["to"])).map(move |i| (set, i))
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A number, or a number in a string.
pub fn integer(value: &Value) -> u64 {
    match value {
        Value::String(digits) => digits.parse().unwrap(),
        number => number.as_u64().unwrap(),
    }
}

/// A 64-bit word in hexadecimal.
pub fn word(value: &Value) -> u64 {
    u64::from_str_radix(text(value), 16).unwrap()
}

/// An `f64` given by its 64 bits in hexadecimal.
pub fn float(value: &Value) -> f64 {
    f64::from_bits(word(value))
}

pub fn list<T>(value: &Value, of: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().unwrap().iter().map(of).collect()
}

pub fn unhex(hex: &str) -> Vec<u8> {
    assert!(hex.len().is_multiple_of(2));
    (0..hex.len() / 2)
        .map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
        .collect()
}

/// Asserts that the filter contains every key that was inserted, and that the keys queried in the
/// peer get the same answers here.
pub fn answers(keys: &KeySets, record: &Value, filter: &impl bouquet_interop::Filter) {
    let id = text(&record["id"]);
    for added in record["added"].as_array().unwrap() {
        for (set, i) in span(added) {
            assert!(filter.contains_bytes(&keys.bytes(set, i)), "{id} {set} {i}");
        }
    }
    let positives: Vec<u64> = span(&record["probe"])
        .filter(|(set, i)| filter.contains_bytes(&keys.bytes(set, *i)))
        .map(|(_, i)| i)
        .collect();
    assert_eq!(
        positives,
        list(&record["probe"]["positives"], integer),
        "{id}"
    );
}

/// Asserts that `read` rejects every truncated input, and that an input with one flipped bit in the
/// first `header` bytes is either rejected or decoded to a filter that writes these same bytes.
pub fn hostile(
    bytes: &[u8],
    header: usize,
    read: impl Fn(&[u8]) -> Result<Vec<u8>, bouquet_interop::ForeignDecodeError>,
) {
    assert_eq!(read(bytes).as_deref(), Ok(bytes));
    for end in 0..bytes.len() {
        let error = read(&bytes[..end]).unwrap_err();
        assert!(error.offset <= end as u64, "{end} {error}");
    }
    let longer = [bytes, &[0]].concat();
    assert!(read(&longer).is_err());
    for bit in 0..8 * header {
        let mut turned = bytes.to_vec();
        turned[bit / 8] ^= 1 << (bit % 8);
        match read(&turned) {
            Ok(written) => assert_eq!(written, turned, "{bit}"),
            Err(error) => assert!(error.offset <= turned.len() as u64, "{bit} {error}"),
        }
    }
}
