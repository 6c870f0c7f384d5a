//! The document in Markdown: verdict first, what changed, the rest folded, and
//! never more than there is room for.

use super::{figure_or_dash, shown_and_same};
use crate::markdown::{escape, unlinked};
use crate::number;
use bouquet_ground::record::{GateDocument, GateRow};

/// The bytes of a page: GitHub rejects a step summary of more than 1 MiB.
pub const SUMMARY: usize = (1 << 20) - 1;
/// A comment has 65,536 characters at most; a character is a byte or more.
pub const COMMENT: usize = (1 << 16) - 1;
/// Of the page beside a baseline, which is read at a repository: the figures are beside it.
const BASELINE: usize = 10_000;

/// What stands below the rows.
const TAIL: usize = 4_000;
/// The most that a cell shows.
const CELL: usize = 300;

/// The page for a comment, with a first line that nobody sees and by which a
/// later run finds the comment of the same tiers.
pub fn comment(document: &GateDocument) -> String {
    let tiers = document.verdict.tiers.iter();
    let names = number::joined(tiers.map(|tier| tier.tier.name()), ", ");
    let marker = format!("<!-- bouquet gate: {names} -->\n");
    let room = COMMENT - marker.len();
    marker + &page(document, room)
}

/// The page beside a baseline.
pub fn baseline(document: &GateDocument) -> String {
    let reason = document.acceptance.as_ref().map_or("", |by| &by.reason);
    let head = format!(
        "# Baseline\n\nWhat `bouquet gate` compares with, in [gate.json](gate.json). Written by \
         `bouquet gate --accept --reason`; not to be edited. Reason: {}\n\n",
        cell(reason, 2_000)
    );
    let room = BASELINE - head.len();
    head + &page(document, room)
}

/// A report; of a baseline only what changed.
pub fn page(document: &GateDocument, room: usize) -> String {
    let mut text = head(document);
    let (shown, mut same) = shown_and_same(document);
    let mut left_out = 0;
    if !shown.is_empty() {
        left_out += table(&mut text, &shown, room - TAIL);
        text.push('\n');
    }
    if document.acceptance.is_some() {
        same.clear();
    }
    if !same.is_empty() {
        let rows = number::count(same.len() as u64);
        text += &format!("<details><summary>{rows} more rows</summary>\n\n");
        left_out += table(&mut text, &same, room - TAIL);
        text += "\n</details>\n\n";
    }
    text += &facts(document);
    if left_out > 0 {
        let rows = number::count(left_out);
        text += &format!("{rows} rows more are in gate.json: there is no room for them here.\n");
    }
    text
}

/// As many rows as there is room for; how many are left out.
fn table(text: &mut String, rows: &[&GateRow], room: usize) -> u64 {
    *text += "| | Tier | Subject | What | Baseline | Now | Note |\n\
              | --- | --- | --- | --- | ---: | ---: | --- |\n";
    let mut left_out = 0;
    for row in rows {
        let line = line(row);
        if text.len() + line.len() > room {
            left_out += 1;
        } else {
            *text += &line;
        }
    }
    left_out
}

fn head(document: &GateDocument) -> String {
    let verdict = &document.verdict;
    let mut text = format!("### {}\n\n", cell(&verdict.sentence, 1_000));
    text += "| Tier | Verdict | Checks | Failed | Inconclusive | Changed | |\n\
             | --- | --- | ---: | ---: | ---: | ---: | --- |\n";
    for tier in &verdict.tiers {
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            tier.tier.name(),
            tier.standing.word(),
            number::count(tier.checks),
            number::count(tier.failed),
            number::count(tier.inconclusive),
            number::count(tier.changed),
            cell(&tier.note, 2_000),
        );
    }
    text + "\n"
}

fn line(row: &GateRow) -> String {
    format!(
        "| {} | {} | {} | {} | {} | {} | {} |\n",
        row.standing.word(),
        row.tier.name(),
        cell(&row.subject, CELL),
        cell(&row.what, CELL),
        cell(&figure_or_dash(&row.baseline), CELL),
        cell(&figure_or_dash(&row.value), CELL),
        cell(&row.note, CELL),
    )
}

/// Text that can break neither the table nor the page.
fn cell(text: &str, most: usize) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if out.len() >= most {
            out.push('…');
            break;
        }
        match c {
            // A comment on a pull request would call whoever is named so.
            '@' => out += "\\@",
            '>' => out += "&gt;",
            c => out += &escape(c.encode_utf8(&mut [0; 4])),
        }
    }
    unlinked(&out)
}

/// What ran, and what the definition chooses of filters beside their size.
fn facts(document: &GateDocument) -> String {
    let fact = |name: &str| cell(document.fact(name), 100);
    let mut text = format!(
        "Bouquet {}, revision {}, seed {}, {} profile, {} build.\n",
        fact("version"),
        fact("revision"),
        fact("seed"),
        fact("profile"),
        fact("build"),
    );
    for (words, name) in [
        ("Baseline of revision", "baseline_revision"),
        ("Times measured on", "times_cpu"),
    ] {
        if !document.fact(name).is_empty() {
            text += &format!("{words} {}.\n", fact(name));
        }
    }
    let chosen = document.configuration.iter().filter_map(|own| {
        let words = own
            .chosen
            .after(&format!("{} ({}): ", own.name, own.filter));
        (!words.is_empty()).then(|| cell(&words, CELL) + ".\n")
    });
    text.extend(chosen.take(8));
    text
}
