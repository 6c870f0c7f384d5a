//! The details of a report, and how it was made.

use std::collections::BTreeSet;

use super::{
    document::{Block, Table, Text},
    judge::{Judgement, Point},
    number,
};
use crate::terminal::clean;
use bouquet_ground::record::{DatasetRow, Records, RunRow, SubjectRow};

/// A section a subject, then the key sets and the machine.
pub fn details(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let mut blocks = Vec::new();
    for subject in &records.subjects {
        blocks.extend(one(records, judgement, subject));
    }
    blocks.extend(grounds(records));
    if !blocks.is_empty() {
        blocks.insert(0, heading(2, "Details"));
    }
    blocks
}

/// The key sets and the machine.
pub fn grounds(records: &Records) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !records.datasets.is_empty() {
        blocks.push(heading(3, "Data sets"));
        blocks.push(Block::Table(datasets(records)));
    }
    if !records.run.is_empty() {
        blocks.push(heading(3, "Machine and run"));
        blocks.push(Block::Table(facts(records)));
    }
    blocks
}

pub(super) fn heading(level: u8, words: &str) -> Block {
    Block::Heading(level, words.to_owned())
}

fn one(records: &Records, judgement: &Judgement, subject: &SubjectRow) -> Vec<Block> {
    let mut about = vec![Text::from(subject.about.clone())];
    let mut say = |name: &str, value: String| {
        if !value.is_empty() {
            about.push(
                Text::default()
                    .strong(format!("{name}:"))
                    .plain(format!(" {value}")),
            );
        }
    };
    say("Role", subject.role.clone());
    say("Theory", subject.theory.clone());
    say(
        "Reproducible by seed",
        if subject.reproducible_by_seed {
            "yes".to_owned()
        } else {
            "no: its own randomness cannot be set, so a repeat gives other figures within the \
             same intervals"
                .to_owned()
        },
    );
    say("Seeds", seeds(records, &subject.subject));
    if subject.kind == "filter" {
        let promise = if subject.promises_no_false_negatives {
            "none"
        } else {
            "possible"
        };
        say("False negatives", promise.to_owned());
    }
    let mut blocks = vec![heading(3, &subject.subject), Block::List(about)];
    let own: Vec<&Point> = judgement
        .points
        .iter()
        .filter(|p| p.filter == subject.subject)
        .collect();
    if !own.is_empty() {
        let table = Block::Table(parameters(&own));
        blocks.push(Block::Folded {
            summary: "Parameters".to_owned(),
            inside: vec![table],
        });
    }
    blocks
}

/// The seeds of all replicates, in order, each once.
fn seeds(records: &Records, subject: &str) -> String {
    let fpr = records
        .fpr
        .iter()
        .filter(|r| r.filter == subject)
        .map(|r| r.seed);
    let uniformity = records
        .battery
        .iter()
        .filter(|r| r.subject == subject)
        .map(|r| r.seed);
    let mut seeds: Vec<u64> = fpr.chain(uniformity).collect();
    seeds.sort_unstable();
    seeds.dedup();
    match seeds.as_slice() {
        [] => String::new(),
        few if few.len() <= 12 => few
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join(", "),
        many => format!(
            "{} different ones, in the records",
            number::count(many.len() as u64)
        ),
    }
}

/// One line a size, whatever the data set.
fn parameters(points: &[&Point]) -> Table {
    let mut seen = BTreeSet::new();
    let new = points.iter().copied().filter(|p| {
        let size = (&p.sweep, p.x.to_bits(), p.capacity, p.size_bits);
        seen.insert(size)
    });
    Table::of(new)
        .column("Sweep", |p| &p.sweep)
        .column("#x", |p| number::significant(p.x, 4))
        .column("#Capacity, keys", |p| p.capacity)
        .column("#m, bits", |p| p.size_bits)
        .column("#k", |p| Some(p.hashes).filter(|k| *k > 0))
        .column("#Allocated, bytes", |p| p.memory_bytes)
        .column("#FPR expected", |p| number::share(p.expected_fpr, 4))
        .table()
}

fn datasets(records: &Records) -> Table {
    let source = |row: &DatasetRow| match row.sha256.as_str() {
        "" => Text::default().code(&row.generator),
        digest => Text::default().code(digest),
    };
    Table::of(&records.datasets)
        .column("Data set", |row| &row.dataset)
        .column("About", |row| &row.about)
        .column("#Keys", |row| row.keys)
        .column("#Duplicates left out", |row| row.duplicates_dropped)
        .column("#Bytes of keys", |row| row.key_bytes)
        .column("SHA-256 or generator", source)
        .table()
}

fn facts(records: &Records) -> Table {
    let words = |row: &RunRow| match row.name.as_str() {
        "duration_s" => ["duration".to_owned(), format!("{} s", row.value)],
        "memory_mb" => ["memory".to_owned(), format!("{} MB", row.value)],
        name => [name.replace('_', " "), row.value.clone()],
    };
    let facts: Vec<[String; 2]> = records.run.iter().map(words).collect();
    Table::of(&facts)
        .column("Fact", |[name, _]| name)
        .column("Value", |[_, value]| value)
        .table()
}

/// The command, and what each experiment says of itself.
pub fn making(records: &Records) -> Vec<Block> {
    let mut blocks = Vec::new();
    let command = records.fact("command");
    if !command.is_empty() {
        blocks.push(Block::Code(clean(command)));
    }
    for row in &records.experiments {
        blocks.push(heading(3, &row.title));
        for paragraph in row.analysis.split("\n\n").filter(|p| !p.trim().is_empty()) {
            let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
            blocks.push(Block::Paragraph(words.into()));
        }
    }
    if !blocks.is_empty() {
        blocks.insert(0, heading(2, "How this was made"));
        blocks.push(Block::Paragraph(
            Text::from("Everything above is computed from the raw rows in ")
                .link("records", "records/")
                .plain(": ")
                .code("bouquet report")
                .plain(" makes the same report of the same rows, byte for byte."),
        ));
        blocks.push(Block::Paragraph(
            Text::from("How each figure is made is told in ")
                .link("METHODOLOGY.md", "../../harness/METHODOLOGY.md")
                .plain(", what it cannot tell in ")
                .link("BIAS.md", "../../harness/BIAS.md")
                .plain(", both in the folder harness of the source."),
        ));
    }
    blocks
}
