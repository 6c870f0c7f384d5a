//! Compares hashes and key bytes with docs/FROZEN.md, whose values no release may change.
use std::{fmt::Write, path::Path};

use bouquet_standard::{Folded, Key, KeyHasher};

/// A table row with the hash of a key; `shown` is the key as Rust source.
fn hash_row<K: Key + ?Sized>(shown: &str, key: &K) -> String {
    let hash = Folded::default().hash_key(key);
    format!(
        "| {shown} | `{:016x}` | `{:016x}` |",
        hash.place, hash.probe
    )
}

/// A table row with the bytes of a key.
fn key_row<K: Key + ?Sized>(shown: &str, key: &K) -> String {
    let mut bytes = String::new();
    key.with_bytes(|key| {
        for byte in key {
            write!(bytes, "{byte:02x} ").unwrap();
        }
    });
    format!("| {shown} | `{}` |", bytes.trim_end())
}

/// Table rows for keys, which are also printed as Rust source.
macro_rules! rows {
    ($row:ident: $($key:expr),+ $(,)?) => {
        [$($row(&format!("`{}`", stringify!($key)), &$key)),+].join("\n")
    };
}

#[test]
fn the_page_has_the_values_of_the_code() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/FROZEN.md");
    // The page is not part of the published crate.
    let Ok(page) = std::fs::read_to_string(page) else {
        return;
    };
    let hashes = rows!(
        hash_row: "", "rose", "black tulip", "https://example.org/", 0u64, 42u64, u64::MAX,
        [0u8; 48], [0u8; 49], [0u8; 1_048_576],
    );
    let keys = rows!(
        key_row: 42u8, 42, 42u64, -1i8, -1i64, 42usize, 42u128, true, 'é', "rose", *b"rose",
        [1u16, 2], (7u8, 'a'), ("ab", "c"), ("a", "bc"),
    );
    for table in [hashes, keys] {
        assert!(
            page.contains(&table),
            "FROZEN.md lacks these rows:\n{table}"
        );
    }
}
