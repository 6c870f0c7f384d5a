//! Compares a filter, built as a project builds it, with an accepted baseline.

mod chance;

use std::{collections::HashSet, env, fmt::Write as _, fs, path::Path};

use bouquet_core::{Inspect, Key, TryInsert};
use bouquet_format::{Encode, save};

use self::chance::interval;
use crate::{Verdict, mix};

/// Number of absent keys that are queried.
const ABSENT: u64 = 1_000_000;
/// Number of these absent keys whose answers are in the digest.
const ANSWERS: u64 = 100_000;

/// The environment variable that, if set to 1, makes [`gate`] write the baseline instead of
/// comparing with it.
pub const ACCEPT: &str = "BOUQUET_ACCEPT";

/// Checks the filters that `make` returns, with the project's own keys and with the baseline in a
/// file. [`assert_gate!`](crate::assert_gate) is the same as an assertion.
///
/// The checks in their order:
///
/// - there is at least one key, none of `keys` is a false negative, and their number does not
///   exceed the capacity (of a filter that grows: the capacity after it has grown);
/// - with as many generated keys as the capacity there is no false negative, and a million absent
///   keys give no more false positives than [`expected_fpr`](Inspect::expected_fpr) and chance
///   explain;
/// - capacity, size, number of probes, and digests of the bits and of the answers are those of the
///   baseline; the digests are of generated keys, so the list of keys may grow;
/// - the FPR is not higher than in the baseline.
///
/// If [`ACCEPT`] is set in the environment, the baseline is written instead, unless an earlier
/// check fails. The time is mostly that of filling a filter to its capacity; the memory is about 40
/// bytes per key of `keys`.
///
/// # Errors
///
/// Says which check failed, with the numbers. If the baseline is missing or cannot be read, says
/// how to write one.
///
/// # Panics
///
/// If the filter panics.
pub fn gate<F, K>(
    make: impl Fn() -> F,
    keys: impl IntoIterator<Item = K>,
    baseline: &Path,
) -> Verdict
where
    F: TryInsert + Inspect + Encode,
    K: Key,
{
    let accepts = env::var_os(ACCEPT).is_some_and(|value| value == "1");
    judge(make, keys, baseline, accepts)
}

/// Like [`gate`], but an argument says whether to write the baseline.
///
/// # Errors
///
/// As [`gate`].
pub fn judge<F, K>(
    make: impl Fn() -> F,
    keys: impl IntoIterator<Item = K>,
    baseline: &Path,
    accepts: bool,
) -> Verdict
where
    F: TryInsert + Inspect + Encode,
    K: Key,
{
    own_keys(make(), keys)?;
    let now = State::of(make())?;
    if accepts {
        return now.write(baseline);
    }
    let before = State::read(baseline)?;
    now.compare(&before)
        .map_err(|why| format!("{why}\nIf that is intended, accept it: run once with {ACCEPT}=1"))
}

/// Checks the project's own keys in a filter that contains only them.
fn own_keys<F, K>(mut filter: F, keys: impl IntoIterator<Item = K>) -> Verdict
where
    F: TryInsert + Inspect,
    K: Key,
{
    let bytes = |key: K| key.with_bytes(<[u8]>::to_vec);
    let keys: HashSet<Vec<u8>> = keys.into_iter().map(bytes).collect();
    ensure!(
        !keys.is_empty(),
        "there are no keys: supply those that the filter will have"
    );
    for key in &keys {
        if filter.try_insert(key).is_err() {
            fits(keys.len(), &filter)?;
            return Err(format!("the key {} was rejected", key.escape_ascii()));
        }
    }
    // This is called after the inserts, because a filter that grows has its final capacity only
    // now.
    fits(keys.len(), &filter)?;
    for key in &keys {
        ensure!(
            filter.contains(key),
            "the key {} is a false negative: it was inserted and is not found",
            key.escape_ascii()
        );
    }
    Ok(())
}

fn fits(keys: usize, filter: &impl Inspect) -> Verdict {
    let capacity = filter.capacity();
    ensure!(
        keys as u64 <= capacity,
        "{keys} different keys, but the filter is sized for {capacity}"
    );
    Ok(())
}

