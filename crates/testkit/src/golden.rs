//! Golden files: filters that were written once and must always remain readable.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use bouquet_core::{Filter, TryInsert, USER_HASHER_IDS};
use bouquet_format::Encode;

use crate::Verdict;

/// Number of keys in golden files: the texts `key 0` to `key 99`.
pub const GOLDEN_KEYS: u32 = 100;

/// The secret key of the golden files that have one.
pub const GOLDEN_SECRET: [u8; 16] = *b"a secret of ours";

/// Generates a test per golden file. In `name => filter`, `filter` is a `Result`; the filter is
/// filled and compared with `tests/data/name.bouquet` of the tested crate.
///
/// ```text
/// bouquet_testkit::golden! {
///     StandardBloom:
///     odd_bits => StandardBloom::from_parts(1_021, 3, Xxh3::default()),
/// }
/// ```
#[macro_export]
macro_rules! golden {
    ($filter:ident: $($name:ident => $make:expr),+ $(,)?) => {$(
        #[test]
        fn $name() -> $crate::Verdict {
            let mut filter = $make.unwrap();
            $crate::golden::fill(&mut filter);
            $crate::golden!(@file $filter, $name, filter)
        }
    )+};
    (@file $filter:ident, $name:ident, $made:ident) => {
        $crate::golden::golden(
            concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/", stringify!($name), ".bouquet"),
            &$made,
            $filter::decode,
        )
    };
}

/// Inserts the keys of golden files; keys that the filter rejects are skipped.
pub fn fill(filter: &mut impl TryInsert) {
    for key in keys() {
        let _ = filter.try_insert(key.as_bytes());
    }
}

/// The keys of golden files.
pub fn keys() -> impl Iterator<Item = String> {
    (0..GOLDEN_KEYS).map(|i| format!("key {i}"))
}

/// Checks that a filter has the bytes of its golden file, that the file decodes to that filter, and
/// that the Python reader that comes with the format gives the same answers. Without `python3` the
/// last check is skipped with a note on standard error, or fails if the environment has
/// `BOUQUET_NEEDS_PYTHON=1`. `BOUQUET_GOLDEN=write` writes missing files; existing files are never
/// overwritten.
///
/// # Errors
///
/// What differs.
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
            decoded.contains_bytes(format!("key {i}").as_bytes()),
            "{path:?}: false negative, key {i}"
        );
    }
    another_language(path, &decoded)
}

/// Members, absent keys, and keys of every length that hash functions treat in a different way.
fn questions() -> Vec<String> {
    let absent = (0..300).map(|i| format!("absent {i}"));
    let lengths = (0..300).chain([511, 512, 1_023, 1_024, 1_025, 2_049]);
    let runs = lengths.map(|length| "tulip".chars().cycle().take(length).collect());
    keys().chain(absent).chain(runs).collect()
}

fn without_python(path: &Path) -> Verdict {
    let needed = std::env::var("BOUQUET_NEEDS_PYTHON").is_ok_and(|value| value == "1");
    ensure!(!needed, "no python3, to read {path:?} in another language");
    // Writes to standard error directly, because the test harness captures what a passing test
    // prints.
    let said = writeln!(
        std::io::stderr(),
        "SKIPPED: no python3 to read {path:?} in another language: ./scripts/install installs it"
    );
    said.map_err(|error| error.to_string())
}

/// Queries the same keys with the Python reader and compares the answers.
fn another_language(path: &Path, filter: &(impl Filter + Encode)) -> Verdict {
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reader.py");
    let python = Command::new("python3").arg("--version").output();
    // The published crates do not contain the reader.
    if !reader.exists() || USER_HASHER_IDS.contains(&filter.header().hasher()) {
        return Ok(());
    }
    if !python.is_ok_and(|python| python.status.success()) {
        return without_python(path);
    }
    let failed = |error: std::io::Error| format!("python3 {reader:?}: {error}");
    let mut command = Command::new("python3");
    command.arg(&reader).arg(path).arg("--ask");
    if filter.header().keyed() {
        let secret = GOLDEN_SECRET.map(|byte| format!("{byte:02x}"));
        command.arg("--key").arg(secret.concat());
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let questions = questions();
    if let Some(mut stdin) = child.stdin.take() {
        let lines: String = questions.iter().map(|key| format!("{key}\n")).collect();
        stdin.write_all(lines.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    let answer = |key: &String| match filter.contains_bytes(key.as_bytes()) {
        true => '1',
        false => '0',
    };
    let answers: String = questions.iter().map(answer).collect();
    ensure!(
        String::from_utf8_lossy(&output.stdout).trim_end() == answers,
        "{path:?}: the reader in Python answers differently"
    );
    Ok(())
}
