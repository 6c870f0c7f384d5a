//! The battery on locations: nothing is compared, a flag is a failure by itself.

use crate::{battery::p_value, levels::FAMILY_ALPHA, number};
use bouquet_ground::Outcome;
use bouquet_ground::record::{BatteryRow, Figure, GateRow, Tier};
use bouquet_stats::holm;

/// A row a subject: the smallest of its p-values after Holm over all of them.
pub fn rows(rows: &[BatteryRow]) -> Vec<GateRow> {
    let sound: Vec<&BatteryRow> = rows.iter().filter(|row| row.error.is_empty()).collect();
    let p: Vec<f64> = sound.iter().map(|row| p_value(row)).collect();
    let adjusted = holm(&p);
    rows.chunk_by(|a, b| a.subject == b.subject)
        .map(|group| {
            let first = &group[0];
            let tests = sound
                .iter()
                .zip(&adjusted)
                .filter(|(row, _)| row.subject == first.subject);
            of_subject(first, &tests.collect::<Vec<_>>())
        })
        .collect()
}

fn of_subject(first: &BatteryRow, tests: &[(&&BatteryRow, &f64)]) -> GateRow {
    let setting = match first.slots {
        0 => "not made".into(),
        slots => format!(
            "{} keys of {} in {} slots, k = {}",
            number::count(first.keys),
            first.dataset,
            number::count(slots),
            first.probes
        ),
    };
    let row = GateRow::new(
        Tier::Statistical,
        &first.subject,
        "locations are even",
        setting,
    );
    let must_flag = first.expected_outcome == "flagged";
    let least = tests.iter().min_by(|a, b| a.1.total_cmp(b.1));
    let Some((worst, p)) = least.filter(|_| first.error.is_empty()) else {
        return row.error(match first.error.as_str() {
            "" => "so few keys have no test",
            error => error,
        });
    };
    let of = format!("{} {}", worst.test, worst.item);
    let is_flagged = **p < FAMILY_ALPHA;
    let (standing, note) = match (must_flag, is_flagged) {
        (false, false) | (true, true) => (Outcome::Pass, String::new()),
        (false, true) => (Outcome::Fail, format!("flagged by {of}")),
        (true, false) => (Outcome::Void, "it must be flagged and was not".into()),
    };
    GateRow {
        value: Some(Figure::PValue {
            p: **p,
            tests: tests.len() as u64,
            of,
        }),
        standing,
        note,
        ..row
    }
}