/// The state of a filter that is full of generated keys, as in the baseline file.
#[derive(PartialEq, Debug)]
struct State {
    /// Names and values that must be equal to those of the file.
    exact: [(&'static str, String); 5],
    /// Number of false positives among [`ABSENT`] keys.
    hits: u64,
}

/// The name in the last line of the file.
const HITS: &str = "false_positives";

impl State {
    fn of<F: TryInsert + Inspect + Encode>(mut filter: F) -> Result<Self, String> {
        let capacity = filter.capacity();
        for i in 0..capacity {
            ensure!(
                filter.try_insert(&member(i)).is_ok(),
                "key {i} of {capacity} was rejected: the filter is full before its capacity"
            );
        }
        let missing = (0..capacity).find(|i| !filter.contains(&member(*i)));
        if let Some(i) = missing {
            return Err(format!(
                "key {i} of {capacity} is a false negative: it was inserted and is not found"
            ));
        }
        let (mut hits, mut answers) = (0, 0);
        for i in 0..ABSENT {
            let hit = filter.contains(&absent(i));
            hits += u64::from(hit);
            if i < ANSWERS {
                answers = mix(answers ^ u64::from(hit));
            }
        }
        let expected = filter.expected_fpr(capacity);
        let seen = interval(hits, ABSENT);
        ensure!(
            *seen.start() <= expected,
            "at capacity {hits} of {ABSENT} absent keys are false positives, and an FPR of \
             {expected:e} was to be expected"
        );
        let exact = [
            ("capacity", capacity.to_string()),
            ("size_bits", filter.size_bits().to_string()),
            ("hashes", filter.hashes().to_string()),
            ("bits", format!("{:016x}", digest(&filter.encode()))),
            ("answers", format!("{answers:016x}")),
        ];
        Ok(Self { exact, hits })
    }

    fn write(&self, path: &Path) -> Verdict {
        let mut text = String::from("what,value\n");
        for (name, value) in &self.exact {
            // Writing to a string never fails.
            let _ = writeln!(text, "{name},{value}");
        }
        let _ = writeln!(text, "{HITS},{}", self.hits);
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        folder
            .and_then(|()| save(path, |out| out.write_all(text.as_bytes())))
            .map_err(|error| format!("cannot write the baseline {}: {error}", path.display()))
    }

    fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = fs::read_to_string(path).map_err(|error| {
            format!("no baseline in {shown} ({error}): to write one, run once with {ACCEPT}=1")
        })?;
        let odd = || {
            format!(
                "{shown} is not a baseline of this version: to write one, run once with {ACCEPT}=1"
            )
        };
        let mut lines = text.lines();
        let mut next = |name: &str| {
            let (own, value) = lines.next()?.split_once(',')?;
            (own == name).then(|| value.to_owned())
        };
        next("what").ok_or_else(odd)?;
        let names = ["capacity", "size_bits", "hashes", "bits", "answers"];
        let mut exact = names.map(|name| (name, String::new()));
        for (name, value) in &mut exact {
            *value = next(name).ok_or_else(odd)?;
        }
        let hits = next(HITS)
            .and_then(|text| text.parse().ok())
            .ok_or_else(odd)?;
        ensure!(hits <= ABSENT && lines.next().is_none(), "{}", odd());
        Ok(Self { exact, hits })
    }

    fn compare(&self, before: &Self) -> Verdict {
        for ((name, now), (_, was)) in self.exact.iter().zip(&before.exact) {
            ensure!(now == was, "{name}: {now}, but the baseline has {was}");
        }
        let [now, was] = [self, before].map(|state| interval(state.hits, ABSENT));
        ensure!(
            now.start() <= was.end(),
            "{} false positives of {ABSENT}, but the baseline has {}",
            self.hits,
            before.hits
        );
        Ok(())
    }
}

/// The i-th generated key; its first byte distinguishes it from the keys of [`absent`].
fn member(i: u64) -> [u8; 9] {
    tagged(b'm', i)
}

fn absent(i: u64) -> [u8; 9] {
    tagged(b'a', i)
}

fn tagged(tag: u8, i: u64) -> [u8; 9] {
    let mut key = [tag; 9];
    key[1..].copy_from_slice(&mix(i).to_le_bytes());
    key
}

fn digest(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(bytes.len() as u64, |digest, word| mix(digest ^ word))
}

/// Calls [`gate`](crate::gate::gate) as an assertion in a project's own tests. The path of the
/// baseline is relative to the package. Needs the feature `gate`.
///
/// ```no_run
/// # fn make_my_filter() -> bouquet_standard::StandardBloom { unimplemented!() }
/// #[test]
/// fn the_filter_is_what_it_was() {
///     let keys = include_str!("../README.md").lines();
///     bouquet_testkit::assert_gate!(|| make_my_filter(), keys, "tests/baseline/seen.csv");
/// }
/// ```
#[macro_export]
macro_rules! assert_gate {
    ($make:expr, $keys:expr, $baseline:expr $(,)?) => {{
        let package = ::std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        if let Err(why) = $crate::gate::gate($make, $keys, &package.join($baseline)) {
            panic!("{why}");
        }
    }};
}
