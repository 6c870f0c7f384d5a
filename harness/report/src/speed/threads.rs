//! One filter shared by several threads.

use super::score::{Entrant, MEASURED, by_entrant};
use crate::{document::Table, estimate::Estimate, groups::grouped, judge::is_reported, number};
use bouquet_record::{Clock, Records, TimingRow};

/// A filter, used in one way, at one capacity, with its rows.
pub struct Shared<'a> {
    pub capacity: u64,
    pub name: Entrant<'a>,
    pub is_peer: bool,
    rows: Vec<&'a TimingRow>,
}

impl Shared<'_> {
    /// Millions of keys per second.
    pub fn rate(&self, operation: &str, threads: u32) -> Option<Estimate> {
        let rows = self.rows.iter();
        let rows = rows.filter(|row| row.operation == operation && row.threads == threads);
        let times = rows.map(|row| row.net()).filter(|ns| *ns > 0.0);
        Estimate::median(times.map(|ns| 1e3 / ns))
    }
}

/// Sorted by capacity, then in the order of the subjects.
pub fn shared(records: &Records) -> Vec<Shared<'_>> {
    let together = records.times.iter().filter(|row| row.clock == Clock::Wall);
    let capacities = grouped(together, |row| row.capacity).into_iter();
    let shared = capacities.flat_map(|(capacity, rows)| {
        let good = rows.into_iter().filter(|row| row.error.is_empty());
        let all = by_entrant(records, good).into_iter();
        all.map(move |(name, rows)| Shared {
            capacity,
            name,
            is_peer: is_reported(records, name.filter),
            rows,
        })
    });
    shared.collect()
}

/// One row per capacity and filter; a column per operation and number of threads.
pub fn table(records: &Records) -> Table {
    let all = shared(records);
    let mut table = Table::of(&all)
        .column("#Keys", |shared| shared.capacity)
        .column("Filter", |shared| shared.name.label());
    let headings = ["#Insert, 1", "#Hit, 1", "#Miss, 1"];
    for (operation, heading) in MEASURED.into_iter().zip(headings) {
        let rate = |shared: &Shared<'_>, threads| {
            let rate = shared.rate(operation, threads);
            rate.map(|rate| number::decimal(rate.value, 1))
        };
        table = table
            .column(heading, |shared| rate(shared, 1))
            .column("#2", |shared| rate(shared, 2));
    }
    table.table()
}
