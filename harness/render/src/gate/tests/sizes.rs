//! Rates that are measured at fewer keys than a filter is configured for.

use bouquet_ground::record::{Chosen, FprRow};

use super::*;

#[test]
fn the_size_that_stands_for_a_larger_one_is_said() {
    let own = FprRow {
        filter: "large".into(),
        capacity: 5_000_000,
        ..FprRow::default()
    };
    let configured = Configuration {
        name: "large".into(),
        filter: "blocked".into(),
        capacity: 100_000_000,
        target_fpr: Some(0.01),
        bits_per_key: None,
        keys: "generated".into(),
        chosen: Chosen::default(),
    };
    let records = GateRecords {
        fpr: vec![own],
        ..GateRecords::default()
    };
    let run = |capacity| Run {
        configuration: vec![Configuration {
            capacity,
            ..configured.clone()
        }],
        ..run(&records, None, "here")
    };
    let note = statistical::at_fewer_keys(&run(100_000_000));
    assert!(
        note.contains("of large with 5,000,000 keys, not 100,000,000"),
        "{note}"
    );
    assert_eq!(statistical::at_fewer_keys(&run(5_000_000)), "");
}
