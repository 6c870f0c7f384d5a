//! A filter in a file that another process replaces while this one asks.
#![allow(
    unsafe_code,
    reason = "whoever maps a file promises that nobody writes into it"
)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy sees tests only in what is marked as one"
)]

use std::{
    env, fs,
    io::{BufRead, BufReader},
    ops::Deref,
    path::{Path, PathBuf},
    process::{Command, Stdio, id},
    time::Duration,
};

use bouquet_blocked::{BlockedBloom, Folded, Words32};
use bouquet_core::Spec;
use bouquet_format::Mapped;
use bouquet_redis::{Error, FileTier, Lost};

const HOUR: Duration = Duration::from_secs(3_600);
const GENERATIONS: u64 = 60;
/// Keys of a generation.
const KEYS: u64 = 200;
/// Where the other process writes.
const FILE: &str = "BOUQUET_FILE_TIER";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("bouquet-tier-{name}-{}", id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("filter")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn save(path: &Path, keys: std::ops::Range<u64>) {
    let spec = Spec::new(20_000, 0.001).unwrap();
    let mut filter = BlockedBloom::<Words32>::with_layout(spec, Folded::default()).unwrap();
    keys.for_each(|key| _ = filter.insert(&key));
    filter.save(path).unwrap();
}

/// Not a test: what the other process does.
#[test]
#[ignore = "the tests start it as a process of its own"]
fn writer() {
    let path = PathBuf::from(env::var_os(FILE).unwrap());
    for generation in 1..=GENERATIONS {
        save(&path, 0..generation * KEYS);
        // From here on everybody has to find them.
        println!("\nsaved {generation}");
    }
}

fn follows<B: Deref<Target = [u8]> + 'static>(
    name: &str,
    tier: impl FnOnce(&Path) -> bouquet_redis::Result<FileTier<B>>,
) {
    let folder = Folder::new(name);
    let path = folder.file();
    save(&path, 0..1);
    let mut tier = tier(&path).unwrap();
    let mut writer = Command::new(env::current_exe().unwrap())
        .args(["--exact", "writer", "--ignored", "--nocapture"])
        .env(FILE, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut seen = 0;
    for line in BufReader::new(writer.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let Some(generation) = line.strip_prefix("saved ") else {
            continue;
        };
        seen = generation.parse().unwrap();
        // Its own newest key is asked by itself: a look at the file finds it.
        assert!(tier.contains(&(seen * KEYS - 1)).unwrap(), "{seen}");
        let keys: Vec<u64> = (0..seen * KEYS).collect();
        let found = tier.contains_batch_within(&keys, Duration::ZERO).unwrap();
        assert!(
            found.iter().all(|found| *found),
            "a false negative at {seen}"
        );
    }
    assert!(writer.wait().unwrap().success());
    assert_eq!(seen, GENERATIONS);
    // Members are answered without a look at the file.
    let before = tier.tiers();
    assert!(tier.contains(&7u64).unwrap());
    assert_eq!(tier.tiers().remote, before.remote);
    assert_eq!(tier.tiers().local, before.local + 1);
    // Absence as old as is allowed, and no older.
    let absent = (0..)
        .map(|i| 1_000_000u64 + i)
        .find(|key| !tier.contains(key).unwrap())
        .unwrap();
    save(&path, absent..absent + 1);
    assert!(!tier.contains_within(&absent, HOUR).unwrap());
    assert!(tier.age() < Duration::from_secs(60));
    assert!(tier.contains(&absent).unwrap());
    // The new file has none of the old keys: the copy is dropped.
    assert!(!tier.contains(&7u64).unwrap());
}

#[test]
fn a_file_that_another_process_replaces_is_followed() {
    follows("read", |path| FileTier::read(path));
    // SAFETY: the other process puts another file in its place, and writes into none.
    follows("mapped", |path| {
        FileTier::with(path, |path| unsafe { Mapped::open(path) })
    });
}

#[test]
fn a_file_that_is_none_is_no_answer() {
    let folder = Folder::new("none");
    let path = folder.file();
    let is_gone = |error: Option<Error>| {
        let is_gone = matches!(
            error,
            Some(Error::FilterLost {
                how: Lost::Gone,
                ..
            })
        );
        assert!(is_gone, "{error:?}");
    };
    is_gone(FileTier::read(&path).err());
    save(&path, 0..1_000);
    let mut tier = FileTier::read(&path).unwrap();
    let absent = u64::MAX;
    assert!(!tier.contains(&absent).unwrap());
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[5_000] ^= 1;
    for bad in [&b""[..], b"roses", &whole[..whole.len() - 1], &flipped] {
        fs::write(&path, bad).unwrap();
        let answer = tier.contains(&absent);
        assert!(matches!(answer, Err(Error::Damaged { .. })), "{answer:?}");
        // A member is what the copy has.
        assert!(tier.contains(&7u64).unwrap());
    }
    fs::remove_file(&path).unwrap();
    is_gone(tier.contains(&absent).err());
    save(&path, 0..1_000);
    assert!(!tier.contains(&absent).unwrap());
}
