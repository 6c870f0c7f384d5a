//! One filter shared by threads, as tables.

use std::collections::BTreeSet;

use super::{
    Named,
    score::{Entrant, Times, by_entrant, ratio},
};
use crate::{document::Table, estimate::Estimate, groups::distinct, number};
use bouquet_catalogue::named;
use bouquet_ground::record::{Records, ThreadRow};

/// With the headings of their first columns in either table.
const OPERATIONS: [(&str, &str, &str); 3] = [
    ("insert", "#Insert, 1", "#Insert, 1 by plain"),
    ("hit", "#Hit, 1", "#Hit, 1 by plain"),
    ("miss", "#Miss, 1", "#Miss, 1 by plain"),
];
const COMPARING: &str = "How many times the keys per second: on one thread of those of the plain \
    filter, given to it the same way; and on as many threads, of those of the peer that is the \
    fastest there.";
/// On one thread the plain filter.
const PLAIN: &str = "private";

/// A filter and way on so many threads: net times by repetition.
pub struct Shared<'a> {
    pub name: Entrant<'a>,
    rows: Vec<&'a ThreadRow>,
}

impl Shared<'_> {
    fn times(&self, operation: &str, threads: u32) -> Times {
        let rows = self.rows.iter();
        let rows = rows.filter(|row| row.operation == operation && row.threads == threads);
        rows.map(|row| (row.repetition, row.wall_ns_per_key - row.dry_run_ns_per_key))
            .collect()
    }

    /// Millions of keys per second.
    pub fn rate(&self, operation: &str, threads: u32) -> Option<Estimate> {
        let times = self.times(operation, threads).into_iter();
        Estimate::median(times.filter(|(_, ns)| *ns > 0.0).map(|(_, ns)| 1e3 / ns))
    }

    fn two_by_one(&self, operation: &str) -> Option<Estimate> {
        ratio(&self.times(operation, 2), &self.times(operation, 1))
    }

    /// The most threads that it was measured on.
    pub fn most_threads(&self) -> u32 {
        self.rows.iter().map(|row| row.threads).max().unwrap_or(0)
    }

    /// Whether threads share one filter of it, and it missed none of their keys.
    pub fn is_shared(&self) -> bool {
        self.name.filter != PLAIN && self.rows.iter().all(|row| row.false_negatives == 0)
    }

    pub fn is_peer(&self) -> bool {
        self.rows.iter().any(|row| row.role == "peer")
    }
}

/// For one capacity, in the order of the subjects.
pub fn shared(records: &Records, capacity: u64) -> Vec<Shared<'_>> {
    let rows = records.threads.iter();
    let good = rows.filter(|row| row.error.is_empty() && row.capacity == capacity);
    let all = by_entrant(records, good).into_iter();
    all.map(|(name, rows)| Shared { name, rows }).collect()
}

/// Those that were measured, in the order of the records.
pub fn capacities(records: &Records) -> Vec<u64> {
    distinct(records.threads.iter().map(|row| row.capacity))
}

/// Two for each capacity. None without records.
pub fn tables(records: &Records) -> Vec<Named> {
    let capacities = capacities(records).into_iter();
    capacities
        .flat_map(|capacity| of_capacity(records, capacity))
        .collect()
}

fn of_capacity(records: &Records, capacity: u64) -> [Named; 2] {
    let all = shared(records, capacity);
    let target = all.first().map_or(0.0, |one| one.rows[0].target_fpr);
    let keys = number::count(capacity);
    let name = format!(
        "One filter of {keys} keys shared by threads, target {}",
        number::share(target, 3)
    );
    let beside = format!("Shared filters of {keys} keys beside the plain one and the peers");
    [
        (name, reading(&all), table(&all)),
        (beside, COMPARING.to_owned(), comparison(&all)),
    ]
}

/// How the first table is read. A batch for a filter made of parts is larger than others.
fn reading(all: &[Shared<'_>]) -> String {
    let in_parts = |name: &str| named(name).is_some_and(|facts| facts.parts > 1);
    let names = all.iter().map(|shared| shared.name.filter);
    let parts: BTreeSet<_> = names.filter(|name| in_parts(name)).collect();
    let parts: Vec<_> = parts.iter().map(|name| format!("{name:?}")).collect();
    let batches = match parts.as_slice() {
        [] => "Batches have 128 keys".to_owned(),
        some => format!(
            "Batches of {} have 4,096 keys, for it sorts them by shard; of the others 128",
            some.join(" and ")
        ),
    };
    format!(
        "Millions of keys per second, of all threads together, by the time on the wall less that of \
         making the keys on as many threads. Two by one is formed within a repetition. {PLAIN:?} \
         gives each thread a filter of its own and unites them at the end, which is in the time; \
         on one thread it is the plain filter. {batches}. Every answer is counted: whether a key \
         was new, and by `insert_batch` how many were. Whoever drops the answers of single inserts \
         gets a plain atomic OR from the compiler, which is faster where memory is far."
    )
}

pub fn table(all: &[Shared<'_>]) -> Table {
    let mut table = Table::of(all).column("Filter", |shared| shared.name.label());
    for (operation, heading, _) in OPERATIONS {
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

fn comparison(all: &[Shared<'_>]) -> Table {
    let ours = |one: &&Shared<'_>| !one.is_peer() && one.name.filter != PLAIN;
    let mut table = Table::of(all.iter().filter(ours)).column("Ours", |one| one.name.label());
    for (operation, _, heading) in OPERATIONS {
        let beside = |one: &Shared<'_>, other: Option<&Shared<'_>>, threads| {
            let other = other?.times(operation, threads);
            times(ratio(&one.times(operation, threads), &other))
        };
        let plain = |one: &Shared<'_>| {
            let plain = Entrant {
                filter: PLAIN,
                ..one.name
            };
            let same = |other: &&Shared<'_>| other.name == plain;
            all.iter().find(same)
        };
        let peer = |threads| fastest_peer(all, operation, threads);
        table = table
            .column(heading, |one| beside(one, plain(one), 1))
            .column("#1 by peer", |one| beside(one, peer(1), 1))
            .column("#2 by peer", |one| beside(one, peer(2), 2));
    }
    table.table()
}

fn fastest_peer<'a>(
    all: &'a [Shared<'a>],
    operation: &str,
    threads: u32,
) -> Option<&'a Shared<'a>> {
    let peers = all.iter().filter(|one| one.is_peer());
    let rated = peers.filter_map(|one| Some((one.rate(operation, threads)?.value, one)));
    rated.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, one)| one)
}

fn times(ratio: Option<Estimate>) -> Option<String> {
    ratio.map(|ratio| ratio.words(|x| number::decimal(x, 2)))
}
