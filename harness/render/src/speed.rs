//! The report of `bouquet speed`, from its records alone.

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

/// The report; its outcome is a failure if one of Bouquet's filters failed.
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

/// The column that the headline uses: integers if there are any, and of these the capacity nearest
/// to 10^6, which is common in practice and larger than the nearest caches hold.
fn usual<'c, 'a>(columns: &'c [Column<'a>]) -> Option<&'c Column<'a>> {
    let far = |column: &Column<'_>| column.capacity.abs_diff(1_000_000);
    let columns = columns.iter();
    columns.min_by_key(|column| (column.keys != "u64", far(column)))
}

/// The fastest filters of a column, and the time that memory allows.
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

/// A warning about debug builds, whose times are meaningless.
fn warning(records: &Records) -> Option<&'static str> {
    let is_debug = records.fact("build") == "debug";
    is_debug.then_some("Measured by a debug build: the times say nothing.")
}

/// The failures of Bouquet's filters: false negatives and errors, which release builds check too.
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

/// The errors of peers, each listed once.
fn errors(records: &Records) -> Vec<Text> {
    let failed = records.times.iter().filter(|row| !row.error.is_empty());
    let of_peers = failed.filter(|row| is_reported(records, &row.subject));
    let line = |(filter, error)| Text::default().strong(filter).plain(format!(": {error}"));
    let seen = distinct(of_peers.map(|row| (&row.subject, &row.error)));
    seen.into_iter().map(line).collect()
}

/// All tables, each with the words above it.
fn tables(records: &Records) -> Vec<(String, Table)> {
    let table = |column: &Column<'_>| {
        let words = format!("{}. {}", title(column), table::roofline_words(column));
        (words, table::times(column))
    };
    let mut tables: Vec<_> = columns(records).iter().map(table).collect();
    tables.extend(threads::tables(records));
    tables
}

/// The tables for a terminal, where a star marks bold numbers.
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

/// The tables in Markdown, to be inserted into another page.
pub fn markdown_tables(records: &Records) -> String {
    let tables = tables(records);
    let parts = tables
        .iter()
        .map(|(words, table)| markdown::titled(words, table));
    number::joined(parts, "\n")
}

/// The summary for the README, in Markdown: the fastest filters on integers, at a capacity beyond
/// the nearest caches.
pub fn headline_tables(records: &Records) -> String {
    let columns = columns(records);
    usual(&columns).map_or_else(String::new, |column| {
        let words = format!("{} Bold is the fastest.", headline(column));
        markdown::titled(&words, &table::short(column))
    })
}
