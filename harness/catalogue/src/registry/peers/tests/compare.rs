//! Tests that what docs/COMPARE.md states of other crates holds for the releases in Cargo.lock.
//!
//! Every sentence of its two sections on crates is in one of two tables here: [`FACTS`], with a check
//! of the crate or of its source, or [`ELSEWHERE`], with the test that has the check.

use std::{env, fs, path::PathBuf, process::Command, sync::OnceLock};

use ::bloomfilter::Bloom;
use ::fastbloom::BloomFilter;
use ::qfilter::Filter as Quotient;
use ::scalable_cuckoo_filter::ScalableCuckooFilter;
use ::xorf::{BinaryFuse8, DmaSerializable as _};
use bouquet_blocked::{BlockedBloom, Words32};
use bouquet_core::{Locate as _, Spec};
use bouquet_fuse::FuseFilter;
use bouquet_hash::Folded;
use bouquet_standard::StandardBloom;

use super::*;

const PAGE: &str = include_str!("../../../../../../docs/COMPARE.md");
const LOCK: &str = include_str!("../../../../../../Cargo.lock");

/// A crate of Cargo.lock, by name and version.
type Release = &'static str;
/// A sentence or a part of one, the crates of which it says something, and whether it is true.
type Fact = (&'static str, &'static [Release], fn(&Source) -> bool);

const FACTS: &[Fact] = &[
    ("Size and FPR are the same.", &["fastbloom 0.17.0"], |_| {
        same_size_and_fpr()
    }),
    (
        "It hashes with a random secret by default, ours only with `SipKeyed`.",
        &["fastbloom 0.17.0"],
        |_| has_a_random_secret(),
    ),
    (
        "It has no batches (`insert_all` inserts one key after the other).",
        &["fastbloom 0.17.0"],
        |source| {
            source.has("for val in iter { self.insert(val); }")
                && !source.has("batch")
                && !source.has("fn contains_all")
        },
    ),
    (
        "It has no stored format of its own (serde).",
        &["fastbloom 0.17.0"],
        |source| {
            let stores = ["fn to_bytes", "fn from_bytes", "fn encode", "fn save"];
            let is_in = |words: &&str| source.has(words);
            !stores.iter().any(is_in) && source.in_file("Cargo.toml").contains("serde = [")
        },
    ),
    (
        "Its union does not ask for the equal seeds that it needs (below).",
        &["fastbloom 0.17.0"],
        |source| {
            source
                .has("The hashers of both Bloom filters must be identical (this is not enforced!).")
        },
    ),
    (
        "**sbbf-rs** (`sbbf-rs-safe`), if you want Parquet's block filter and hash yourself.",
        &["sbbf-rs-safe 0.3.2"],
        |source| {
            let readme = source.in_file("README.md");
            readme.contains("exact implementation of [parquet bloom filter spec]")
                && source.has("pub fn insert_hash(&mut self, hash: u64)")
                && !source.has(": Hash")
        },
    ),
    (
        "**sbbf-rs** (`sbbf-rs-safe`), if you want Parquet's block filter",
        &["sbbf-rs 0.2.8"],
        // The salts of the specification.
        |source| {
            source.has(
                "0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, \
                 0x9efc4947, 0x5c6bfb31",
            )
        },
    ),
    (
        "It is the same filter as `BlockedBloom<Words32>`: one bit in each of the eight words of a \
         block.",
        &["sbbf-rs-safe 0.3.2"],
        |_| one_bit_in_each_word(),
    ),
    (
        "It takes whole bits per key.",
        &["sbbf-rs-safe 0.3.2"],
        |source| source.has("pub fn new(bits_per_key: usize, num_keys: usize)"),
    ),
    (
        "It has a header of 45 bytes and no checksum.",
        &["bloomfilter 3.0.2"],
        |_| has_a_header_of_45_bytes_and_no_checksum(),
    ),
    (
        "**xorf**, if the set never changes and its keys are numbers of 64 bits, or hashes that you \
         compute.",
        &["xorf 0.13.0"],
        |source| {
            let fuse = source.in_file("src/bfuse8.rs");
            fuse.contains("impl Filter<u64> for BinaryFuse8 ")
                && fuse.contains("impl TryFrom<&[u64]> for BinaryFuse8 ")
                && !source.has("fn insert")
        },
    ),
    (
        "Its binary fuse filter takes as many bits as our `FuseFilter` of one byte.",
        &["xorf 0.13.0"],
        |_| fuse_filters_are_of_one_size(),
    ),
    (
        "It answers in place from bytes that you store, without a header or a checksum.",
        &["xorf 0.13.0"],
        |source| {
            source.has("These slices can be mmap from a file.")
                && source.has("impl<'a> FilterRef<'a, u64> for BinaryFuse8Ref<'a>")
                && !source.has("checksum")
                && !source.has("crc")
        },
    ),
    (
        "It is built by one thread, of all keys in memory.",
        &["xorf 0.13.0"],
        |source| !source.has("std::thread") && !source.has("rayon"),
    ),
    (
        "**qfilter**, growing, if keys are removed and their number is not known: none of ours \
         removes *and* grows.",
        &["qfilter 0.3.1"],
        |_| grows_and_removes(),
    ),
    (
        "Not **cuckoofilter**, whose fingerprints have one byte whatever the target and which has \
         false negatives when full (tables),",
        &["cuckoofilter 0.5.0"],
        |source| {
            source.has("pub const FINGERPRINT_SIZE: usize = 1;")
                && source.has("some random *other* element was /// removed.")
        },
    ),
    (
        "but ours, or `scalable_cuckoo_filter`, which grows.",
        &["scalable_cuckoo_filter 0.5.1"],
        |_| grows(),
    ),
    (
        "bloomfilter, cuckoo-clock, cuckoofilter, growable-bloom-filter, probabilistic-collections, \
         sbbf-rs-safe, scalable_cuckoo_filter and xorf have no union.",
        &[
            "bloomfilter 3.0.2",
            "cuckoo-clock 0.2.7",
            "cuckoofilter 0.5.0",
            "growable-bloom-filter 2.1.1",
            "probabilistic-collections 0.7.0",
            "sbbf-rs-safe 0.3.2",
            "scalable_cuckoo_filter 0.5.1",
            "xorf 0.13.0",
        ],
        |source| {
            let unites = ["pub fn union", "pub fn merge", "BitOr"];
            !unites.iter().any(|words| source.has(words))
        },
    ),
];

