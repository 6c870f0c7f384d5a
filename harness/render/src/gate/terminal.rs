//! The document on a terminal, as JSON and as CSV.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::Serialize;

use super::{figure, figure_or_dash, shown_and_same};
use crate::{
    columns::{self, ANSWER_SCHEMA, Table},
    number,
    terminal::{Screen, lines, paint},
};
use bouquet_ground::Outcome;
use bouquet_ground::line::clean;
use bouquet_ground::record::{Acceptance, Configuration, GateDocument, GateRow, GateVerdict, Keys};

/// Verdict first, then the tiers, then what changed.
pub fn table(document: &GateDocument, screen: Screen) -> String {
    let verdict = &document.verdict;
    let sentence = format!("{} {}", verdict.standing.mark(), clean(&verdict.sentence));
    let mut out = paint(&sentence, verdict.standing, screen) + "\n\n";
    for tier in &verdict.tiers {
        let line = format!(
            "{:<12} {:<13} {} checks, {} failed, {} inconclusive, {} changed",
            tier.tier.name(),
            tier.standing.word(),
            number::count(tier.checks),
            number::count(tier.failed),
            number::count(tier.inconclusive),
            number::count(tier.changed)
        );
        let all = lines(&line, screen);
        let note = lines(&clean(&tier.note), screen);
        for line in all
            .iter()
            .chain(note.iter().filter(|line| !line.is_empty()))
        {
            out += &format!("{line}\n");
        }
    }
    let (shown, _) = shown_and_same(document);
    if !shown.is_empty() {
        out.push('\n');
    }
    for row in shown {
        let head = format!("{:<12}", row.standing.word());
        let line = format!(
            "{}, {}: {} -> {}; {}",
            clean(&row.subject),
            clean(&row.what),
            figure_or_dash(&row.baseline),
            figure_or_dash(&row.value),
            clean(&row.note)
        );
        let line = line.trim_end_matches("; ");
        out += &format!("{} {line}\n", paint(&head, row.standing, screen));
    }
    out
}

/// The document in the shape that the JSON of every command has: the words of the verdict
/// and its tiers are its `judgement`.
///
/// Fails if a cell cannot be written.
pub fn json(document: &GateDocument) -> Result<String> {
    columns::json(&Answer {
        schema: ANSWER_SCHEMA,
        verdict: document.verdict.standing,
        judgement: &document.verdict,
        acceptance: &document.acceptance,
        run: &document.run,
        configuration: &document.configuration,
        keys: &document.keys,
        rows: &document.rows,
    })
}

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    verdict: Outcome,
    judgement: &'a GateVerdict,
    acceptance: &'a Option<Acceptance>,
    run: &'a BTreeMap<String, String>,
    configuration: &'a [Configuration],
    keys: &'a [Keys],
    rows: &'a [GateRow],
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
