//! The times that come with the program, against the records that they are made of.

use std::{env, fs, path::Path};

use bouquet_ground::record::in_csv;
use serde::de::DeserializeOwned;

use super::*;
use crate::recommend::candidates::named;

const HOME: &str = env!("CARGO_MANIFEST_DIR");
const SPEED: &str = "../../reports/speed/records/speed.csv";
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
            let own = stored.operation(candidate, &row.operation, row.capacity, row.target_fpr);
            let ratio = own.unwrap().median / row.net_ns_per_key;
            assert!(
                (1.0 / 1.2..=1.2).contains(&ratio),
                "{row:?} is {ratio} times that of the report: write its times again by \
                 BOUQUET_TIMES=write cargo test -p bouquet-advise --lib stored_times"
            );
            shared += 1;
        }
    }
    assert!(shared >= 100, "{shared} cells");
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
    // Another target by the ratio of the nearest, with more keys as well.
    assert_eq!(of("standard", "default", 1_000, 1e-5), 15.0);
    assert_eq!(of("standard", "default", 1_000_000, 1e-5), 60.0);
    // A looser target takes no longer, whatever was measured.
    assert_eq!(of("standard", "default", 1_000, 0.1), 5.0);
    // Another hash by what it adds.
    assert_eq!(of("standard", "keyed", 1_000, 0.01), 20.0);
    assert_eq!(of("standard", "keyed", 1_000_000, 0.01), 35.0);
    // Another set by the plain filter, with more keys as that goes on.
    assert_eq!(of("hash-set", "default", 1_000, 0.0), 20.0);
    assert_eq!(of("hash-set", "default", 1_000_000, 0.0), 80.0);
}

#[test]
fn a_time_of_the_report_on_speed_is_the_median_of_one_key_at_a_time() {
    let raw = |way: &str, gross: f64| SpeedRow {
        filter: "standard".into(),
        way: way.into(),
        keys: "u64".into(),
        capacity: 1_000,
        target_fpr: 0.01,
        operation: "hit".into(),
        gross_ns_per_key: gross,
        dry_run_ns_per_key: 1.0,
        threads: 1,
        ..SpeedRow::default()
    };
    let one = WAY;
    let rows = [
        raw(one, 5.0),
        raw(one, 90.0),
        raw(one, 4.0),
        raw("batch", 2.0),
    ];
    let times = of_speed(&rows);
    assert_eq!(times.len(), 1);
    assert_eq!(times[0].net_ns_per_key, 4.0);
}
