//! An answer of `bouquet recommend`, in words, tables and a chart.

mod chart;
mod choice;

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::{
    columns::{self, ANSWER_SCHEMA},
    document::{Block, Document, Table, Text},
    folder::write_document,
    markdown, number, sections,
    terminal::{self, Screen},
};
use bouquet_ground::record::{CandidateRow, EnvelopeRow, Recommendation, Records};
use bouquet_ground::units::{bytes, time};

/// Writes the report into its folder, beside its records.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, folder: &Path) -> Result<()> {
    let mut document = document(&records.answer);
    let details = sections::grounds(records);
    document
        .blocks
        .extend(Block::section(2, "Details", details));
    document.blocks.extend(sections::making(records));
    write_document(document, records, folder)
}

/// The answer for programs.
pub fn json(answer: &Recommendation) -> Result<String> {
    columns::json(&Answer {
        schema: ANSWER_SCHEMA,
        verdict: (),
        answer,
    })
}

/// In the shape that the JSON of every command has; advice has no verdict.
#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    verdict: (),
    #[serde(flatten)]
    answer: &'a Recommendation,
}

/// The report in Markdown.
pub fn markdown(answer: &Recommendation) -> String {
    let mut document = document(answer);
    // The chart is a file of a report.
    document
        .blocks
        .retain(|block| !matches!(block, Block::Figure(_)));
    markdown::document(&document)
}

fn document(answer: &Recommendation) -> Document {
    let heading = |words| Block::heading(2, words);
    let mut blocks = vec![
        Block::Paragraph(Text::default().strong(answer.reason.as_str())),
        Block::Paragraph(answer.runner_up_reason.as_str().into()),
        Block::List(notes(answer).map(Text::from).collect()),
        heading("Candidates"),
        Block::Table(candidates(answer)),
    ];
    blocks.extend(choice::choices(answer));
    blocks.extend([
        heading("Expected cost per lookup"),
        chart::figure(answer).into(),
        Block::Table(envelope(answer)),
    ]);
    let rejected = rejected(answer);
    if !rejected.rows.is_empty() {
        blocks.extend([heading("Rejected"), Block::Table(rejected)]);
    }
    blocks.extend([
        heading("With more keys"),
        Block::Table(sensitivity(answer)),
        heading("The code"),
        Block::Code(code(answer)),
        heading("What was assumed"),
        Block::Table(assumed(answer)),
    ]);
    let capacity = number::count(answer.capacity);
    Document {
        title: format!("{} for {capacity} keys", answer.choice),
        blocks,
    }
}

fn notes(answer: &Recommendation) -> impl Iterator<Item = &str> {
    let notes = answer.notes.iter().map(String::as_str);
    notes.chain([answer.times.as_str()])
}

fn code(answer: &Recommendation) -> String {
    if answer.cargo_toml.is_empty() {
        return answer.rust.clone();
    }
    format!(
        "# Cargo.toml\n[dependencies]\n{}\n// src/main.rs\n{}",
        answer.cargo_toml, answer.rust
    )
}

/// The answer for a terminal.
pub fn text(answer: &Recommendation, screen: Screen) -> String {
    let mut out = format!("{}\n\n{}\n", answer.reason, answer.runner_up_reason);
    for note in notes(answer) {
        out += &format!("\n{note}\n");
    }
    for (name, table) in [
        (
            "Candidates, by expected cost per lookup",
            candidates(answer).renamed("", "Outcome"),
        ),
        ("Rejected", rejected(answer)),
        (
            "The least cost, by the cost of a backing lookup",
            envelope(answer),
        ),
        (
            "The choice with more keys than it was sized for",
            sensitivity(answer),
        ),
        ("Defaults assumed", assumed(answer)),
    ] {
        if !table.rows.is_empty() {
            out += &format!("\n{name}\n\n{}", terminal::table(&table, screen));
        }
    }
    format!("{out}\n{}", code(answer))
}

fn candidates(answer: &Recommendation) -> Table {
    let outcome = |row: &CandidateRow| {
        let is_close = answer.too_close.contains(&row.candidate);
        match row.outcome.as_str() {
            "possible" if is_close => "too close to call",
            "possible" => "",
            "runner-up" if is_close => "runner-up, too close to call",
            other => other,
        }
        .to_owned()
    };
    let exact = |fpr| match fpr {
        0.0 => "0, exact".into(),
        fpr => number::share(fpr, 3),
    };
    let two = |x| number::decimal(x, 2);
    let ns = |ns: Option<f64>| ns.map(|ns| number::decimal(ns, 1));
    let possible = |row: &&CandidateRow| row.outcome != "rejected";
    Table::of(answer.candidates.iter().filter(possible))
        .column("Candidate", |row| &row.candidate)
        .column("", outcome)
        .kept(4)
        .column("#Bits per key", |row| row.bits_per_key.map(two))
        .kept(2)
        .column("#FPR", |row| row.expected_fpr.map(exact))
        .kept(3)
        .column("#Hit, ns", |row| ns(row.hit_ns))
        .column("#Miss, ns", |row| ns(row.miss_ns))
        .column("#Build", |row| row.build_s.map(|s| time(s * 1e9)))
        .column("#Memory", |row| row.memory_bytes.map(bytes))
        .kept(1)
        .column("#Expected cost per lookup", |row| row.overhead_ns.map(time))
        .kept(5)
        .table()
}

fn rejected(answer: &Recommendation) -> Table {
    let out = |row: &&CandidateRow| row.outcome == "rejected";
    Table::of(answer.candidates.iter().filter(out))
        .column("Candidate", |row| &row.candidate)
        .column("Why not", |row| &row.reasons)
        .table()
}

fn envelope(answer: &Recommendation) -> Table {
    let bits = |row: &EnvelopeRow| {
        let ends = [row.bits_per_key_from, row.bits_per_key_to];
        let [from, to] = ends.map(|bits| number::decimal(bits, 1));
        if from == to {
            from
        } else {
            format!("{from} to {to}")
        }
    };
    Table::of(&answer.envelope)
        .column("#Work from", |row| time(row.from_ns))
        .column("#to", |row| time(row.to_ns))
        .column("Least cost", |row| &row.candidate)
        .column("#Bits per key", bits)
        .column("Too close to call", |row| &row.too_close)
        .table()
}

fn sensitivity(answer: &Recommendation) -> Table {
    Table::of(&answer.sensitivity)
        .column("#Times the keys", |row| {
            number::significant(row.times_the_keys, 3)
        })
        .column("#FPR", |row| {
            row.expected_fpr
                .map_or_else(|| "rejects keys".into(), |fpr| number::share(fpr, 3))
        })
        .column("#Expected cost per lookup", |row| row.overhead_ns.map(time))
        .column("Least cost then", |row| &row.best)
        .table()
}

fn assumed(answer: &Recommendation) -> Table {
    Table::of(&answer.assumed)
        .column("Flag", |row| &row.flag)
        .column("Value", |row| &row.value)
        .column("Source", |row| &row.source)
        .table()
}
