//! The document on a terminal, as JSON and as CSV.

use anyhow::Result;
use serde::Serialize;

use super::{figure, figure_or_dash, headline, judged, shown_and_same};
use crate::{
    columns::{self, ANSWER_SCHEMA, Table},
    number,
    terminal::{Screen, lines, paint},
};
use bouquet_ground::Outcome;
use bouquet_ground::line::clean;
use bouquet_ground::record::{GateDocument, standing};

/// Verdict first, then the tiers, then what changed.
pub fn table(document: &GateDocument, screen: Screen) -> String {
    let verdict = &document.verdict;
    let sentence = clean(&headline(verdict));
    let mut out = match judged(verdict) {
        Some(standing) => paint(&sentence, standing, screen),
        None => sentence,
    };
    out += "\n\n";
    for tier in &verdict.tiers {
        let numbers = format!(
            "{:>5} checks, {} failed, {} inconclusive, {} changed",
            number::count(tier.checks),
            number::count(tier.failed),
            number::count(tier.inconclusive),
            number::count(tier.changed)
        );
        let (name, word) = (tier.tier.name(), standing::word(tier.standing));
        let numbers = tier.standing.map_or("", |_| &numbers);
        out += &whole(&format!("{name:<12} {word:<13} {numbers}"), screen);
        if !tier.note.is_empty() {
            out += &whole(&format!("{:<12} {}", "", clean(&tier.note)), screen);
        }
    }
    let (shown, _) = shown_and_same(document);
    if !shown.is_empty() {
        out.push('\n');
    }
    for row in shown {
        let head = format!("{:<12}", row.standing.word());
        let note = match row.note.as_str() {
            "" => String::new(),
            note => format!("; {}", clean(note)),
        };
        out += &format!(
            "{} {}, {}: {} -> {}{}\n",
            paint(&head, row.standing, screen),
            clean(&row.subject),
            clean(&row.what),
            figure_or_dash(&row.baseline),
            figure_or_dash(&row.value),
            note
        );
    }
    out
}

/// A line as it is, or in several of as many characters as the screen has room for.
fn whole(line: &str, screen: Screen) -> String {
    match screen.width {
        Some(width) if line.chars().count() > width => {
            let words: Vec<&str> = line.split_whitespace().collect();
            lines(&words.join(" "), screen).join("\n") + "\n"
        }
        _ => format!("{line}\n"),
    }
}

/// The document in the shape that the JSON of every command has: the words of the verdict
/// and its tiers are its `judgement`.
///
/// Fails if a cell cannot be written.
pub fn json(document: &GateDocument) -> Result<String> {
    let mut whole = serde_json::to_value(document)?;
    let mut take = |name: &str| whole.as_object_mut().and_then(|all| all.remove(name));
    let (judgement, rows) = (take("verdict"), take("rows"));
    for own in ["$schema", "schema_version"] {
        take(own);
    }
    columns::json(&Answer {
        schema: ANSWER_SCHEMA,
        verdict: document.verdict.standing,
        judgement,
        document: whole,
        rows,
    })
}

#[derive(Serialize)]
struct Answer {
    schema: u32,
    verdict: Option<Outcome>,
    judgement: Option<serde_json::Value>,
    #[serde(flatten)]
    document: serde_json::Value,
    rows: Option<serde_json::Value>,
}

/// A line a row.
///
/// Fails if a cell cannot be written.
pub fn csv(document: &GateDocument) -> Result<String> {
    Table::answer(&document.rows)
        .column("tier", |row| row.tier.name())
        .column("subject", |row| &row.subject)
        .column("what", |row| &row.what)
        .column("setting", |row| &row.setting)
        .column("standing", |row| row.standing)
        .column("changed", |row| row.changed)
        .column("baseline", |row| row.baseline.as_ref().map(figure))
        .column("value", |row| row.value.as_ref().map(figure))
        .column("note", |row| &row.note)
        .table()
        .csv()
}
