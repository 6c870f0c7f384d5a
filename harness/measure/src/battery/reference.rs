//! Compares the results of the battery with those in `battery.csv` and `battery_bigN.csv`. A scheme
//! that a file always flags must be flagged here; a scheme that it never flags must not be flagged.
//! The significance level is that of the files: 5e-6 per p-value.

use std::{collections::BTreeMap, sync::Arc};

use super::{Sample, findings, self_test::p_value};
use crate::schemes::{Scheme, Wanted, reference, schemes};
use crate::workload::{KeySet, Manifest};
use bouquet_record::parallel;

const ALPHA: f64 = 5e-6;

/// For each scheme: its name in `battery.csv`, its name in the program, and the key set to test it
/// with, chosen such that a weak hash is exposed.
const NAMES: [(&str, &str, &str); 33] = [
    ("good:independent_mix64", "independent", "sequential"),
    (
        "good:murmur3_128_dh_mod",
        "murmur3-double-hashing",
        "sequential",
    ),
    ("good:xxh64_dh_odd", "odd-double-hashing", "sequential"),
    (
        "good:xxh64_fastrange_rotmul",
        "rotate-multiply",
        "sequential",
    ),
    (
        "good:bits_and_blooms_4hash",
        "bits-and-blooms",
        "sequential",
    ),
    ("good:gozero_murmur_key||byte(i)", "go-zero", "sequential"),
    (
        "\"good:py_sha256(f\"\"{key}{i}\"\")%m\"",
        "sha256-rounds",
        "sequential",
    ),
    ("bad:constant", "constant", "sequential"),
    ("bad:identity_seq", "identity", "sequential"),
    ("bad:fnv1a32_dh_halves16", "fnv1a-32-halves", "ascii-id"),
    ("bad:fnv1a32_single_mod", "fnv1a-32-each", "sequential"),
    ("bad:fnv1a64_hi_lo_dh", "fnv1a-64-halves", "ascii-id"),
    ("bad:djb2_dh", "djb2", "ascii-id"),
    ("bad:java31_dh", "java31", "ascii-id"),
    ("bad:adler32_dh", "adler32", "ascii-id"),
    ("bad:crc32_dh_rot", "crc32", "sequential"),
    ("bad:h2_zero", "step-zero", "sequential"),
    ("bad:h2_equals_h1", "step-equal", "sequential"),
    ("bad:h2_one(linear)", "step-one", "sequential"),
    ("bad:h2_even", "step-even", "sequential"),
    ("bad:h2_8bit", "step-8-bits", "sequential"),
    ("bad:same_hash_all_k", "same-hash", "sequential"),
    ("bad:trunc16", "truncated-16", "sequential"),
    ("bad:trunc24", "truncated-24", "sequential"),
    ("bad:32bit_mod", "mod-32", "sequential"),
    (
        "bad:32bit_multiply_shift",
        "multiply-shift-32",
        "sequential",
    ),
    ("bad:float32_reduction", "float-32", "sequential"),
    (
        "bad:shard_reuses_low_bits",
        "shard-reuses-low-bits",
        "sequential",
    ),
    ("bad:prefix8_only", "prefix-8", "ascii-id"),
    ("bad:1pct_bin_bias_x20", "one-bin-1", "sequential"),
    ("good:64bit_mod", "sha256-rounds", "sequential"),
    ("good:64bit_fastrange_hi32of64", "independent", "sequential"),
    ("bad:abs_i32_mod", "abs-32", "sequential"),
];

/// Results that may differ from `battery.csv`, because it was made with other keys: (scheme, test,
/// reason).
const DIFFERENCES: [(&str, &str, &str); 3] = [
    ("djb2", "T7", "the keys, and two starts that go in step"),
    ("java31", "T7", "the keys, and two starts that go in step"),
    ("crc32", "T3", "the keys"),
];

struct Case {
    line: String,
    scheme: Scheme,
    keys: Arc<KeySet>,
    slots: u64,
    probes: u32,
    count: u64,
    /// For each test: `Some(true)` if `battery.csv` always flags the scheme, `Some(false)` if it
    /// never does.
    want: BTreeMap<&'static str, Option<bool>>,
}

