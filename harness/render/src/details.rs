//! The details of an evaluation, a section a subject.

use std::collections::BTreeSet;

use super::{
    document::{Block, Table, Text},
    judge::{Judgement, Point},
    number,
    sections::grounds,
};
use bouquet_ground::record::{Records, SubjectRow};

/// A section a subject, then the key sets and the machine.
pub fn details(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let subjects = records.subjects.iter();
    let each = subjects.flat_map(|subject| one(records, judgement, subject));
    Block::section(2, "Details", each.chain(grounds(records)))
}

fn one(records: &Records, judgement: &Judgement, subject: &SubjectRow) -> Vec<Block> {
    let mut about = vec![Text::from(subject.about.clone())];
    let repeated = match subject.reproducible_by_seed {
        true => "yes",
        false => {
            "no: its own randomness cannot be set, so a repeat gives other figures within the same \
             intervals"
        }
    };
    let promise = match subject.promises_no_false_negatives {
        _ if subject.kind != "filter" => "",
        true => "none",
        false => "possible",
    };
    for (name, value) in [
        ("Role", subject.role.as_str()),
        ("Theory", &subject.theory),
        ("Reproducible by seed", repeated),
        ("Seeds", &seeds(records, &subject.subject)),
        ("False negatives", promise),
    ] {
        if !value.is_empty() {
            let name = Text::default().strong(format!("{name}:"));
            about.push(name.plain(format!(" {value}")));
        }
    }
    let mut blocks = vec![Block::heading(3, &subject.subject), Block::List(about)];
    let own = judgement.points.iter();
    let own: Vec<&Point> = own.filter(|p| p.of.filter == subject.subject).collect();
    if !own.is_empty() {
        let table = Block::Table(parameters(&own));
        blocks.push(Block::folded("Parameters", table));
    }
    blocks
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

/// One line a size, whatever the data set.
fn parameters(points: &[&Point]) -> Table {
    let mut seen = BTreeSet::new();
    let new = points.iter().copied().filter(|p| {
        let size = (&p.of.sweep, p.of.x.to_bits(), p.of.capacity, p.of.size_bits);
        seen.insert(size)
    });
    Table::of(new)
        .column("Sweep", |p| &p.of.sweep)
        .column("#x", |p| number::significant(p.of.x, 4))
        .column("#Capacity, keys", |p| p.of.capacity)
        .column("#m, bits", |p| p.of.size_bits)
        .column("#k", |p| Some(p.of.hashes).filter(|k| *k > 0))
        .column("#Allocated, bytes", |p| p.of.memory_bytes)
        .column("#FPR expected", |p| number::share(p.of.expected_fpr, 4))
        .table()
}
