//! A filter as a project makes it, compared with an accepted baseline.

mod chance;

use std::{collections::HashSet, env, fmt::Write as _, fs, path::Path};

use bouquet_core::{Inspect, Key, TryInsert};
use bouquet_format::{Encode, save};

use self::chance::interval;
use crate::{Verdict, mix};

/// Absent keys that are queried.
const ABSENT: u64 = 1_000_000;
/// Of them, those whose answers are in the digest.
const ANSWERS: u64 = 100_000;

/// Set to 1 it makes [`gate`] write the baseline that it would compare with.
pub const ACCEPT: &str = "BOUQUET_ACCEPT";

/// Checks the filters that `make` makes with the project's own keys and the baseline in a
/// file; [`assert_gate!`](crate::assert_gate) is this as an assertion.
///
/// In this order: there are keys, none of `keys` is a false negative, and they are no more than
/// the capacity, of a filter that grows the capacity to which it has grown;
/// with as many generated keys as its capacity none is a false negative, and of a million absent
/// ones no more are false positives than its [`expected_fpr`](Inspect::expected_fpr) and
/// chance explain; then what the baseline has: capacity, size and probes, digests of the bits and of answers, of
/// generated keys, so that a list of keys may grow; and an FPR no higher than it was.
///
/// With [`ACCEPT`] in the environment the baseline is written, unless something before it
/// fails. Takes as long as it takes to fill a filter to its capacity, and about 40 bytes for
/// each of `keys`.
///
/// # Errors
///
/// What fails, with the numbers; without a baseline, or with one that cannot be
/// read, how to write one.
///
/// # Panics
///
/// If the filter does.
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

/// [`gate`], with an argument for whether to write the baseline.
///
/// # Errors
///
/// As of `gate`.
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

/// The project's own keys, in a filter of theirs.
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
    // Of a filter that grows, as it has grown.
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

/// A filter full of generated keys, in numbers.
#[derive(PartialEq, Debug)]
struct State {
    /// Names and values, as they are in the file.
    exact: [(&'static str, String); 5],
    /// False positives of [`ABSENT`] keys.
    hits: u64,
}

/// The name of the last line of a file.
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
            // Writing to a string does not fail.
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

/// A generated key, different from those of [`absent`] by its first byte.
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

/// [`gate`](crate::gate::gate) as an assertion of a project's own tests; the baseline is
/// named relative to its package. Needs the feature `gate`.
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
