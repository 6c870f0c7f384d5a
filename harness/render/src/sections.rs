//! The details of a report, and how it was made.

use std::collections::BTreeSet;

use super::{
    document::{Block, Table, Text},
    judge::{Judgement, Point},
    number,
};
use bouquet_ground::line::clean;
use bouquet_ground::record::{DatasetRow, Records, RunRow, SubjectRow};

/// A section a subject, then the key sets and the machine.
pub fn details(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let subjects = records.subjects.iter();
    let each = subjects.flat_map(|subject| one(records, judgement, subject));
    Block::section(2, "Details", each.chain(grounds(records)))
}

/// The key sets and the machine.
pub fn grounds(records: &Records) -> Vec<Block> {
    let tables = [
        ("Data sets", datasets(records)),
        ("Machine and run", facts(records)),
    ];
    let full = tables
        .into_iter()
        .filter(|(_, table)| !table.rows.is_empty());
    full.flat_map(|(words, table)| [Block::heading(3, words), Block::Table(table)])
        .collect()
}

/// A line a filter: for reports that say no more of them.
pub fn filters(records: &Records) -> Vec<Block> {
    let about = records.subjects.iter().map(|s| {
        let name = Text::default().strong(&s.subject);
        name.plain(format!(": {}", s.about))
    });
    let heading = (!records.subjects.is_empty()).then(|| Block::heading(2, "The filters"));
    let list = Block::List(about.collect());
    heading.into_iter().chain([list]).collect()
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
    let denied = match subject.promises_no_false_negatives {
        _ if subject.kind != "filter" => "",
        true => "none",
        false => "possible",
    };
    for (name, value) in [
        ("Role", subject.role.as_str()),
        ("Theory", &subject.theory),
        ("Reproducible by seed", repeated),
        ("Seeds", &seeds(records, &subject.subject)),
        ("False negatives", denied),
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
        blocks.push(Block::heading(3, &row.title));
        for paragraph in row.analysis.split("\n\n").filter(|p| !p.trim().is_empty()) {
            let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
            blocks.push(Block::Paragraph(words.into()));
        }
    }
    if !blocks.is_empty() {
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
    Block::section(2, "How this was made", blocks)
}
