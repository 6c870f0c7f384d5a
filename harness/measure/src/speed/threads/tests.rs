use super::*;
use crate::registry;
use crate::speed::Kind;

/// Measures these filters at this capacity, checks the rows and returns them.
fn rows(sharings: &[Sharing], capacity: u64) -> Vec<TimingRow> {
    let shared = SharedRun {
        column: Column {
            kind: Kind::U64,
            capacity,
            target_fpr: 0.01,
        },
        sharings,
        effort: Effort {
            repetitions: 2,
            inserted: 5_000,
            asked: 1_000,
            peers: None,
        },
        seed: 5,
    };
    let mut rows = Vec::new();
    let mut emit = |row| {
        rows.push(row);
        Ok(())
    };
    match capacity {
        0..10_000 => shared.run(&mut emit).unwrap(),
        _ => shared.run_filled_once(&mut emit).unwrap(),
    }
    for row in &rows {
        assert_eq!(
            (row.false_negatives, row.error.as_str()),
            (0, ""),
            "{row:?}"
        );
        assert!(row.ns_per_key > 0.0);
    }
    rows
}

#[test]
fn all_keys_of_all_threads_are_present() {
    let sharings = registry::sharings();
    let rows = rows(&sharings, 3_001);
    let ways: usize = sharings.iter().map(|sharing| sharing.ways.len()).sum();
    assert_eq!(rows.len(), ways * 2 * 2 * 3);
    // Two filters of 3,001 keys are filled, one after the other, to insert at least 5,000 keys.
    assert!(rows.iter().all(|row| row.operations == 2 * 3_001));
}

#[test]
fn what_is_filled_once_is_full_in_the_end() {
    let sharings = registry::sharings();
    let rows = rows(&sharings, 10_000);
    let inserted = |name: &str| {
        let own = rows
            .iter()
            .filter(|row| row.subject == name && row.operation == "insert");
        own.map(|row| row.operations).sum::<u64>()
    };
    for sharing in sharings {
        let all = if sharing.is_one { 10_000 } else { 0 };
        let name = sharing.subject.subject;
        assert_eq!(inserted(&name), all, "{name}");
    }
}

#[test]
fn parts_are_the_whole() {
    let sum = at_once(2, |thread| thread as u64 + 1);
    assert_eq!(sum.0, 3);
    assert!(sum.1 > 0.0);
}
