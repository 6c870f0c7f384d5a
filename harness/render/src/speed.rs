//! The report of speed, from its records alone.

mod charts;
pub mod score;
mod table;
pub mod threads;

use self::score::{Column, HALF, Score, columns};
pub use self::table::plain;
use super::{
    document::{Block, Document, Table, Text},
    groups::distinct,
    judge::is_reported,
    markdown, number,
    terminal::{self, Screen},
};
use bouquet_ground::Outcome;
use bouquet_ground::record::Records;

const GLANCE: &str = "The first filter, the two fastest others of ours one key at a time, the fastest \
    of other crates and of those without blocks, then ours in batches. Bold is the fastest of all.";

/// Fails if one of ours did.
pub fn document(records: &Records) -> (Outcome, Document) {
    let columns = columns(records);
    let failures = failures(records);
    let outcome = Outcome::fails_if(!failures.is_empty());
    let title = outcome.headline(match outcome {
        Outcome::Fail => "filters of ours had false negatives or errors",
        _ => "no filter of ours had a false negative or an error",
    });
    let mut blocks = Block::listed("What failed", failures);
    if let Some(words) = warning(records) {
        blocks.push(Block::Paragraph(Text::default().strong(words)));
    }
    if let Some(column) = usual(&columns) {
        blocks.push(Block::Paragraph(headline(column).into()));
        blocks.extend(Block::table("At a glance", GLANCE, table::short(column)));
    }
    let rule = format!("Bold {}", table::RULE);
    let mut details = Block::table(
        "Times of every filter, key and target",
        rule,
        table::all(&columns),
    );
    details.extend(Block::listed("Errors", errors(records)));
    let document = Document {
        title,
        blocks,
        figures: charts::all(records, &columns),
        details,
    };
    (outcome, document)
}

/// The column that stands for all: integers where there are any, and of them the most usual
/// number. What is in no cache is where filters differ most, and 10^6 keys is usual.
fn usual<'c, 'a>(columns: &'c [Column<'a>]) -> Option<&'c Column<'a>> {
    let far = |column: &Column<'_>| column.capacity.abs_diff(1_000_000);
    let columns = columns.iter();
    columns.min_by_key(|column| (column.keys != "u64", far(column)))
}

/// The fastest of a column, and what memory allows.
fn headline(column: &Column<'_>) -> String {
    let fastest = [
        ("ours, one key at a time", "ours", false),
        ("ours, in batches", "ours", true),
        ("another crate", "peer", false),
    ];
    let fastest = fastest.iter().filter_map(|(whose, role, is_batch)| {
        let is_one = |of: &Score<'_>| of.role == *role && of.name.is_batch == *is_batch;
        let best = column.best(HALF, is_one)?;
        let ns = number::decimal(best.middle(HALF)?.value, 1);
        Some(format!("{} {ns} ns ({whose})", best.name.filter))
    });
    let fastest = match number::joined(fastest, ", ").as_str() {
        "" => String::new(),
        fastest => format!(" Fastest lookup with 50 % hits: {fastest}."),
    };
    format!(
        "{}.{fastest} {}",
        title(column),
        table::roofline_words(column)
    )
}

pub fn title(column: &Column<'_>) -> String {
    format!(
        "{} keys of kind {}, target {}",
        number::count(column.capacity),
        column.keys,
        number::share(column.target_fpr, 3)
    )
}

/// A debug build measures only in tests.
fn warning(records: &Records) -> Option<&'static str> {
    let is_debug = records.fact("build") == "debug";
    is_debug.then_some("Measured by a debug build: the times say nothing.")
}

/// What must not be, in release builds too: a false negative or an error of a
/// filter of ours.
fn failures(records: &Records) -> Vec<Text> {
    let mut lines = Vec::new();
    for subject in &records.subjects {
        let rows = records.times.iter();
        let own = rows.filter(|row| row.subject == subject.subject);
        let missing: u64 = own.clone().map(|row| row.false_negatives).sum();
        let name = Text::default().strong(&subject.subject);
        if !subject.promises_no_false_negatives {
            continue;
        }
        if missing > 0 {
            let missing = number::count(missing);
            let words = format!(": false negatives for {missing} of its keys");
            lines.push(name.clone().plain(words));
        }
        let error = own.map(|row| &row.error).find(|error| !error.is_empty());
        lines.extend(error.map(|error| name.plain(format!(": {error}"))));
    }
    lines
}

/// Each error of a peer once.
fn errors(records: &Records) -> Vec<Text> {
    let failed = records.times.iter().filter(|row| !row.error.is_empty());
    let of_peers = failed.filter(|row| is_reported(records, &row.subject));
    let line = |(filter, error)| Text::default().strong(filter).plain(format!(": {error}"));
    let seen = distinct(of_peers.map(|row| (&row.subject, &row.error)));
    seen.into_iter().map(line).collect()
}

/// All tables, each with words above it.
fn tables(records: &Records) -> Vec<(String, Table)> {
    let table = |column: &Column<'_>| {
        let words = format!("{}. {}", title(column), table::roofline_words(column));
        (words, table::times(column))
    };
    let mut tables: Vec<_> = columns(records).iter().map(table).collect();
    tables.extend(threads::tables(records));
    tables
}

/// The tables for a terminal, where a star stands for bold.
pub fn summary(records: &Records, screen: Screen) -> String {
    let mut out = String::new();
    for words in failures(records) {
        out += &format!("fail: {}\n\n", words.words());
    }
    if let Some(words) = warning(records) {
        out += &format!("{words}\n\n");
    }
    for (words, table) in tables(records) {
        let lines = terminal::lines(&words, screen).join("\n");
        let table = terminal::table(&table.starred(), screen);
        out += &format!("{lines}\n\n{table}\n");
    }
    out + "* " + table::RULE + "\n"
}

/// The tables in Markdown, fit to be put into another page.
pub fn markdown_tables(records: &Records) -> String {
    let tables = tables(records);
    let parts = tables
        .iter()
        .map(|(words, table)| markdown::titled(words, table));
    number::joined(parts, "\n")
}

/// What a reader of the README wants to know, in Markdown: the fastest filters on integers that
/// the nearest caches do not hold.
pub fn headline_tables(records: &Records) -> String {
    let columns = columns(records);
    usual(&columns).map_or_else(String::new, |column| {
        let words = format!("{} Bold is the fastest.", headline(column));
        markdown::titled(&words, &table::short(column))
    })
}
