//! Tests `assert_gate!` with correct filters, with faulty ones, and with damaged baselines.

use std::{fs, path::PathBuf};

use bouquet_core::{Filter, Inspect, KeyHash, Prehashed, TryInsert};
use bouquet_format::{Encode, Header, Stopped, Writer};
use bouquet_scalable::ScalableBloom;
use bouquet_standard::StandardBloom;
use bouquet_testkit::{
    Verdict,
    gate::{ACCEPT, judge},
};

/// The fault of a filter.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Keys whose hash has certain low bits all zero are not inserted.
    Forgets,
    /// One percent more of the absent keys are false positives.
    Lets,
    /// Queries panic.
    Panics,
    /// The filter rejects the last key within its capacity.
    Rejects,
}

struct Odd {
    own: StandardBloom,
    fault: Fault,
    keys: u64,
}

impl Filter for Odd {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.contains_hash(self.hash_key(key))
    }
}

impl Prehashed for Odd {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        Prehashed::hash_key(&self.own, key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        assert!(self.fault != Fault::Panics, "a filter that panics");
        let passes = self.fault == Fault::Lets && hash.probe.is_multiple_of(100);
        passes || self.own.contains_hash(hash)
    }
}

impl TryInsert for Odd {
    type Error = ();

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, ()> {
        if self.fault == Fault::Rejects && self.keys + 1 == self.own.capacity() {
            return Err(());
        }
        self.keys += 1;
        if self.fault == Fault::Forgets && hash.place.is_multiple_of(1_000) {
            return Ok(true);
        }
        Ok(self.own.insert_hash(hash))
    }
}

impl Inspect for Odd {
    fn capacity(&self) -> u64 {
        self.own.capacity()
    }
    fn size_bits(&self) -> u64 {
        self.own.size_bits()
    }
    fn hashes(&self) -> u32 {
        self.own.hashes()
    }
    fn fill_ratio(&self) -> f64 {
        Inspect::fill_ratio(&self.own)
    }
    fn memory_bytes(&self) -> usize {
        Inspect::memory_bytes(&self.own)
    }
    fn expected_fpr(&self, keys: u64) -> f64 {
        Inspect::expected_fpr(&self.own, keys)
    }
    fn estimated_fpr(&self) -> f64 {
        Inspect::estimated_fpr(&self.own)
    }
    fn estimated_keys(&self) -> f64 {
        Inspect::estimated_keys(&self.own)
    }
}

impl Encode for Odd {
    fn header(&self) -> Header {
        self.own.header()
    }

    fn write_payload(&self, out: &mut Writer<'_>) -> Result<(), Stopped> {
        self.own.write_payload(out)
    }
}

const CAPACITY: u64 = 20_000;

fn odd(capacity: u64, fpr: f64, fault: Fault) -> Odd {
    Odd {
        own: StandardBloom::new(capacity as usize, fpr).unwrap(),
        fault,
        keys: 0,
    }
}

/// The path of a baseline for this test, which does not exist yet.
fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("gate")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    folder.join("seen.csv")
}

fn keys(count: u64) -> impl Iterator<Item = String> {
    (0..count).map(|i| format!("https://example.org/{i}"))
}

fn accepted(name: &str) -> PathBuf {
    let path = path(name);
    let sound = || odd(CAPACITY, 0.01, Fault::None);
    assert_eq!(judge(sound, keys(15_000), &path, true), Ok(()));
    path
}

fn fails(verdict: Verdict, message: &str) {
    let why = verdict.unwrap_err();
    assert!(why.contains(message), "{why}");
}

#[test]
fn without_a_baseline_it_fails_and_says_how_to_write_one() {
    let path = path("none");
    let sound = || odd(CAPACITY, 0.01, Fault::None);
    fails(judge(sound, keys(10), &path, false), ACCEPT);
    assert!(!path.exists());
    assert_eq!(judge(sound, keys(10), &path, true), Ok(()));
    assert_eq!(judge(sound, keys(10), &path, false), Ok(()));
}

