//! The details of an evaluation: its filters and schemes, sizes, key sets, machine.

use std::collections::BTreeSet;

use super::{
    document::{Block, Table, Text},
    judge::{Judgement, Point},
    number,
    sections::grounds,
};
use bouquet_ground::record::{Records, SubjectRow};

/// A line a subject, the sizes of all points, then the key sets and the machine.
pub fn details(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let subjects = (!records.subjects.is_empty()).then(|| Block::Table(subjects(records)));
    let sizes = parameters(&judgement.points);
    let sizes = (!sizes.rows.is_empty()).then(|| Block::folded("Sizes", Block::Table(sizes)));
    let first = subjects.into_iter().chain(sizes);
    Block::section(2, "Details", first.chain(grounds(records)))
}

fn subjects(records: &Records) -> Table {
    let promise = |of: &SubjectRow| match of.promises_no_false_negatives {
        _ if of.kind != "filter" => "",
        true => "none",
        false => "possible",
    };
    Table::of(&records.subjects)
        .column("Filter or scheme", |of| Text::default().strong(&of.subject))
        .column("About", |of| &of.about)
        .column("Role", |of| &of.role)
        .column("Theory", |of| &of.theory)
        .column("Reproducible by seed", |of| of.reproducible_by_seed)
        .column("Seeds", |of| seeds(records, &of.subject))
        .column("False negatives", promise)
        .table()
}

/// The seeds of all replicates, in order, each once.
fn seeds(records: &Records, subject: &str) -> String {
    let fpr = records.fpr.iter().filter(|r| r.filter == subject);
    let locations = records.battery.iter().filter(|r| r.subject == subject);
    let all = fpr.map(|r| r.seed).chain(locations.map(|r| r.seed));
    let seeds: BTreeSet<u64> = all.collect();
    if seeds.len() > 12 {
        let many = number::count(seeds.len() as u64);
        return format!("{many} different ones, in the records");
    }
    number::joined(seeds.iter().map(u64::to_string), ", ")
}

/// One line a size of a filter, whatever the data set.
fn parameters(points: &[Point]) -> Table {
    let mut seen = BTreeSet::new();
    let new = points.iter().filter(|p| {
        let of = &p.of;
        let x = of.x.to_bits();
        seen.insert((&of.filter, of.sweep, x, of.capacity, of.size_bits))
    });
    Table::of(new)
        .column("Filter", |p| &p.of.filter)
        .column("Sweep", |p| p.of.sweep.name())
        .column("#x", |p| number::significant(p.of.x, 4))
        .column("#Capacity, keys", |p| p.of.capacity)
        .column("#m, bits", |p| p.of.size_bits)
        .column("#k", |p| Some(p.of.hashes).filter(|k| *k > 0))
        .column("#FPR expected", |p| number::share(p.of.expected_fpr, 4))
        .table()
}
