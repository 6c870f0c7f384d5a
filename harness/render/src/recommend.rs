//! An answer of `bouquet recommend`, in words, tables and a picture.

mod chart;

use std::path::Path;

use anyhow::Result;

use super::{
    document::{Block, Document, Table, Text},
    markdown, number, terminal,
};
use bouquet_ground::record::{CandidateRow, Recommendation, Records};
use bouquet_ground::units::{bytes, time};

/// Writes the report into its folder, beside its records.
///
/// Fails if the picture cannot be drawn or a file cannot be written.
pub fn write_report(answer: &Recommendation, about: &Records, folder: &Path) -> Result<()> {
    super::write_document(&document(answer)?, about, folder)
}

/// The answer for programs.
pub fn json(answer: &Recommendation) -> Result<String> {
    Ok(serde_json::to_string_pretty(answer)? + "\n")
}

/// The report in Markdown.
pub fn markdown(answer: &Recommendation) -> Result<String> {
    let mut document = document(answer)?;
    // The picture is a file of a report.
    document
        .blocks
        .retain(|block| !matches!(block, Block::Figure(_)));
    Ok(markdown::document(&document))
}

fn document(answer: &Recommendation) -> Result<Document> {
    let heading = |words: &str| Block::Heading(2, words.into());
    let mut blocks = vec![
        Block::Paragraph(Text::default().strong(answer.reason.as_str())),
        Block::Paragraph(answer.runner_up_reason.as_str().into()),
        Block::List(notes(answer).map(Text::from).collect()),
        heading("Candidates"),
        Block::Table(candidates(answer)),
    ];
    let rejected = rejected(answer);
    if !rejected.rows.is_empty() {
        blocks.extend([heading("Rejected"), Block::Table(rejected)]);
    }
    blocks.extend([
        heading("What a lookup costs"),
        Block::Figure(Box::new(chart::figure(answer)?)),
        Block::Table(envelope(answer)),
        heading("With more keys"),
        Block::Table(sensitivity(answer)),
        heading("The code"),
        Block::Code(code(answer)),
        heading("What was assumed"),
        Block::Table(assumed(answer)),
    ]);
    Ok(Document {
        title: format!(
            "{} for {} keys",
            answer.choice,
            number::count(answer.capacity)
        ),
        blocks,
    })
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
pub fn text(answer: &Recommendation) -> String {
    let mut out = format!("{}\n\n{}\n", answer.reason, answer.runner_up_reason);
    for note in notes(answer) {
        out += &format!("\n{note}\n");
    }
    for (name, table) in [
        ("Candidates, by what a lookup costs", candidates(answer)),
        ("Rejected", rejected(answer)),
        (
            "The least cost, by the cost of the work behind",
            envelope(answer),
        ),
        (
            "The choice with more keys than it was made for",
            sensitivity(answer),
        ),
        ("What was not said", assumed(answer)),
    ] {
        if !table.rows.is_empty() {
            out += &format!("\n{name}\n\n{}", terminal::table(&table));
        }
    }
    format!("{out}\n{}", code(answer))
}

fn optional(value: Option<f64>, words: impl Fn(f64) -> String) -> Text {
    value.map_or_else(|| "–".into(), words).into()
}

fn candidates(answer: &Recommendation) -> Table {
    let mut table = Table::new(&[
        "Candidate",
        "",
        "#Bits per key",
        "#FPR",
        "#Hit, ns",
        "#Miss, ns",
        "#Build",
        "#Memory",
        "#A lookup loses",
    ]);
    let possible = answer
        .candidates
        .iter()
        .filter(|row| row.outcome != "rejected");
    for row in possible {
        let is_close = answer.too_close.contains(&row.candidate);
        let outcome = match row.outcome.as_str() {
            "possible" if is_close => "too close to call",
            "possible" => "",
            "runner-up" if is_close => "runner-up, too close to call",
            other => other,
        };
        table.row([
            row.candidate.as_str().into(),
            outcome.into(),
            optional(row.bits_per_key, |bits| number::decimal(bits, 2)),
            optional(row.expected_fpr, |fpr| {
                if fpr == 0.0 {
                    "0, exact".into()
                } else {
                    number::share(fpr, 3)
                }
            }),
            optional(row.hit_ns, |ns| number::decimal(ns, 1)),
            optional(row.miss_ns, |ns| number::decimal(ns, 1)),
            optional(row.build_s, |seconds| time(seconds * 1e9)),
            optional(row.memory_bytes, bytes),
            optional(row.overhead_ns, time),
        ]);
    }
    table
}

fn rejected(answer: &Recommendation) -> Table {
    let mut table = Table::new(&["Candidate", "Why not"]);
    let out = |row: &&CandidateRow| row.outcome == "rejected";
    for row in answer.candidates.iter().filter(out) {
        table.row([row.candidate.as_str().into(), row.reasons.as_str().into()]);
    }
    table
}

fn envelope(answer: &Recommendation) -> Table {
    let mut table = Table::new(&[
        "#Work from",
        "#to",
        "Least cost",
        "#Bits per key",
        "Too close to call",
    ]);
    for row in &answer.envelope {
        let bits =
            [row.bits_per_key_from, row.bits_per_key_to].map(|bits| number::decimal(bits, 1));
        let bits = if bits[0] == bits[1] {
            bits[0].clone()
        } else {
            bits.join(" to ")
        };
        table.row([
            time(row.from_ns).into(),
            time(row.to_ns).into(),
            row.candidate.as_str().into(),
            bits.into(),
            row.too_close.as_str().into(),
        ]);
    }
    table
}

fn sensitivity(answer: &Recommendation) -> Table {
    let mut table = Table::new(&[
        "#Times the keys",
        "#FPR",
        "#A lookup loses",
        "Least cost then",
    ]);
    for row in &answer.sensitivity {
        table.row([
            number::significant(row.times_the_keys, 3).into(),
            row.expected_fpr
                .map_or_else(|| "refuses keys".into(), |fpr| number::share(fpr, 3))
                .into(),
            optional(row.overhead_ns, time),
            row.best.as_str().into(),
        ]);
    }
    table
}

fn assumed(answer: &Recommendation) -> Table {
    let mut table = Table::new(&["Flag", "Value", "Whence"]);
    for row in &answer.assumed {
        let cells = [&row.flag, &row.value, &row.whence];
        table.row(cells.map(|cell| cell.as_str().into()));
    }
    table
}
