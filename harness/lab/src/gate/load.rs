//! Whether the filters are sized for as many keys as they are given.

use std::sync::Arc;

use anyhow::Result;

use super::{Definition, Guarded, OTHERS, SEED};
use crate::experiment::Sweep;
use crate::measure::{FprCell, guarded};
use crate::workload::KeySet;
use bouquet_ground::record::GateLoadRow;

/// A row a filter. One that its keys have outgrown is filled with all of them and
/// asked.
pub fn loads(definition: &Definition) -> Vec<GateLoadRow> {
    let filters = definition.filters.iter();
    filters
        .map(|filter| {
            let row = row(filter);
            guarded(|| measured(filter, row.clone()))
                .unwrap_or_else(|error| GateLoadRow { error, ..row })
        })
        .collect()
}

fn row(filter: &Guarded) -> GateLoadRow {
    GateLoadRow {
        subject: filter.name.clone(),
        setting: match filter.growth {
            1.0 => filter.setting("keys"),
            growth => filter.setting(&format!("{growth} times the keys")),
        },
        // A generated set has no end: it gives as many as the filter is sized for.
        keys: if filter.keys.is_generated() {
            filter.capacity
        } else {
            (filter.keys.len() as f64 * filter.growth).ceil() as u64
        },
        capacity: filter.capacity,
        grows: filter.entry.grows,
        ..GateLoadRow::default()
    }
}

fn measured(filter: &Guarded, row: GateLoadRow) -> Result<GateLoadRow> {
    if row.keys <= row.capacity {
        return Ok(GateLoadRow {
            expected_fpr: filter
                .fixed(filter.capacity)
                .make()?
                .state(row.keys)
                .agreed()?
                .expected_fpr,
            ..row
        });
    }
    let mut of = filter.fixed(row.capacity);
    if row.keys > of.keys.len() {
        // Keys that are still to come are not there to be asked for.
        of.keys = Arc::new(KeySet::generated("keys to come", "random-u64", SEED)?);
    }
    let overfull = FprCell {
        of,
        sweep: Sweep::Load,
        x: row.keys as f64 / row.capacity as f64,
        hits: f64::INFINITY,
        low_hits: f64::INFINITY,
        max_non_members: OTHERS,
    };
    let measured = overfull.measure();
    Ok(GateLoadRow {
        rejected: measured.rejected,
        expected_fpr: measured.expected_fpr,
        non_members_asked: measured.non_members_asked,
        false_positives: measured.false_positives,
        error: measured.error,
        ..row
    })
}
