//! A sweep in figures.

use crate::{
    document::{Table, Text},
    judge::{Check, Point},
    number,
};

/// A row a point of a filter on a data set.
pub fn table(kind: &str, points: &[&Point]) -> Table {
    let x = match kind {
        "load" => "#Load",
        "target-fpr" => "#Made for",
        _ => "#Bits per key",
    };
    let mut table = Table::new(&[
        "Filter",
        "Data set",
        x,
        "#k",
        "#Capacity, keys",
        "#Replicates",
        "#Strangers asked",
        "#False positives",
        "#FPR measured (95 % interval)",
        "#FPR expected",
        "#Measured / expected",
        "#z given the bits",
        "#z of the fill",
        "#Keys refused",
        "#False negatives",
        "Given the bits (power)",
        "Over seeds (power)",
    ]);
    for point in points {
        let z = |z: Option<f64>| z.map_or("–".to_owned(), |z| number::decimal(z, 1));
        let ratio = point.measured() / point.expected_fpr;
        let off = point.interval.half_width() / point.expected_fpr;
        let ratio = if point.hits == 0 {
            "–".to_owned()
        } else {
            number::decimal(ratio, if off < 0.02 { 3 } else { 2 })
        };
        let cells = [
            point.filter.clone(),
            point.dataset.clone(),
            if kind == "target-fpr" {
                number::share(point.x, 4)
            } else {
                number::significant(point.x, 4)
            },
            if point.hashes == 0 {
                "–".to_owned()
            } else {
                point.hashes.to_string()
            },
            number::count(point.capacity),
            point.replicates.to_string(),
            number::count(point.asked),
            number::count(point.hits),
            number::measured_with_interval(point.measured(), point.interval),
            number::share(point.expected_fpr, 4),
            ratio,
            z(point.given_bits_z),
            z(point.fill_z),
            number::count(point.refused),
            number::part(point.false_negatives, point.members_asked),
            Check::in_short(point.given_bits),
            Check::in_short(point.over_seeds),
        ];
        table.row(cells.map(Text::from));
    }
    table
}