impl Case {
    fn new(name: &str, line: &str, sets: &[Arc<KeySet>]) -> Option<Self> {
        let (_, ours, set) = NAMES.iter().find(|(theirs, ..)| *theirs == name)?;
        let mut all = schemes().into_iter().chain(reference::schemes());
        let scheme = all.find(|s| s.name == *ours).unwrap();
        let keys = sets.iter().find(|keys| keys.name() == *set).unwrap();
        Some(Self {
            line: line.into(),
            scheme,
            keys: keys.clone(),
            slots: 0,
            probes: 7,
            count: 102_400,
            want: BTreeMap::new(),
        })
    }

    fn contradictions(&self) -> Vec<String> {
        let locator = (self.scheme.make)(Wanted::new(self.slots, self.probes, 7)).unwrap();
        let sample = Sample::take(&locator, self.count, |visit| {
            self.keys.for_each(self.count, visit);
        })
        .unwrap();
        let mut worst: BTreeMap<String, f64> = BTreeMap::new();
        for finding in findings(&sample) {
            let own = p_value(&finding, 7);
            let p = worst.entry(finding.test).or_insert(1.0);
            *p = p.min(own);
        }
        let contradicts = |(test, want): (&&str, &Option<bool>)| {
            // A test that was not run flags nothing.
            let p = worst.get(*test).copied().unwrap_or(1.0);
            let differs = DIFFERENCES
                .iter()
                .any(|(scheme, of, _)| *scheme == self.scheme.name && of == test);
            let wrong = want.is_some_and(|want| want != (p < ALPHA)) && !differs;
            wrong.then(|| format!("{test} has p = {p:e}: {}", self.line))
        };
        self.want.iter().filter_map(contradicts).collect()
    }
}

fn sets() -> Vec<Arc<KeySet>> {
    let manifest = Manifest::find().unwrap();
    ["sequential", "ascii-id"]
        .map(|name| Arc::new(manifest.load(name).unwrap()))
        .into()
}

fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    parallel::in_order(cases, 2, Case::contradictions, |found| {
        wrong.extend(found);
        Ok(())
    })
    .unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_hundred_thousand_keys() {
    let sets = sets();
    let table = include_str!("../../../data/battery.csv");
    let mut cases = Vec::new();
    for line in table.lines().skip(1) {
        let comma = line
            .rfind("\",")
            .map_or_else(|| line.find(','), |at| Some(at + 1))
            .unwrap();
        let (name, rest) = line.split_at(comma);
        let cell: Vec<&str> = rest[1..].split(',').collect();
        let mut case = Case::new(name, line, &sets).unwrap();
        case.slots = cell[0].parse().unwrap();
        for (test, at) in [("T1", 4), ("T3", 6), ("T7", 7)] {
            let want = match cell[at] {
                "1.00" => Some(true),
                "0.00" => Some(false),
                _ => None,
            };
            case.want.insert(test, want);
        }
        cases.push(case);
    }
    assert_eq!(cases.len(), 60);
    check(&cases);
}

#[test]
#[ignore = "takes half a minute; the full profile of the battery has these rows too"]
fn eight_million_keys() {
    let sets = sets();
    let table = include_str!("../../../data/battery_bigN.csv");
    let mut cases = Vec::new();
    for line in table.lines().skip(1) {
        let cell: Vec<&str> = line.split(',').collect();
        let Some(mut case) = Case::new(cell[0], line, &sets) else {
            continue;
        };
        let number = |at: usize| -> f64 { cell[at].parse().unwrap() };
        case.slots = cell[1].parse().unwrap();
        (case.probes, case.count) = (1, 8_000_000);
        // If the p-value in the file is between these limits, chance decides whether the test flags
        // the scheme here, so this is not checked.
        let clear = |p: f64| (!(1e-9..=1e-3).contains(&p)).then_some(p < ALPHA);
        case.want.insert("T1", clear(number(7)));
        // With one probe, T7 counts pairs of keys with equal locations (the birthday problem).
        // Column 6 is the z-score of this count in the file. If it is near the limit, the result is
        // not compared.
        case.want.insert(
            "T7",
            (number(6) > 7.0 || number(6) < 3.5).then_some(number(6) > 4.6),
        );
        cases.push(case);
    }
    check(&cases);
}
