//! Compares the times that come with the program with the records that they are made from.

use std::{env, fs, path::Path};

use bouquet_record::{in_csv, machine};
use serde::de::DeserializeOwned;

use super::*;
use crate::advise::{
    candidates::{Class, named},
    measure::{INSERTED, Measuring, measure},
    requirements::{KeyKind, Requirements},
    sample::Sample,
    workload::Workload,
};

const HOME: &str = env!("CARGO_MANIFEST_DIR");
const SPEED: &str = "../../reports/speed/records/times.csv";
const TIMES: &str = "data/times.csv";
const MEASURED: &str = "data/measured.csv";

fn records<R: DeserializeOwned>(name: &str) -> Vec<R> {
    let rows = csv::Reader::from_path(Path::new(HOME).join(name));
    let rows = rows.unwrap().into_deserialize();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn stored_times_are_those_of_the_report_on_speed() {
    let speed = of_speed(&records(SPEED));
    let path = Path::new(HOME).join(TIMES);
    if env::var_os("BOUQUET_TIMES").is_some_and(|what| what == "write") {
        let joined = join(&speed, &records(MEASURED));
        fs::write(path, in_csv(&joined).unwrap()).unwrap();
        return;
    }
    let mut shared = 0;
    let stored: Vec<TimeRow> = records(TIMES);
    for kind in ["u64", "url"] {
        let stored = Times::new(stored.clone(), kind, false);
        for row in speed.iter().filter(|row| row.keys == kind) {
            let candidate = named(&row.candidate);
            let own = time(
                &stored,
                candidate,
                &row.operation,
                row.capacity,
                row.target_fpr,
            );
            let ratio = own.unwrap()[0] / row.net_ns_per_key;
            assert!(
                (1.0 / 1.2..=1.2).contains(&ratio),
                "{row:?} is {ratio} times that of the report: write its times again by \
                 BOUQUET_TIMES=write cargo test -p bouquet-cli --lib stored_times"
            );
            shared += 1;
        }
    }
    assert!(shared >= 100, "{shared} cells");
}

/// Growth factors of sets that grow: no growth, tenfold (which `--growth unknown` assumes), and far
/// beyond.
const GROWN: [f64; 3] = [1.0, 10.0, 100.0];

/// Measures the times that supplement reports/speed: synthetic keys of both kinds, both hashes, and
/// several capacities.
#[test]
#[ignore = "minutes, on a machine that does nothing else: data/README.md"]
fn what_is_beside_the_report_on_speed_is_measured_again() {
    let mut rows = Vec::new();
    for (kind, capacities) in [
        (KeyKind::U64, &[1_000, 30_000, 1_000_000, 4_000_000][..]),
        (KeyKind::Url, &[1_000, 30_000, 1_000_000]),
    ] {
        for &capacity in capacities {
            for (keyed, integers) in [(false, false), (false, true), (true, false)] {
                if !(integers && kind == KeyKind::Url) {
                    rows.extend(measured(kind, capacity, keyed, integers));
                }
            }
        }
    }
    let data = Path::new(HOME).join("data");
    fs::write(data.join("measured.csv"), in_csv(&rows).unwrap()).unwrap();
    let facts = machine::facts().into_iter().chain(machine::memory());
    let facts: String = facts
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    fs::write(data.join("machine.txt"), facts).unwrap();
}

fn measured(kind: KeyKind, capacity: u64, keyed: bool, integers: bool) -> Vec<TimeRow> {
    let requirements = Requirements {
        capacity: Some(capacity),
        key_kind: Some(kind),
        integers_below: integers.then_some(16 * capacity),
        ..Requirements::default()
    };
    let workload = Workload::new(&requirements, None).unwrap();
    let sample = Sample::synthetic(&workload, capacity, 1, u64::MAX);
    let is_wanted = |candidate: &Candidate| {
        *candidate != Candidate::None
            && candidate.takes_integers_only() == integers
            && (!keyed || candidate.class() == Class::Ours)
    };
    let of = |grown| {
        let wanted = Candidate::all().into_iter().filter(is_wanted);
        let wanted = wanted.filter(|one| grown == 1.0 || one.facts().grows && one.is_sized());
        let targets = |one: Candidate| match one.is_sized() {
            true => vec![0.1, 1e-3, 1e-5],
            false => vec![0.0],
        };
        let measuring = Measuring {
            wanted: wanted.map(|one| (one, targets(one))).collect(),
            sample: &sample,
            keyed,
            grown,
            inserted: INSERTED,
        };
        measure(&measuring).unwrap()
    };
    GROWN.into_iter().flat_map(of).collect()
}

fn row(candidate: &str, hash: &str, capacity: u64, target_fpr: f64, ns: f64) -> TimeRow {
    TimeRow {
        candidate: candidate.into(),
        hash: hash.into(),
        keys: "u64".into(),
        capacity,
        grown: 1.0,
        target_fpr,
        operation: "hit".into(),
        net_ns_per_key: ns,
        low: ns,
        high: ns,
        source: String::new(),
    }
}

#[test]
fn what_the_report_on_speed_lacks_is_scaled_to_it() {
    let measured = [
        row("standard", "default", 1_000, 0.01, 10.0),
        row("standard", "default", 1_000, 1e-5, 30.0),
        row("standard", "default", 1_000, 0.1, 50.0),
        row("standard", "keyed", 1_000, 0.01, 25.0),
        row("standard", "keyed", 1_000, 1e-5, 45.0),
        row("hash-set", "default", 1_000, 0.0, 40.0),
    ];
    let speed = [
        row("standard", "default", 1_000, 0.01, 5.0),
        row("standard", "default", 1_000_000, 0.01, 20.0),
    ];
    let joined = join(&speed, &measured);
    let of = |candidate: &str, hash: &str, capacity, target_fpr| {
        let is_it = |row: &&TimeRow| {
            (row.candidate.as_str(), row.hash.as_str()) == (candidate, hash)
                && (row.capacity, row.target_fpr) == (capacity, target_fpr)
        };
        joined.iter().find(is_it).unwrap().net_ns_per_key
    };
    assert_eq!(of("standard", "default", 1_000, 0.01), 5.0);
    assert_eq!(of("standard", "default", 1_000_000, 0.01), 20.0);
    // At other target FPRs the measured time is scaled by the ratio at the nearest target, 5 / 10.
    assert_eq!(of("standard", "default", 1_000, 1e-5), 15.0);
    assert_eq!(of("standard", "default", 1_000_000, 1e-5), 60.0);
    // A higher target takes no longer than a lower one, whatever was measured.
    assert_eq!(of("standard", "default", 1_000, 0.1), 5.0);
    // The keyed hash adds its measured extra time of 15 ns.
    assert_eq!(of("standard", "keyed", 1_000, 0.01), 20.0);
    assert_eq!(of("standard", "keyed", 1_000_000, 0.01), 35.0);
    // Times of the hash set are scaled like the plain filter's, and grow with the keys as those do.
    assert_eq!(of("hash-set", "default", 1_000, 0.0), 20.0);
    assert_eq!(of("hash-set", "default", 1_000_000, 0.0), 80.0);
}

#[test]
fn a_time_of_the_report_on_speed_is_the_median_of_one_key_at_a_time() {
    let raw = |path, clock, gross: f64| TimingRow {
        subject: "standard".into(),
        path,
        clock,
        keys: "u64".into(),
        capacity: 1_000,
        target_fpr: 0.01,
        operation: "hit".into(),
        ns_per_key: gross,
        dry_run_ns_per_key: 1.0,
        ..TimingRow::default()
    };
    let rows = [
        raw(Way::Single, Clock::Thread, 5.0),
        raw(Way::Single, Clock::Thread, 90.0),
        raw(Way::Single, Clock::Thread, 4.0),
        raw(Way::Batch, Clock::Thread, 2.0),
        raw(Way::Single, Clock::Wall, 3.0),
    ];
    let times = of_speed(&rows);
    assert_eq!(times.len(), 1);
    assert_eq!(times[0].net_ns_per_key, 4.0);
}
