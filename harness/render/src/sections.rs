//! The details of a report, and how it was made.

use super::{
    document::{Block, Table, Text},
    judge::{Judgement, Point},
    number,
};
use crate::terminal::clean;
use bouquet_ground::record::{Records, SubjectRow};

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

fn heading(level: u8, words: &str) -> Block {
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
    let mut table = Table::new(&[
        "Sweep",
        "#x",
        "#Capacity, keys",
        "#m, bits",
        "#k",
        "#Allocated, bytes",
        "#FPR expected",
    ]);
    let mut seen = Vec::new();
    for point in points {
        let key = (
            &point.sweep,
            point.x.to_bits(),
            point.capacity,
            point.size_bits,
        );
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let cells = [
            point.sweep.clone(),
            number::significant(point.x, 4),
            number::count(point.capacity),
            number::count(point.size_bits),
            if point.hashes == 0 {
                "–".to_owned()
            } else {
                point.hashes.to_string()
            },
            number::count(point.memory_bytes),
            number::share(point.expected_fpr, 4),
        ];
        table.row(cells.map(Text::from));
    }
    table
}

fn datasets(records: &Records) -> Table {
    let mut table = Table::new(&[
        "Data set",
        "About",
        "#Keys",
        "#Duplicates left out",
        "#Bytes of keys",
        "SHA-256 or generator",
    ]);
    for row in &records.datasets {
        let source = if row.sha256.is_empty() {
            &row.generator
        } else {
            &row.sha256
        };
        table.row([
            row.dataset.clone().into(),
            row.about.clone().into(),
            number::count(row.keys).into(),
            number::count(row.duplicates_dropped).into(),
            number::count(row.key_bytes).into(),
            Text::default().code(source.clone()),
        ]);
    }
    table
}

fn facts(records: &Records) -> Table {
    let mut table = Table::new(&["Fact", "Value"]);
    for row in &records.run {
        let (name, unit) = match row.name.as_str() {
            "duration_s" => ("duration", " s"),
            "memory_mb" => ("memory", " MB"),
            name => (name, ""),
        };
        table.row([
            name.replace('_', " ").into(),
            format!("{}{unit}", row.value).into(),
        ]);
    }
    table
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
