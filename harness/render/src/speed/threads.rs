//! One filter shared by threads, as tables.

use std::collections::BTreeSet;

use super::score::{Entrant, Times, by_entrant, ratio};
use crate::{document::Table, estimate::Estimate, groups::distinct, judge::is_reported, number};
use bouquet_catalogue::named;
use bouquet_ground::record::{Clock, Records, TimingRow};

/// With the headings of their first columns.
const OPERATIONS: [(&str, &str); 3] = [
    ("insert", "#Insert, 1"),
    ("hit", "#Hit, 1"),
    ("miss", "#Miss, 1"),
];
/// On one thread the plain filter.
const PLAIN: &str = "private";

/// A filter and way on so many threads: net times by repetition.
pub struct Shared<'a> {
    pub name: Entrant<'a>,
    pub is_peer: bool,
    rows: Vec<&'a TimingRow>,
}

impl Shared<'_> {
    fn times(&self, operation: &str, threads: u32) -> Times {
        let rows = self.rows.iter();
        let rows = rows.filter(|row| row.operation == operation && row.threads == threads);
        rows.map(|row| (row.repetition, row.net())).collect()
    }

    /// Millions of keys per second.
    pub fn rate(&self, operation: &str, threads: u32) -> Option<Estimate> {
        let times = self.times(operation, threads).into_iter();
        Estimate::median(times.filter(|(_, ns)| *ns > 0.0).map(|(_, ns)| 1e3 / ns))
    }

    fn two_by_one(&self, operation: &str) -> Option<Estimate> {
        ratio(&self.times(operation, 2), &self.times(operation, 1))
    }
}

/// For one capacity, in the order of the subjects.
pub fn shared(records: &Records, capacity: u64) -> Vec<Shared<'_>> {
    let good = together(records).filter(|row| row.error.is_empty() && row.capacity == capacity);
    let all = by_entrant(records, good).into_iter();
    let shared = all.map(|(name, rows)| Shared {
        name,
        is_peer: is_reported(records, name.filter),
        rows,
    });
    shared.collect()
}

fn together(records: &Records) -> impl Iterator<Item = &TimingRow> {
    records.times.iter().filter(|row| row.clock == Clock::Wall)
}

/// Those that were measured, in the order of the records.
pub fn capacities(records: &Records) -> Vec<u64> {
    distinct(together(records).map(|row| row.capacity))
}

/// One for each capacity, under its name. None without records.
pub fn tables(records: &Records) -> impl Iterator<Item = (String, Table)> {
    capacities(records).into_iter().map(|capacity| {
        let name = format!(
            "One filter of {} keys shared by threads",
            number::count(capacity)
        );
        (name, table(&shared(records, capacity)))
    })
}

/// How it is read. A batch for a filter made of parts is larger than others.
pub fn reading(all: &[Shared<'_>]) -> String {
    let in_parts = |name: &str| named(name).is_some_and(|facts| facts.parts > 1);
    let names = all.iter().map(|shared| shared.name.filter);
    let parts: BTreeSet<_> = names.filter(|name| in_parts(name)).collect();
    let batches = match number::listed(parts).as_str() {
        "" => "Batches have 128 keys".to_owned(),
        some => format!(
            "Batches of {some} have 4,096 keys, for it sorts them by shard; of the others 128"
        ),
    };
    format!(
        "Millions of keys per second of all threads together, on one thread and on two, inserting \
         on the left and looking up members on the right; upright bars are intervals of the median \
         at 95 %. \"{PLAIN}\" gives each thread a filter of its own and unites them at the end, \
         which is in the time. {batches}. Every answer is counted, also whether a key was new: \
         whoever drops the answers of single inserts is faster where memory is far."
    )
}

pub fn table(all: &[Shared<'_>]) -> Table {
    let mut table = Table::of(all).column("Filter", |shared| shared.name.label());
    for (operation, heading) in OPERATIONS {
        let rate = |shared: &Shared<'_>, threads| {
            let rate = shared.rate(operation, threads);
            rate.map(|rate| number::decimal(rate.value, 1))
        };
        table = table
            .column(heading, |shared| rate(shared, 1))
            .column("#2", |shared| rate(shared, 2))
            .column("#2 by 1", |shared| times(shared.two_by_one(operation)));
    }
    table.table()
}

fn times(ratio: Option<Estimate>) -> Option<String> {
    ratio.map(|ratio| ratio.words(|x| number::decimal(x, 2)))
}
