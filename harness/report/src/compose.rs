//! All reports have one structure: verdict, summary table, charts, details, how it was made.

use super::document::{Block, Document, Table, Text};
use bouquet_record::line::clean;
use bouquet_record::{DatasetRow, Records, SubjectRow};

/// Adds the parts that all reports share: where to find which filter to use, and how the report was
/// made.
pub fn finish(mut document: Document, records: &Records) -> Document {
    let which = Text::from("Which filter to use: ")
        .code("bouquet recommend")
        .plain(" answers for a workload, the table of ")
        .link("crates/bouquet", "../../crates/bouquet/README.md")
        .plain(" in general.");
    if !records.subjects.is_empty() {
        document.blocks.push(Block::Paragraph(which));
    }
    document.details.extend(making(records));
    if records.is_interrupted() {
        document.title = format!("Interrupted: {}", document.title);
    }
    document
}

/// The filters, key sets and machine; the command; and the analysis of each experiment.
fn making(records: &Records) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (words, table) in [
        ("Filters and schemes", subjects(records)),
        ("Data sets", datasets(records)),
        ("Machine and run", facts(records)),
    ] {
        if !table.rows.is_empty() {
            blocks.extend([Block::heading(3, words), Block::Table(table)]);
        }
    }
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
    if blocks.is_empty() {
        return blocks;
    }
    let source = Text::from("Everything above is computed from the raw rows in ")
        .link("records", "records/")
        .plain(" by ")
        .code("bouquet report")
        .plain(". ")
        .link("METHODOLOGY.md", "../../harness/METHODOLOGY.md")
        .plain(" describes how each figure is made, ")
        .link("BIAS.md", "../../harness/BIAS.md")
        .plain(" what it cannot show.");
    blocks.insert(0, Block::heading(2, "How this was made"));
    blocks.push(Block::Paragraph(source));
    blocks
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
        .column("False negatives", promise)
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
    Table::of(&records.facts)
        .column("Fact", |(name, _)| name.replace('_', " "))
        .column("Value", |(_, value)| value)
        .table()
}
