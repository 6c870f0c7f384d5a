//! The report of `bouquet speed`, made only from the records of the run.

mod charts;
pub mod score;

pub use self::charts::by_size;
use self::score::{Column, Entrant, MEASURED, Score, Shared, columns, nanoseconds, shared};
use super::{
    document::{Block, Document, Table, Text},
    groups::grouped,
    judge::is_reported,
    markdown, number,
    terminal::{self, Screen},
};
use bouquet_record::{Outcome, Records};

const GLANCE: &str = "The first filter, the two fastest of ours, the fastest of other crates and of \
    those without blocks, by single calls with 50 % hits. Bold is the fastest of all.";

const RULE: &str = "is the fastest of a column among the filters that may be compared: updatable, \
     no key rejected, an FPR not significantly above 1.05 times the target.";

/// Makes the report. The outcome fails if one of Bouquet's filters has false negatives or errors.
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
        let few = table(&[(column, column.few())]);
        blocks.extend(Block::table("At a glance", GLANCE, few));
    }
    let rule = format!("Bold {RULE}");
    let name = "Times of every filter, key and target";
    let mut details = Block::table(name, rule, times(&columns));
    details.extend(Block::listed("Errors", failures(records, true)));
    let document = Document {
        title,
        blocks,
        figures: charts::all(records, &columns),
        details,
        ..Document::default()
    };
    (outcome, document)
}

fn times(columns: &[Column<'_>]) -> Table {
    let columns = columns.iter();
    let all = columns.map(|column| (column, column.scores.iter().collect()));
    table(&all.collect::<Vec<_>>())
}

/// The results that the short table shows: those for integer keys, if any, at the capacity nearest
/// to 10^6. This size is common, and a filter of this size does not fit into the L1 cache.
fn usual<'c, 'a>(columns: &'c [Column<'a>]) -> Option<&'c Column<'a>> {
    let far = |column: &Column<'_>| column.capacity.abs_diff(1_000_000);
    let columns = columns.iter();
    columns.min_by_key(|column| (column.keys != "u64", far(column)))
}

/// A list of what failed, and a warning if a debug build was measured: its times are meaningless.
fn news(records: &Records) -> Vec<Block> {
    let mut blocks = Block::listed("What failed", failures(records, false));
    if records.fact("build") == "debug" {
        let words = "Measured by a debug build: the times say nothing.";
        blocks.push(Block::Paragraph(Text::default().strong(words)));
    }
    blocks
}

/// Sentences on the false negatives and errors of Bouquet's filters, or only on the errors of the
/// filters of other crates.
fn failures(records: &Records, of_others: bool) -> Vec<Text> {
    let rows = records.times.iter();
    let own = rows.filter(|row| is_reported(records, &row.subject) == of_others);
    let mut lines = Vec::new();
    for (name, rows) in grouped(own, |row| &row.subject) {
        let line = |words: &str| Text::default().strong(name).plain(format!(": {words}"));
        let missing: u64 = rows.iter().map(|row| row.false_negatives).sum();
        if missing > 0 && !of_others {
            let missing = number::count(missing);
            lines.push(line(&format!("false negatives for {missing} of its keys")));
        }
        let error = rows.iter().find(|row| !row.error.is_empty());
        lines.extend(error.map(|row| line(&row.error)));
    }
    lines
}

/// All tables, each with a sentence to show above it.
fn tables(records: &Records) -> Vec<(String, Table)> {
    let columns = columns(records);
    let columns = columns.chunks(1);
    let tables = columns.map(|column| (column[0].title(), times(column)));
    let words = "Millions of keys per second of one filter shared by one thread and by two.";
    let tables = tables.chain([(words.to_owned(), threads(records))]);
    tables.filter(|(_, table)| !table.rows.is_empty()).collect()
}

/// The tables for a terminal, where a star marks the numbers that a page shows in bold.
pub fn summary(records: &Records, screen: Screen) -> String {
    let mut blocks = news(records);
    for (words, table) in tables(records) {
        blocks.extend([Block::Paragraph(words.into()), Block::Table(table)]);
    }
    blocks.push(Block::Paragraph(format!("* {RULE}").into()));
    terminal::text(&blocks, screen)
}

/// The tables in Markdown, to be inserted into another page.
pub fn markdown_tables(records: &Records) -> String {
    let tables = tables(records).into_iter();
    let parts = tables.map(|(words, table)| markdown::titled(&words, &table));
    number::joined(parts, "\n")
}

/// The operations of the README's table: the latency of hits is the last.
const HEADLINE: usize = 5;

