//! What a run of `bouquet speed` has to compare.

use std::collections::{BTreeMap, BTreeSet};

use super::{Figures, Measure, errors};
use crate::{number, speed};
use bouquet_ground::record::SpeedRecords;

/// Net times by subject and what was timed.
type Times = BTreeMap<(String, String), Vec<f64>>;

pub fn figures(records: &SpeedRecords) -> Figures {
    let mut times = filters(records);
    times.extend(hashes(records));
    let rows = records.rows.iter().map(|row| (&*row.filter, &*row.error));
    let threads = records.threads.iter();
    let threads = threads.map(|row| (&*row.filter, &*row.error));
    let mut figures = errors(rows.chain(threads));
    let middles = times.into_iter();
    figures.extend(middles.filter_map(|(id, values)| Some((id, Measure::median(&values)?))));
    figures.extend(batteries(records));
    figures
}

fn filters(records: &SpeedRecords) -> Times {
    let mut times = Times::new();
    for row in records.rows.iter().filter(|row| row.error.is_empty()) {
        let what = format!(
            "ns a {}, {}, {} keys ({}) at {}",
            row.operation,
            row.way,
            number::count(row.capacity),
            row.keys,
            row.target_fpr
        );
        let net = row.gross_ns_per_key - row.dry_run_ns_per_key;
        times
            .entry((row.filter.clone(), what))
            .or_default()
            .push(net);
    }
    for row in records.threads.iter().filter(|row| row.error.is_empty()) {
        let what = format!(
            "ns a {}, {}, {} threads, {} keys at {}",
            row.operation,
            row.way,
            row.threads,
            number::count(row.capacity),
            row.target_fpr
        );
        let net = row.wall_ns_per_key - row.dry_run_ns_per_key;
        times
            .entry((row.filter.clone(), what))
            .or_default()
            .push(net);
    }
    times
}

fn hashes(records: &SpeedRecords) -> Times {
    let mut times = Times::new();
    for row in &records.hashes {
        let bytes = number::count(row.key_bytes);
        let what = format!("ns a key of {bytes} bytes, {}", row.form);
        let net = row.gross_ns_per_key - row.dry_run_ns_per_key;
        times.entry((row.hash.clone(), what)).or_default().push(net);
    }
    times
}

/// What the battery says of each hash.
fn batteries(records: &SpeedRecords) -> Figures {
    let names: BTreeSet<&String> = records.battery.iter().map(|row| &row.subject).collect();
    let word = |hash: &String| {
        let word = speed::battery_verdict(records, hash);
        ((hash.clone(), "battery".into()), Measure::Word(word))
    };
    names.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouquet_ground::record::{HashRow, SpeedRow};

    fn hashed(ns: f64) -> SpeedRecords {
        let row = |repetition: u32| HashRow {
            hash: "xxh3".into(),
            key_bytes: 8,
            form: "whole".into(),
            repetition,
            gross_ns_per_key: ns + 1.0 + f64::from(repetition) * 1e-3,
            dry_run_ns_per_key: 1.0,
            ..HashRow::default()
        };
        SpeedRecords {
            hashes: (0..9).map(row).collect(),
            ..SpeedRecords::default()
        }
    }

    #[test]
    fn hashes_are_compared() {
        let figures = figures(&hashed(2.0));
        let id = ("xxh3".to_owned(), "ns a key of 8 bytes, whole".to_owned());
        let Some(Measure::Number { value, interval }) = figures.get(&id) else {
            panic!("{figures:?}");
        };
        assert!((value - 2.004).abs() < 1e-9, "{value}");
        assert!(interval.unwrap().low < *value);
    }

    #[test]
    fn an_error_is_a_figure() {
        let row = |error: &str| SpeedRow {
            filter: "standard".into(),
            error: error.into(),
            ..SpeedRow::default()
        };
        let of = |rows: Vec<SpeedRow>| {
            let records = SpeedRecords {
                rows,
                ..SpeedRecords::default()
            };
            let id = ("standard".to_owned(), "errors".to_owned());
            figures(&records).get(&id).cloned()
        };
        assert_eq!(of(vec![row("")]), Some(Measure::exact(0.0)));
        assert_eq!(of(vec![row(""), row("broke")]), Some(Measure::exact(1.0)));
    }
}