const SPEED: &str = "docs/guide/tests/figures/speed.rs";
const RECORDS: &str = "docs/guide/tests/figures/peers.rs";
const FAULTS: &str = "harness/catalogue/src/registry/peers/tests/known_faults.rs";

/// The beginning of a sentence, the file with the test of it, and the function that has the check.
const ELSEWHERE: &[[&str; 3]] = &[
    [
        "**fastbloom**, with foldhash, if hits and misses come mixed",
        SPEED,
        "fastbloom_is_faster_where_hits_and_misses_come_mixed",
    ],
    [
        "Its single hits take about as long as ours in the table, its inserts no less, its misses longer.",
        SPEED,
        "fastbloom_is_faster_where_hits_and_misses_come_mixed",
    ],
    [
        "One key at a time it is about as fast.",
        SPEED,
        "sbbf_rs_is_about_as_fast",
    ],
    [
        "**bloomfilter**, for fewer bytes when written.",
        RECORDS,
        "written",
    ],
    [
        "With ten times the keys it keeps its target in fewer bits than our scalable filter (below).",
        RECORDS,
        "words_about_the_least",
    ],
    [
        "**growable-bloom-filter**, if a filter that grows should take less memory than our scalable \
         one, and may end above its target (below).",
        RECORDS,
        "words_about_the_least",
    ],
    [
        "Filters that grow, with ten times their first capacity:",
        RECORDS,
        "grown",
    ],
    [
        "Sizes from 1x to 10x are those of nine loads;",
        RECORDS,
        "grown",
    ],
    [
        "With what a test measured",
        FAULTS,
        "known_faults_are_still_there",
    ],
    [
        "Later releases may have mended them.",
        FAULTS,
        "known_faults_are_still_there",
    ],
    [
        "Half the keys in each of two filters of different seeds, united:",
        RECORDS,
        "united",
    ],
    [
        "With equal seeds, or with a hash that is always the same, every union of a crate that has \
         one is sound:",
        FAULTS,
        "equal_hashers",
    ],
];

/// The text with one space between words.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The unpacked source of a crate.
struct Source {
    folder: PathBuf,
    /// The Rust files, spaced.
    code: String,
}