#[test]
fn a_list_of_keys_may_grow_up_to_the_capacity() {
    let path = accepted("grow");
    let sound = || odd(CAPACITY, 0.01, Fault::None);
    for count in [1, 14_000, CAPACITY] {
        assert_eq!(judge(sound, keys(count), &path, false), Ok(()), "{count}");
    }
    // Repeated keys are counted once.
    assert_eq!(
        judge(sound, keys(CAPACITY).chain(keys(9)), &path, false),
        Ok(())
    );
    fails(
        judge(sound, keys(CAPACITY + 1), &path, false),
        "20001 different keys, but the filter is sized for 20000",
    );
    // A list of keys that has become empty.
    fails(judge(sound, keys(0), &path, false), "there are no keys");
}

#[test]
fn a_filter_that_grows_is_large_enough_for_its_keys() {
    let path = path("growing");
    let growing = || <ScalableBloom>::new(1_000, 0.01).unwrap();
    for accepts in [true, false] {
        assert_eq!(judge(growing, keys(5_000), &path, accepts), Ok(()));
    }
}

#[test]
fn what_is_not_what_it_was_is_named() {
    let path = accepted("changed");
    let made = |capacity, fpr| move || odd(capacity, fpr, Fault::None);
    fails(
        judge(made(CAPACITY + 1, 0.01), keys(9), &path, false),
        "capacity: 20001",
    );
    fails(
        judge(made(CAPACITY, 0.011), keys(9), &path, false),
        "size_bits: ",
    );
    let seeded = || {
        let spec = bouquet_core::Spec::new(CAPACITY, 0.01).unwrap();
        StandardBloom::with_hasher(spec, seeded_hasher(7)).unwrap()
    };
    fails(judge(seeded, keys(9), &path, false), "bits: ");
}

/// The default hasher with another seed.
fn seeded_hasher(seed: u64) -> bouquet_standard::Folded {
    bouquet_standard::Folded::with_seed(seed)
}

#[test]
fn faults_fail_with_a_baseline_and_without() {
    let path = accepted("faults");
    for (fault, message) in [
        (Fault::Forgets, "is a false negative"),
        (Fault::Lets, "was to be expected"),
        (Fault::Rejects, "was rejected"),
    ] {
        for accepts in [false, true] {
            let made = || odd(CAPACITY, 0.01, fault);
            let before = fs::read(&path).unwrap();
            fails(judge(made, keys(15_000), &path, accepts), message);
            assert_eq!(fs::read(&path).unwrap(), before);
        }
    }
}

#[test]
#[should_panic(expected = "a filter that panics")]
fn a_filter_that_panics_does_not_pass() {
    let path = accepted("panics");
    _ = judge(|| odd(CAPACITY, 0.01, Fault::Panics), keys(9), &path, false);
}

#[test]
fn odd_baselines_are_rejected() {
    let path = accepted("odd");
    let text = fs::read_to_string(&path).unwrap();
    let sound = || odd(CAPACITY, 0.01, Fault::None);
    let cut = &text[..text.len() / 2];
    let long = format!("{text}more,1\n");
    let other = text.replace("answers", "<script>");
    let head = text.rsplit_once("false_positives,").unwrap().0;
    let rate = |hits: u64| format!("{head}false_positives,{hits}\n");
    for odd in ["", "what,value\n", cut, &long, &other] {
        fs::write(&path, odd).unwrap();
        fails(judge(sound, keys(9), &path, false), "is not a baseline");
    }
    // If the baseline has a higher FPR, the filter passes.
    fs::write(&path, rate(900_000)).unwrap();
    assert_eq!(judge(sound, keys(9), &path, false), Ok(()));
    fs::write(&path, rate(100)).unwrap();
    fails(judge(sound, keys(9), &path, false), "the baseline has");
}
