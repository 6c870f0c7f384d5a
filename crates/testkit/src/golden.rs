//! Files that were written once and are read for ever.

use std::{fs, path::Path};

use bouquet_core::{Filter, TryInsert};
use bouquet_format::Encode;

use crate::Verdict;

/// How many keys golden files hold: the text `key 0` to `key 99`.
pub const GOLDEN_KEYS: u32 = 100;

/// Inserts the keys of golden files, as far as the filter takes them.
pub fn fill(filter: &mut impl TryInsert) {
    for i in 0..GOLDEN_KEYS {
        let _ = filter.try_insert(format!("key {i}").as_bytes());
    }
}

/// A filter has the bytes of its golden file, and the file decodes to that
/// filter. `BOUQUET_GOLDEN=write` in the environment makes files that are not
/// there; none is ever written anew.
///
/// # Errors
///
/// How they differ.
pub fn golden<F, E>(
    path: impl AsRef<Path>,
    filter: &F,
    decode: impl Fn(&[u8]) -> Result<F, E>,
) -> Verdict
where
    F: Filter + Encode + PartialEq,
    E: std::fmt::Display,
{
    let path = path.as_ref();
    let encoded = filter.encode();
    if !path.exists() && std::env::var("BOUQUET_GOLDEN").is_ok_and(|value| value == "write") {
        fs::write(path, &encoded).map_err(|error| format!("{path:?}: {error}"))?;
    }
    let stored = fs::read(path).map_err(|error| format!("{path:?}: {error}"))?;
    let different = stored.iter().zip(&encoded).position(|(a, b)| a != b);
    ensure!(
        stored == encoded,
        "{path:?}: the filter has other bytes now, from byte {different:?} on"
    );
    let decoded = decode(&stored).map_err(|error| format!("{path:?}: {error}"))?;
    ensure!(decoded == *filter, "{path:?}: decodes to another filter");
    for i in 0..GOLDEN_KEYS {
        ensure!(
            decoded.contains(format!("key {i}").as_bytes()),
            "{path:?}: lost key {i}"
        );
    }
    Ok(())
}
