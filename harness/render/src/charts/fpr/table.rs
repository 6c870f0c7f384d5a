//! A sweep in figures.

use crate::{
    document::Table,
    judge::{Check, Point},
    number,
};

/// A row a point of a filter on a data set.
pub fn table(kind: &str, points: &[&Point]) -> Table {
    let (heading, x): (_, fn(f64) -> String) = match kind {
        "load" => ("#Load", |x| number::significant(x, 4)),
        "target-fpr" => ("#Made for", |x| number::share(x, 4)),
        _ => ("#Bits per key", |x| number::significant(x, 4)),
    };
    let ratio = |p: &Point| {
        let off = p.interval.half_width() / p.expected_fpr;
        number::decimal(
            p.measured() / p.expected_fpr,
            if off < 0.02 { 3 } else { 2 },
        )
    };
    let z = |z| number::decimal(z, 1);
    Table::of(points.iter().copied())
        .column("Filter", |p| &p.filter)
        .column("Data set", |p| &p.dataset)
        .column(heading, |p| x(p.x))
        .column("#k", |p| Some(p.hashes).filter(|k| *k > 0))
        .column("#Capacity, keys", |p| p.capacity)
        .column("#Replicates", |p| p.replicates.to_string())
        .column("#Strangers asked", |p| p.asked)
        .column("#False positives", |p| p.hits)
        .column("#FPR measured (95 % interval)", |p| p.measured_words())
        .column("#FPR expected", |p| number::share(p.expected_fpr, 4))
        .column("#Measured / expected", |p| (p.hits > 0).then(|| ratio(p)))
        .column("#z given the bits", |p| p.given_bits_z.map(z))
        .column("#z of the fill", |p| p.fill_z.map(z))
        .column("#Keys refused", |p| p.refused)
        .column("#False negatives", |p| p.denied())
        .column("Given the bits (power)", |p| Check::in_short(p.given_bits))
        .column("Over seeds (power)", |p| Check::in_short(p.over_seeds))
        .table()
}
