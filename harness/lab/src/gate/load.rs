//! Whether the filters are made for as many keys as they are given.

use anyhow::Result;

use super::{
    Definition, Guarded,
    exact::{OTHERS, SEED},
};
use crate::measure::guarded;
use crate::ways::{Count, In, count};
use crate::workload::Workload;
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
        setting: format!(
            "{}, keys of {}, {}",
            filter.entry.name,
            filter.keys.name(),
            filter.size_in_words()
        ),
        // A generated set has no end: it gives as many as the filter is made for.
        keys: if filter.keys.is_generated() {
            filter.capacity
        } else {
            filter.keys.len()
        },
        capacity: filter.capacity,
        grows: filter.entry.grows,
        ..GateLoadRow::default()
    }
}

fn measured(filter: &Guarded, row: GateLoadRow) -> Result<GateLoadRow> {
    let mut subject = filter.make(SEED)?;
    if row.keys <= row.capacity {
        return Ok(GateLoadRow {
            expected_fpr: subject.state(row.keys).expected_fpr,
            ..row
        });
    }
    let workload = Workload::new(&filter.keys, SEED, row.keys)?;
    let filled = In::Singly.fill(&mut *subject, |give| workload.members(give));
    let accepted = filled.map_or(Vec::new(), |filled| filled.accepted);
    let taken = count(&accepted);
    let others = Count::of(&*subject, |ask| {
        workload.strangers(OTHERS, |key| {
            ask(key);
            true
        });
    });
    Ok(GateLoadRow {
        refused: row.keys - taken,
        expected_fpr: subject.state(taken).expected_fpr,
        non_members_asked: others.asked,
        false_positives: others.singly,
        ..row
    })
}
