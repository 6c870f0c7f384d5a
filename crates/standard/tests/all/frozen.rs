//! Compares hashes and key bytes with docs/FROZEN.md, whose values no release may change.
use std::{
    ffi::OsStr,
    fmt::Write,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6},
    num::NonZeroU8,
    path::Path,
    time::{Duration, SystemTime},
};

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
        [1u16, 2], &[1u16, 2][..], vec![1u16, 2], (7u8, 'a'), ("ab", "c"), ("a", "bc"),
        vec!["ab", "c"], [[0u8; 0]; 2], [vec![1u8, 2]], [[1u8, 2]], None::<u8>, Some(7u8), Some("ab"), NonZeroU8::MAX, c"rose",
        Ipv4Addr::LOCALHOST, IpAddr::V4(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST,
        SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 80)),
        SocketAddrV6::new(Ipv6Addr::LOCALHOST, 80, 1, 2),
        Duration::from_millis(1), SystemTime::UNIX_EPOCH - Duration::from_nanos(1),
        Path::new("/a//b/./c/"), Path::new("./a"), OsStr::new("a//b"),
    );
    for table in [hashes, keys] {
        assert!(
            page.contains(&table),
            "FROZEN.md lacks these rows:\n{table}"
        );
    }
}
