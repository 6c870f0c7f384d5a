//! The report of `bouquet speed`, from its records alone.

mod charts;
pub mod score;
mod table;
pub mod threads;

use self::score::{Column, columns};
pub use self::table::plain;
use super::{
    document::{Block, Document, Table, Text},
    groups::distinct,
    judge::is_reported,
    markdown, number, page,
    terminal::Screen,
};
use bouquet_record::Outcome;
use bouquet_record::Records;

const GLANCE: &str = "The first filter, the two fastest of ours, the fastest of other crates and of \
    those without blocks, by single calls with 50 % hits. Bold is the fastest of all.";

/// The report; its outcome is a failure if one of Bouquet's filters failed.
pub fn document(records: &Records) -> (Outcome, Document) {
    let columns = columns(records);
    let outcome = Outcome::fails_if(!failures(records, false).is_empty());
    let title = outcome.headline(match outcome {
        Outcome::Fail => "filters of ours had false negatives or errors",
        _ => "no filter of ours had a false negative or an error",
    });
    let mut blocks = news(records);
    if let Some(column) = usual(&columns) {
        blocks.push(Block::Paragraph(column.title().into()));
        let table = table::times(&[(column, column.few())]);
        blocks.extend(Block::table("At a glance", GLANCE, table));
    }
    let rule = format!("Bold {}", table::RULE);
    let all: Vec<_> = columns.iter().map(Column::with_all).collect();
    let name = "Times of every filter, key and target";
    let mut details = Block::table(name, rule, table::times(&all));
    details.extend(Block::listed("Errors", failures(records, true)));
    let document = Document {
        title,
        blocks,
        figures: charts::all(records, &columns),
        details,
    };
    (outcome, document)
}

/// The column of the short table: integers if there are any, and of these the capacity nearest to
/// 10^6, which is common in practice and larger than the nearest caches hold.
fn usual<'c, 'a>(columns: &'c [Column<'a>]) -> Option<&'c Column<'a>> {
    let far = |column: &Column<'_>| column.capacity.abs_diff(1_000_000);
    let columns = columns.iter();
    columns.min_by_key(|column| (column.keys != "u64", far(column)))
}

/// What failed, and a warning about a debug build, whose times are meaningless.
fn news(records: &Records) -> Vec<Block> {
    let mut blocks = Block::listed("What failed", failures(records, false));
    if records.fact("build") == "debug" {
        let words = "Measured by a debug build: the times say nothing.";
        blocks.push(Block::Paragraph(Text::default().strong(words)));
    }
    blocks
}

/// The false negatives and errors of Bouquet's filters, or the errors of other crates.
fn failures(records: &Records, of_others: bool) -> Vec<Text> {
    let rows = records.times.iter();
    let own = rows.filter(|row| is_reported(records, &row.subject) == of_others);
    let mut lines = Vec::new();
    for name in distinct(own.clone().map(|row| &row.subject)) {
        let rows = own.clone().filter(|row| row.subject == *name);
        let missing: u64 = rows.clone().map(|row| row.false_negatives).sum();
        let line = |words: String| Text::default().strong(name).plain(format!(": {words}"));
        if missing > 0 && !of_others {
            let missing = number::count(missing);
            lines.push(line(format!("false negatives for {missing} of its keys")));
        }
        let error = rows.map(|row| &row.error).find(|error| !error.is_empty());
        lines.extend(error.cloned().map(line));
    }
    lines
}

/// All tables, each with the words above it.
fn tables(records: &Records) -> Vec<(String, Table)> {
    let columns = columns(records);
    let columns = columns.iter();
    let tables = columns.map(|column| (column.title(), table::times(&[column.with_all()])));
    let words = "Millions of keys per second of one filter shared by one thread and by two.";
    let threads = (words.to_owned(), threads::table(records));
    let tables = tables.chain([threads]);
    tables.filter(|(_, table)| !table.rows.is_empty()).collect()
}

/// The tables for a terminal, where a star marks bold numbers.
pub fn summary(records: &Records, screen: Screen) -> String {
    let mut blocks = news(records);
    for (words, table) in tables(records) {
        blocks.extend([Block::Paragraph(words.into()), Block::Table(table)]);
    }
    blocks.push(Block::Paragraph(format!("* {}", table::RULE).into()));
    page::text(&blocks, screen)
}

/// The tables in Markdown, to be inserted into another page.
pub fn markdown_tables(records: &Records) -> String {
    let tables = tables(records);
    let parts = tables
        .iter()
        .map(|(words, table)| markdown::titled(words, table));
    number::joined(parts, "\n")
}

/// The summary for the README, in Markdown: a few filters on integers, at a capacity beyond the
/// nearest caches.
pub fn headline_tables(records: &Records) -> String {
    let columns = columns(records);
    usual(&columns).map_or_else(String::new, |column| {
        let words = format!("{} Bold is the fastest.", column.title());
        markdown::titled(&words, &table::times(&[(column, column.few())]))
    })
}
