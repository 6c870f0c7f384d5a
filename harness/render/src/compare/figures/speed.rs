//! What a run of `bouquet speed` has to compare: net times, by what was timed.

use std::collections::BTreeSet;

use super::{Figures, Measure};
use crate::{number, speed};
use bouquet_ground::record::Records;

pub fn figures(records: &Records) -> Figures {
    let mut figures = Figures::default();
    for row in &records.speed {
        if figures.is_sound(&row.filter, &row.error) {
            let what = format!(
                "ns a {}, {}, {} keys ({}) at {}",
                row.operation,
                row.way,
                number::count(row.capacity),
                row.keys,
                row.target_fpr
            );
            let net = row.gross_ns_per_key - row.dry_run_ns_per_key;
            figures.time(&row.filter, what, net);
        }
    }
    for row in &records.threads {
        if figures.is_sound(&row.filter, &row.error) {
            let what = format!(
                "ns a {}, {}, {} threads, {} keys at {}",
                row.operation,
                row.way,
                row.threads,
                number::count(row.capacity),
                row.target_fpr
            );
            let net = row.wall_ns_per_key - row.dry_run_ns_per_key;
            figures.time(&row.filter, what, net);
        }
    }
    for row in &records.hashes {
        let bytes = number::count(row.key_bytes);
        let what = format!("ns per key of {bytes} bytes, {}", row.form);
        let net = row.gross_ns_per_key - row.dry_run_ns_per_key;
        figures.time(&row.hash, what, net);
    }
    // What the battery says of each hash.
    let names: BTreeSet<&String> = records.battery.iter().map(|row| &row.subject).collect();
    for hash in names {
        let word = speed::battery_verdict(records, hash);
        figures.put(hash, "battery", Measure::Word(word));
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Estimate;
    use bouquet_ground::record::{HashRow, SpeedRow};

    fn hashed(ns: f64) -> Records {
        let row = |repetition: u32| HashRow {
            hash: "xxh3".into(),
            key_bytes: 8,
            form: "whole".into(),
            repetition,
            gross_ns_per_key: ns + 1.0 + f64::from(repetition) * 1e-3,
            dry_run_ns_per_key: 1.0,
            ..HashRow::default()
        };
        Records {
            hashes: (0..9).map(row).collect(),
            ..Records::default()
        }
    }

    #[test]
    fn hashes_are_compared() {
        let figures = figures(&hashed(2.0)).all();
        let id = ("xxh3".to_owned(), "ns per key of 8 bytes, whole".to_owned());
        let Some(Measure::Sample(Estimate { value, interval })) = figures.get(&id) else {
            panic!("{figures:?}");
        };
        assert!((value - 2.004).abs() < 1e-9, "{value}");
        assert!(interval.low < *value);
    }

    #[test]
    fn an_error_is_a_figure() {
        let row = |error: &str| SpeedRow {
            filter: "standard".into(),
            error: error.into(),
            ..SpeedRow::default()
        };
        let of = |rows: Vec<SpeedRow>| {
            let records = Records {
                speed: rows,
                ..Records::default()
            };
            let id = ("standard".to_owned(), "errors".to_owned());
            figures(&records).all().get(&id).cloned()
        };
        assert_eq!(of(vec![row("")]), Some(Measure::Exact(0.0)));
        assert_eq!(of(vec![row(""), row("broke")]), Some(Measure::Exact(1.0)));
    }
}
