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
        "target-fpr" => ("#Sized for", |x| number::share(x, 4)),
        _ => ("#Bits per key", |x| number::significant(x, 4)),
    };
    let ratio = |p: &Point| {
        let off = p.rate.interval.half_width() / p.of.expected_fpr;
        number::decimal(
            p.rate.value / p.of.expected_fpr,
            if off < 0.02 { 3 } else { 2 },
        )
    };
    let z = |z| number::decimal(z, 1);
    Table::of(points.iter().copied())
        .column("Filter", |p| &p.of.filter)
        .column("Data set", |p| &p.of.dataset)
        .column(heading, |p| x(p.of.x))
        .column("#k", |p| Some(p.of.hashes).filter(|k| *k > 0))
        .column("#Capacity, keys", |p| p.of.capacity)
        .column("#Replicates", |p| p.replicates.to_string())
        .column("#Non-members asked", |p| p.of.non_members_asked)
        .column("#False positives", |p| p.of.false_positives)
        .column("#FPR measured (95 % interval)", |p| p.rate.in_words())
        .column("#FPR expected", |p| number::share(p.of.expected_fpr, 4))
        .column("#Measured / expected", |p| {
            (p.of.false_positives > 0).then(|| ratio(p))
        })
        .column("#z given the bits", |p| p.given_bits_z.map(z))
        .column("#z of the fill", |p| p.fill_z.map(z))
        .column("#Keys rejected", |p| p.of.rejected)
        .column("#False negatives", |p| p.false_negatives())
        .column("Given the bits", |p| Check::in_short(p.given_bits))
        .table()
}
