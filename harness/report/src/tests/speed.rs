//! Tests of the report of made-up times.

use crate::{markdown_tables, plain, speed};
use bouquet_record::{Clock, Kind, READ, Records, SubjectRow, TimingRow, Way};

/// Three repetitions of an operation, with these gross times; a dry run takes 2 ns.
fn timed(subject: &str, operation: &str, ns: [f64; 3]) -> Vec<TimingRow> {
    let row = |ns_per_key| TimingRow {
        subject: subject.into(),
        path: Way::Single,
        keys: "u64".into(),
        capacity: 10_000,
        target_fpr: 0.01,
        operation: operation.into(),
        threads: 1,
        operations: 1_000,
        ns_per_key,
        dry_run_ns_per_key: 2.0,
        clock: Clock::Thread,
        ..TimingRow::default()
    };
    ns.map(row).into()
}

fn records() -> Records {
    let subject = |(name, role): (&str, &str)| SubjectRow {
        subject: name.into(),
        kind: "filter".into(),
        role: role.into(),
        ..SubjectRow::default()
    };
    Records {
        kind: Kind::Speed,
        subjects: [("standard", "ours"), ("tulip", "peer")]
            .map(subject)
            .into(),
        times: [
            timed("standard", "miss", [4.0, 5.0, 6.0]),
            timed("tulip", "miss", [1.0, 1.5, 2.5]),
            timed("cache lines", READ, [1.9, 1.0, 1.5]),
        ]
        .concat(),
        ..Records::default()
    }
}

/// A filter whose net time is below 0 is not the fastest, and has no time.
#[test]
fn a_net_time_below_zero_is_not_measurable() {
    let records = records();
    let page = markdown_tables(&records);
    for part in ["| standard | **3.00** |", "| tulip | not measurable |"] {
        assert!(page.contains(part), "{part} not in {page}");
    }
    assert!(!page.contains("random cache line"), "{page}");
    let csv = format!("{:?}", plain(&records).rows);
    assert!(!csv.contains("-0.") && !csv.contains("-1"), "{csv}");
    let (_, document) = speed::document(&records);
    assert_eq!(document.figures.len(), 0);
    // With a measurable time it is the fastest.
    let mut other = records.clone();
    for row in other.times.iter_mut().filter(|row| row.subject == "tulip") {
        row.ns_per_key += 2.0;
    }
    let page = markdown_tables(&other);
    assert!(page.contains("| tulip | **1.50** |"), "{page}");
}
