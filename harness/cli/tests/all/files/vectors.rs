//! Test vectors of other systems: files, keys and answers, from the tests of the crate `interop`.

use std::fs;

use serde_json::Value;

use crate::support::root;

pub fn bytes(name: &str) -> Vec<u8> {
    fs::read(root().join("crates/interop/tests/data").join(name)).unwrap()
}

pub fn records(name: &str) -> Vec<Value> {
    let text = String::from_utf8(bytes(name)).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The bytes of the filter file that belongs to a test vector.
pub fn bin(folder: &str, record: &Value) -> Vec<u8> {
    bytes(&format!("{folder}/{}", text(&record["bin"])))
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

/// The key sets to which test vectors refer by name.
pub struct KeySets(Value);

impl KeySets {
    pub fn load() -> Self {
        Self(serde_json::from_slice(&bytes("keys.json")).unwrap())
    }

    /// The range of keys that a JSON value `{set, from, to}` describes, in hex.
    pub fn hex(&self, span: &Value) -> Vec<String> {
        let set = &self.0[text(&span["set"])];
        let key = |i: u64| match (set.get("range"), set.get("i64")) {
            (Some(range), _) => {
                let number = integer(&range["start"]) + i;
                hex(format!("{}{number}", text(&range["prefix"])).as_bytes())
            }
            (_, Some(numbers)) => {
                let number: i64 = text(&numbers[i as usize]).parse().unwrap();
                hex(&number.to_le_bytes())
            }
            _ => text(&set["hex"][i as usize]).to_owned(),
        };
        (integer(&span["from"])..integer(&span["to"]))
            .map(key)
            .collect()
    }

    /// The keys, in hex, that the other system inserted into the filter, in order.
    pub fn added(&self, record: &Value) -> Vec<String> {
        let spans = record["added"].as_array().unwrap();
        spans.iter().flat_map(|span| self.hex(span)).collect()
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn unhex(hex: &str) -> Vec<u8> {
    let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digits).collect()
}