/// The summary for the README, in Markdown: the times of a few filters, for integer keys and a
/// capacity near 10^6 if these were measured.
pub fn headline_tables(records: &Records) -> String {
    usual(&columns(records)).map_or_else(String::new, |column| {
        let words = format!("{} Bold is the fastest.", column.title());
        markdown::titled(&words, &table_of(&[(column, column.few())], HEADLINE))
    })
}

fn table(columns: &[(&Column<'_>, Vec<&Score<'_>>)]) -> Table {
    table_of(columns, MEASURED.len())
}

/// A table with one row per filter, and another row for the filter in batches, of the first
/// `operations` of [`MEASURED`]. An operation that older records do not have has no column. If
/// `columns` has several elements, each row also has the kind of key, the capacity and the target
/// FPR.
fn table_of(columns: &[(&Column<'_>, Vec<&Score<'_>>)], operations: usize) -> Table {
    let rows = columns.iter().flat_map(|(column, scores)| {
        let best = |at| column.fastest(at).first().map(|score| score.name);
        let best: [Option<Entrant<'_>>; MEASURED.len()] = std::array::from_fn(best);
        scores.iter().map(move |score| (*column, *score, best))
    });
    let mut table = Table::of(rows);
    if columns.len() > 1 {
        let target = |column: &Column<'_>| number::share(column.target_fpr, 3);
        table = table
            .column("Keys", |(column, ..)| column.keys)
            .column("#Capacity", |(column, ..)| column.capacity)
            .column("#Target", |(column, ..)| target(column));
    }
    table = table.column("Filter", |(_, score, _)| score.name.label());
    let is_measured = |at: usize| {
        let mut scores = columns.iter().flat_map(|(_, scores)| scores);
        scores.any(|score| score.net[at].1.is_some())
    };
    let measured = MEASURED.into_iter().enumerate().take(operations);
    for (at, (_, heading)) in measured.filter(|(at, _)| is_measured(*at)) {
        table = table.column(heading, |(_, score, best)| {
            let words = nanoseconds(score.net[at].1?.value);
            Some(match best[at] == Some(score.name) {
                true => Text::default().strong(words),
                false => words.into(),
            })
        });
    }
    let bits = |score: &Score<'_>| score.bits_per_key.map(|bits| number::decimal(bits, 2));
    table
        .column("#Bits per key", |(_, score, _)| bits(score))
        .column("#FPR", |(_, score, _)| score.fpr.map(|fpr| fpr.in_short()))
        .table()
}

/// A table of unformatted numbers; rates are fractions of 1. It has one row per filter and
/// operation, separately for single calls and for batches.
pub fn plain(records: &Records) -> Table {
    let way = ["one by one", "batch"];
    let columns = columns(records);
    let scores = columns.iter().flat_map(|column| {
        let scores = column.scores.iter();
        scores.flat_map(move |score| (0..MEASURED.len()).map(move |at| (column, score, at)))
    });
    Table::of(scores.filter(|(_, score, at)| score.net[*at].1.is_some()))
        .column("keys", |(column, ..)| column.keys)
        .column("capacity", |(column, ..)| column.capacity)
        .column("target_fpr", |(column, ..)| column.target_fpr)
        .column("filter", |(_, score, _)| score.name.filter)
        .column("way", |(_, score, _)| way[usize::from(score.name.is_batch)])
        .column("role", |(_, score, _)| score.role)
        .column("operation", |(.., at)| MEASURED[at].0)
        .column("repetitions", |(_, score, at)| score.net[at].0)
        .with_interval(
            ["net_ns_per_key", "net_low", "net_high"],
            |(_, score, at)| score.net[at].1,
        )
        .column("bits_per_key", |(_, score, _)| score.bits_per_key)
        .with_interval(
            ["measured_fpr", "measured_fpr_low", "measured_fpr_high"],
            |(_, score, _)| score.fpr,
        )
        .column("may_be_compared", |(_, score, _)| score.competes)
        .table()
}

/// The throughput of filters that threads share. The table has one row per capacity and filter, and
/// one column per operation and number of threads.
fn threads(records: &Records) -> Table {
    let all = shared(records);
    let rate = |shared: &Shared<'_>, operation, threads| {
        let rate = shared.rate(operation, threads);
        rate.map(|rate| number::decimal(rate.value, 1))
    };
    let mut table = Table::of(&all)
        .column("#Keys", |shared| shared.capacity)
        .column("Filter", |shared| shared.name.label());
    for (operation, heading) in [
        ("insert", "#Insert, 1"),
        ("hit", "#Hit, 1"),
        ("miss", "#Miss, 1"),
    ] {
        table = table
            .column(heading, |shared| rate(shared, operation, 1))
            .column("#2", |shared| rate(shared, operation, 2));
    }
    table.table()
}
