//! A sweep in figures.

use super::Chart;
use crate::{document::Table, number};
use bouquet_ground::record::Sweep;

/// A row a point as it is drawn.
pub fn table(sweep: &Chart<'_>) -> Table {
    let heading = match sweep.kind {
        Sweep::Load => "#Load",
        Sweep::BitsPerKey | Sweep::TargetFpr | Sweep::Churn | Sweep::Memory => "#Bits per key",
    };
    Table::of(sweep.lines.iter().flat_map(|(_, line)| line))
        .column("Filter", |p| &p.of.filter)
        .column(heading, |p| number::significant(p.of.x, 4))
        .column("#k", |p| Some(p.of.hashes).filter(|k| *k > 0))
        .column("#Capacity, keys", |p| p.of.capacity)
        .column("#Replicates", |p| p.replicates.to_string())
        .column("#Non-members asked", |p| p.of.non_members)
        .column("#False positives", |p| p.of.false_positives)
        .column("#FPR measured (95 % interval)", |p| p.rate.in_words())
        .column("#FPR expected", |p| number::share(p.of.expected_fpr, 4))
        .column("#Keys rejected", |p| p.of.rejected)
        .column("#False negatives", |p| p.false_negatives())
        .table()
}