impl Source {
    fn of(release: Release) -> Self {
        static METADATA: OnceLock<String> = OnceLock::new();
        let metadata = METADATA.get_or_init(|| {
            let cargo = Command::new(env!("CARGO"))
                .args(["metadata", "--offline", "--locked", "--all-features"])
                .args(["--format-version", "1"])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .output()
                .unwrap();
            assert!(cargo.status.success(), "{cargo:?}");
            String::from_utf8(cargo.stdout).unwrap()
        });
        // A path of the form ".../fastbloom-0.17.0/Cargo.toml".
        let manifest = format!("{}/Cargo.toml\"", release.replace(' ', "-"));
        let paths = metadata.split("\"manifest_path\":\"").skip(1);
        let paths = paths.map(|rest| &rest[..=rest.find('"').unwrap()]);
        let path = paths.into_iter().find(|path| path.ends_with(&manifest));
        let path = path.unwrap_or_else(|| panic!("{release} is not used any more"));
        let folder = PathBuf::from(path.trim_end_matches('"'))
            .parent()
            .unwrap()
            .to_owned();
        let mut folders = vec![match release.starts_with("probabilistic-collections") {
            // The others are no filters.
            true => folder.join("src/bloom"),
            false => folder.join("src"),
        }];
        let mut code = String::new();
        while let Some(inside) = folders.pop() {
            for entry in fs::read_dir(inside).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    code += &spaced(&fs::read_to_string(path).unwrap());
                }
            }
        }
        assert!(!code.is_empty(), "{release}");
        Self { folder, code }
    }

    fn has(&self, words: &str) -> bool {
        self.code.contains(words)
    }

    fn in_file(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap()
    }
}

fn same_size_and_fpr() -> bool {
    let of = |name: &str| {
        let filters = filters().into_iter();
        let entry = filters.into_iter().find(|one| one.name == name).unwrap();
        (entry.build)(&request(1)).unwrap().state(CAPACITY)
    };
    let (theirs, ours) = (of("fastbloom"), of("standard"));
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.01;
    near(theirs.size_bits as f64, ours.size_bits as f64)
        && near(theirs.expected_fpr, ours.expected_fpr)
}

fn has_a_random_secret() -> bool {
    let theirs = || {
        let mut filter = BloomFilter::with_false_pos(0.01).expected_items(1_000);
        (0..1_000_u64).for_each(|key| _ = filter.insert(&key));
        filter.as_slice().to_vec()
    };
    let ours = || {
        let mut filter = StandardBloom::new(1_000, 0.01).unwrap();
        filter.extend(0..1_000_u64);
        filter
    };
    theirs() != theirs() && ours() == ours()
}

/// Whether these slots are one in each of the eight words of 32 bits of a block.
fn are_a_block_s(mut slots: Vec<u64>) -> bool {
    slots.sort_unstable();
    let first = slots[0] / 256 * 8;
    slots.iter().map(|slot| slot / 32).eq(first..first + 8)
}

fn one_bit_in_each_word() -> bool {
    let spec = Spec::new(1_000, 0.01).unwrap();
    let ours = <BlockedBloom<Words32>>::with_layout(spec, Folded::new()).unwrap();
    (0..1_000_u64).all(|key| {
        let hash = ours.hash(&key);
        let mut located = Vec::new();
        ours.geometry()
            .locate(&hash, &mut |slot| located.push(slot));
        let mut theirs = sbbf_rs_safe::Filter::new(11, 1_000);
        theirs.insert_hash(hash.place);
        let bytes = theirs.as_bytes();
        let is_set = |slot: &u64| bytes[*slot as usize / 8] >> (slot % 8) & 1 == 1;
        let set = (0..bytes.len() as u64 * 8).filter(is_set).collect();
        are_a_block_s(located) && are_a_block_s(set)
    })
}

fn has_a_header_of_45_bytes_and_no_checksum() -> bool {
    let mut filter = Bloom::new_for_fp_rate_with_seed(10_000, 0.01, &[1; 32]).unwrap();
    (0..10_000_u64).for_each(|key| filter.set(&key));
    let mut bytes = filter.to_bytes();
    let header = bytes.len() as u64 - filter.len() / 8;
    *bytes.last_mut().unwrap() ^= 1;
    header == 45 && Bloom::<u64>::from_bytes(bytes).is_ok()
}

