//! Values of Parquet's physical types, in the form that each of the two libraries takes.

use bouquet_interop::ParquetBloom;
use parquet::bloom_filter::Sbbf;

/// A value of a column.
pub enum Value {
    Int32(i32),
    Int64(i64),
    Float(f32),
    Double(f64),
    Bytes(Vec<u8>),
}

impl Value {
    /// The `i`-th value of a pseudo-random sequence that contains every type and byte strings of 0
    /// to 99 bytes.
    pub fn any(i: u64) -> Self {
        let word = mix(i);
        match word % 5 {
            0 => Self::Int32((word >> 32) as i32),
            1 => Self::Int64(mix(word) as i64),
            2 => Self::Float((word >> 32) as f32 / 7.0),
            3 => Self::Double(mix(word) as f64 / 7.0),
            // XXH64 uses another code path from 32 bytes on.
            _ => Self::Bytes(
                (0..(word >> 8) % 100)
                    .map(|j| mix(word ^ j) as u8)
                    .collect(),
            ),
        }
    }

    pub fn insert(&self, ours: &mut ParquetBloom, theirs: &mut Sbbf) {
        match self {
            Self::Int32(value) => (ours.insert(value), theirs.insert(value)),
            Self::Int64(value) => (ours.insert(value), theirs.insert(value)),
            Self::Float(value) => (ours.insert(&value.to_le_bytes()), theirs.insert(value)),
            Self::Double(value) => (ours.insert(&value.to_le_bytes()), theirs.insert(value)),
            Self::Bytes(value) => (ours.insert(value), theirs.insert(value)),
        };
    }

    /// Whether each of the two filters may contain this value: (`ours`, `theirs`).
    pub fn query(&self, ours: &ParquetBloom, theirs: &Sbbf) -> (bool, bool) {
        match self {
            Self::Int32(value) => (ours.contains(value), theirs.check(value)),
            Self::Int64(value) => (ours.contains(value), theirs.check(value)),
            Self::Float(value) => (ours.contains(&value.to_le_bytes()), theirs.check(value)),
            Self::Double(value) => (ours.contains(&value.to_le_bytes()), theirs.check(value)),
            Self::Bytes(value) => (ours.contains(value), theirs.check(value)),
        }
    }
}

/// The number of queries for keys that were never inserted.
pub const ABSENT: u64 = 100_000;

/// Asserts that both filters contain all of the first `members` values and give the same answer for
/// every absent key. Returns the number of false positives.
pub fn agree(ours: &ParquetBloom, theirs: &Sbbf, members: u64) -> u64 {
    for i in 0..members {
        assert_eq!(
            Value::any(i).query(ours, theirs),
            (true, true),
            "member {i}"
        );
    }
    let mut positives = 0;
    for i in (1 << 40)..(1 << 40) + ABSENT {
        let (own, other) = Value::any(i).query(ours, theirs);
        assert_eq!(own, other, "absent key {i}");
        positives += u64::from(own);
    }
    positives
}

/// The bytes that the crate `parquet` writes: header and bitset.
pub fn bytes_of(theirs: &Sbbf) -> Vec<u8> {
    let mut bytes = Vec::new();
    theirs.write(&mut bytes).unwrap();
    bytes
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
pub fn mix(word: u64) -> u64 {
    let x = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
