//! What stands at the end of every report: key sets, machine, how it was made.

use super::document::{Block, Table, Text};
use bouquet_ground::line::clean;
use bouquet_ground::record::{DatasetRow, Records};

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

/// Where "which one" is answered.
pub fn which() -> Block {
    Block::Paragraph(
        Text::from("Which filter to use: ")
            .code("bouquet recommend")
            .plain(" answers for a workload, the table of ")
            .link("crates/bouquet", "../../crates/bouquet/README.md")
            .plain(" in general."),
    )
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
    let words = |(name, value): (&String, &String)| match name.as_str() {
        "duration_s" => ["duration".to_owned(), format!("{value} s")],
        name => [name.replace('_', " "), value.clone()],
    };
    let facts: Vec<[String; 2]> = records.facts.iter().map(words).collect();
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
            Text::from("How each figure is made is described in ")
                .link("METHODOLOGY.md", "../../harness/METHODOLOGY.md")
                .plain(", what it cannot show in ")
                .link("BIAS.md", "../../harness/BIAS.md")
                .plain(", both in the folder harness of the source."),
        ));
    }
    Block::section(2, "How this was made", blocks)
}