fn fuse_filters_are_of_one_size() -> bool {
    [10_000_u64, 100_000, 1_000_000].into_iter().all(|keys| {
        let hashes: Vec<u64> = (0..keys)
            .map(|key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let theirs = BinaryFuse8::try_from(&*hashes).unwrap();
        let ours = FuseFilter::from_keys(0..keys).unwrap();
        let theirs = 8.0 * theirs.dma_fingerprints().len() as f64;
        (theirs / ours.size_bits() as f64 - 1.0).abs() < 0.02
    })
}

fn grows_and_removes() -> bool {
    let mut filter = Quotient::new_resizeable(100, 10_000, 0.01).unwrap();
    let before = filter.capacity();
    (0..10_000_u64).for_each(|key| filter.insert_duplicated(key).unwrap());
    filter.capacity() > before && (0..10_000_u64).all(|key| filter.remove(key)) && filter.is_empty()
}

fn grows() -> bool {
    let mut filter = ScalableCuckooFilter::<u64>::new(100, 0.01);
    let before = filter.bits();
    (0..10_000_u64).for_each(|key| filter.insert(&key));
    filter.bits() > before && (0..10_000_u64).all(|key| filter.contains(&key))
}

fn is_locked(name: &str, version: &str) -> bool {
    LOCK.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n"))
}

/// The sentences of the sections on crates, without tables and what is between marks.
fn sentences() -> Vec<String> {
    let (_, section) = PAGE.split_once("### Take another crate\n").unwrap();
    let (section, _) = section.split_once("## Other systems").unwrap();
    let mut text = String::new();
    for part in section.split("<!-- figures:") {
        text += part
            .split_once("<!-- end of figures -->")
            .map_or(part, |(_, rest)| rest);
    }
    let parts = text.split("\n\n").flat_map(|part| part.split("\n- "));
    let parts = parts.map(|part| spaced(part.trim_start_matches("- ")));
    let parts = parts.filter(|part| !part.is_empty() && !part.starts_with('#'));
    let ended = parts.map(|part| part.replace(". ", ".\n"));
    let all: Vec<String> = ended
        .flat_map(|part| part.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(all.len() > 20, "{all:?}");
    all
}

#[test]
fn what_is_stated_of_other_crates_is_true() {
    let page = spaced(PAGE);
    for (sentence, releases, holds) in FACTS {
        assert!(
            page.contains(sentence),
            "COMPARE.md does not say: {sentence}"
        );
        for release in *releases {
            let (name, version) = release.split_once(' ').unwrap();
            assert!(is_locked(name, version), "{release} is not in Cargo.lock");
            assert!(holds(&Source::of(release)), "{release}: {sentence}");
        }
    }
}

#[test]
fn what_is_stated_of_other_crates_has_a_test() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = spaced(PAGE);
    for [sentence, file, function] in ELSEWHERE {
        assert!(
            page.contains(sentence),
            "COMPARE.md does not say: {sentence}"
        );
        let text = fs::read_to_string(root.join(file)).unwrap();
        assert!(
            text.contains(&format!("fn {function}(")),
            "{file}: {function}"
        );
    }
    for sentence in sentences() {
        let facts = FACTS.iter().map(|(known, ..)| *known);
        let known = facts.chain(ELSEWHERE.iter().map(|[known, ..]| *known));
        let mut known = known.filter(|known| sentence.contains(known));
        assert!(known.next().is_some(), "no test has: {sentence}");
    }
    // The tests that the table of other systems names.
    for cell in PAGE.lines().filter(|line| line.contains("`interop/tests/")) {
        let (mut file, mut found) = (String::new(), 0);
        for name in cell.split('`').skip(1).step_by(2) {
            if name.starts_with("interop/") {
                file = fs::read_to_string(root.join("crates").join(name)).unwrap();
            } else if !file.is_empty() && !name.contains(' ') {
                assert!(file.contains(&format!("fn {name}()")), "{name}");
                found += 1;
            }
        }
        assert!(found > 0, "{cell}");
    }
}

/// Tables name releases, as `| name | version |` or `| name version |`.
#[test]
fn releases_in_the_tables_are_those_in_the_lock_file() {
    let cells = PAGE.lines().filter(|line| line.starts_with("| "));
    let mut found = 0;
    for line in cells {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let is_version = |cell: &str| {
            let parts = cell.split('.');
            parts.clone().count() == 3 && parts.into_iter().all(|part| part.parse::<u32>().is_ok())
        };
        let named = match cells[..] {
            [name, version, ..] if is_version(version) => Some((name, version)),
            [first, second, ..] => [second, first].into_iter().find_map(|cell| {
                cell.split_once(' ')
                    .filter(|(_, version)| is_version(version))
            }),
            _ => None,
        };
        let Some((name, version)) = named else {
            continue;
        };
        // Some filters have the name of their crate with what is special about them.
        let variants = ["-atomic", "-blocked", "-resizeable", "-fuse8"];
        let ending = variants.iter().find_map(|ending| name.strip_suffix(ending));
        let name = ending.unwrap_or(name);
        assert!(is_locked(name, version), "{line}");
        found += 1;
    }
    assert!(found > 20, "{found}");
}
