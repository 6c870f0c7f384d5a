//! Whether the filters are sized for as many keys as they are given.

use std::sync::Arc;

use anyhow::Result;

use super::{Definition, Guarded, OTHERS, SEED};
use crate::measure::{FprCell, guarded};
use crate::workload::KeySet;
use bouquet_ground::record::{GateLoadRow, Observation, Sweep};

/// A row a filter. One that its keys have outgrown is filled with all of them and
/// asked.
pub fn loads(definition: &Definition) -> Vec<GateLoadRow> {
    let filters = definition.filters.iter();
    filters
        .map(|filter| {
            let row = row(filter);
            let of = guarded(|| measured(filter, row.of.clone()))
                .unwrap_or_else(|error| Observation { error, ..row.of });
            GateLoadRow { of, ..row }
        })
        .collect()
}

fn row(filter: &Guarded) -> GateLoadRow {
    GateLoadRow {
        setting: match filter.growth {
            1.0 => filter.setting("keys"),
            growth => filter.setting(&format!("{growth} times the keys")),
        },
        grows: filter.entry.grows,
        of: Observation {
            filter: filter.name.clone(),
            // A generated set has no end: it gives as many as the filter is sized for.
            keys: if filter.keys.is_generated() {
                filter.capacity
            } else {
                (filter.keys.len() as f64 * filter.growth).ceil() as u64
            },
            capacity: filter.capacity,
            ..Observation::default()
        },
    }
}

fn measured(filter: &Guarded, row: Observation) -> Result<Observation> {
    if row.keys <= row.capacity {
        let made = filter.fixed(filter.capacity).make()?;
        let expected_fpr = made.state(row.keys).agreed()?.expected_fpr;
        return Ok(Observation {
            expected_fpr,
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
    Ok(Observation {
        filter: row.filter,
        keys: row.keys,
        ..overfull.measure()
    })
}
