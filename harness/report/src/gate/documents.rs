//! The gate's report as terminal text, Markdown, JSON, CSV, JUnit and data for benchmark charts.

use anyhow::Result;
use serde_json::{Value, json as value};

use crate::{
    columns::{self, Table},
    document::Block,
    html,
    markdown::{self, escape},
    number::{self, Estimate},
    terminal::{self, Screen, paint},
};
use bouquet_record::{Figure, GateDocument, GateRow, Outcome, TierVerdict, line::clean};

/// The largest Markdown page in bytes: GitHub rejects a step summary of more than 1 MiB.
pub const SUMMARY: usize = (1 << 20) - 1;
/// The largest comment in bytes: GitHub allows 65,536 characters, each of one byte or more.
const COMMENT: usize = (1 << 16) - 1;
/// The number of bytes of a page that its rows leave free for the text below them.
const TAIL: usize = 4_000;
/// The largest number of characters in a table cell, and in a sentence. Longer text is cut.
const CELL: usize = 300;
const SENTENCE: usize = 2_000;

/// A short text for a value.
pub fn figure(figure: &Figure) -> String {
    let count = |n: &u64| number::count(*n);
    match figure {
        Figure::Digest { sha256 } => sha256.chars().take(12).collect(),
        Figure::Count { count: n, unit } => format!("{} {unit}", count(n)),
        Figure::Rate { hits: 0, asked, .. } => format!("0 of {}", count(asked)),
        Figure::Rate {
            rate, low, high, ..
        } => Estimate::new(*rate, [*low, *high]).in_words(),
        Figure::Load {
            keys,
            capacity,
            expected_fpr,
            ..
        } => {
            let fpr = number::share(*expected_fpr, 3);
            format!("{} of {} keys, FPR {fpr}", count(keys), count(capacity))
        }
        Figure::PValue { p, tests, .. } => {
            format!("least p {} of {}", number::significant(*p, 2), count(tests))
        }
        Figure::Ratio {
            ratio, low, high, ..
        } => Estimate::new(*ratio, [*low, *high]).words(|x| number::significant(x, 3)),
        Figure::Error { error } => error.clone(),
    }
}

/// The value as a number with its unit; `None` if the value is not a number.
pub fn measured(figure: &Figure) -> Option<(Estimate, &str)> {
    Some(match figure {
        Figure::Count { count, unit } => (Estimate::exact(*count as f64), unit),
        Figure::Load { load, .. } => (Estimate::exact(*load), "keys of its capacity"),
        Figure::Rate {
            rate, low, high, ..
        } => (Estimate::new(*rate, [*low, *high]), "share"),
        Figure::Ratio {
            ratio, low, high, ..
        } => (Estimate::new(*ratio, [*low, *high]), "times the reference"),
        Figure::Digest { .. } | Figure::PValue { .. } | Figure::Error { .. } => return None,
    })
}

/// The rows that need attention (failed, changed, inconclusive), the worst first; all other rows.
///
/// Changed digests of one filter are one row, with all their names.
fn shown_and_same(document: &GateDocument) -> (Vec<GateRow>, Vec<GateRow>) {
    let is_shown = |row: &GateRow| row.changed || row.standing >= Outcome::Inconclusive;
    let (all, same): (Vec<_>, Vec<_>) = document.rows.iter().cloned().partition(is_shown);
    let is_digest = |row: &GateRow| {
        let either = row.value.as_ref().or(row.baseline.as_ref());
        matches!(either, Some(Figure::Digest { .. }))
    };
    let mut shown: Vec<GateRow> = Vec::new();
    for row in all {
        let is_like = |one: &&mut GateRow| {
            is_digest(one)
                && is_digest(&row)
                && one.subject == row.subject
                && one.standing == row.standing
        };
        match shown.iter_mut().rev().take(8).find(is_like) {
            Some(one) => one.what += &format!("; {}", row.what),
            None => shown.push(row),
        }
    }
    shown.sort_by_key(|row| std::cmp::Reverse(row.standing));
    (shown, same)
}

fn tiers(document: &GateDocument) -> Table {
    Table::of(&document.verdict.tiers)
        .column("Tier", |tier| tier.tier.name())
        .column("Verdict", |tier| tier.standing)
        .column("#Checks", |tier| tier.checks)
        .column("#Failed", |tier| tier.failed)
        .column("#Changed", |tier| tier.changed)
        .column("Note", |tier| &tier.note)
        .column("#Inconclusive", |tier| tier.inconclusive)
        .table()
        .without_empty_columns()
}

/// A table of rows, for a terminal and for Markdown.
fn rows(rows: &[GateRow]) -> Table {
    let value = |value: &Option<Figure>| value.as_ref().map(figure);
    Table::of(rows)
        .column("Verdict", |row| row.standing)
        .column("Subject", |row| &row.subject)
        .column("What", |row| &row.what)
        .column("Note", |row| &row.note)
        .column("#Baseline", |row| value(&row.baseline))
        .column("#Now", |row| value(&row.value))
        .column("Tier", |row| row.tier.name())
        .table()
}

/// The text for a terminal: the verdict, a table of the tiers, and the rows that need attention.
pub fn table(document: &GateDocument, screen: Screen) -> String {
    let verdict = &document.verdict;
    let sentence = format!("{} {}", verdict.standing.mark(), clean(&verdict.sentence));
    let mut blocks = vec![Block::Table(tiers(document))];
    let (shown, _) = shown_and_same(document);
    if !shown.is_empty() {
        blocks.push(Block::Table(rows(&shown)));
    }
    let text = terminal::text(&blocks, screen);
    format!("{}\n\n{text}", paint(&sentence, verdict.standing, screen))
}

/// The report as JSON, in the structure that all commands share. Its field `judgement` has the
/// sentence of the verdict and the verdicts of the tiers.
///
/// Fails if a cell cannot be written.
pub fn json(document: &GateDocument) -> Result<String> {
    let mut answer = serde_json::to_value(document)?;
    if let Some(fields) = answer.as_object_mut() {
        fields.retain(|name, _| !name.contains("schema"));
        let judgement = fields.remove("verdict").unwrap_or_default();
        fields.insert("judgement".into(), judgement);
    }
    columns::answer(Some(document.verdict.standing), answer)
}

/// The rows as CSV, one per line.
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

/// The page for a comment on a pull request. By its invisible first line, a later run of the same
/// tiers can find the comment.
pub fn comment(document: &GateDocument) -> String {
    let tiers = document.verdict.tiers.iter();
    let names = number::joined(tiers.map(|tier| tier.tier.name()), ", ");
    let marker = format!("<!-- bouquet gate: {names} -->\n");
    let page = page(document, COMMENT - marker.len());
    marker + &page
}

/// Markdown of at most `room` bytes: verdict, rows that need attention, and all others, folded.
pub fn page(document: &GateDocument, room: usize) -> String {
    let sentence = cell(&document.verdict.sentence, SENTENCE);
    let mut text = format!("### {sentence}\n\n");
    add(&mut text, &tiers(document), room);
    text.push('\n');
    let (shown, same) = shown_and_same(document);
    let mut left_out = 0;
    if !shown.is_empty() {
        left_out += add(&mut text, &rows(&shown), room - TAIL);
        text.push('\n');
    }
    if !same.is_empty() {
        let count = number::count(same.len() as u64);
        text += &format!("<details><summary>{count} unchanged rows</summary>\n\n");
        left_out += add(&mut text, &rows(&same), room - TAIL);
        text += "\n</details>\n\n";
    }
    let names = ["version", "revision", "seed", "profile", "build"];
    let [version, revision, seed, profile, build] =
        names.map(|name| cell(document.fact(name), CELL));
    text += &format!("Bouquet {version}, revision {revision}, seed {seed}, ");
    text += &format!("{profile} profile, {build} build.\n");
    if left_out > 0 {
        let rows = number::count(left_out);
        text += &format!("{rows} rows more are in gate.json: there is no room for them here.\n");
    }
    text
}

/// Adds as many rows of a table as fit into `room` bytes; returns the number of rows left out.
fn add(text: &mut String, table: &Table, room: usize) -> u64 {
    let empty = Table {
        rows: Vec::new(),
        ..table.clone()
    };
    *text += &markdown::table(&empty);
    let mut left_out = 0;
    for row in table.texts() {
        let cells = row.iter().map(|text| cell(&text.words(), CELL));
        let line = format!("| {} |\n", number::joined(cells, " | "));
        if text.len() + line.len() > room {
            left_out += 1;
        } else {
            *text += &line;
        }
    }
    left_out
}

/// Shortens and escapes text, so that it cannot break a table or page, or mention a GitHub user.
fn cell(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    escape(&short).replace('@', "\\@").replace('>', "&gt;")
}

/// JUnit's XML: one test suite per tier, one test case per row.
pub fn junit(document: &GateDocument) -> String {
    let tiers = &document.verdict.tiers;
    let counts = |tiers: &[TierVerdict]| {
        let sum = |of: fn(&TierVerdict) -> u64| tiers.iter().map(of).sum::<u64>();
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
            sum(|tier| tier.checks),
            sum(|tier| tier.failed),
            sum(|tier| tier.inconclusive)
        )
    };
    let suite = |tier: &TierVerdict| {
        let own = document.rows.iter().filter(|row| row.tier == tier.tier);
        let (name, cases) = (tier.tier.name(), own.map(case).collect::<String>());
        let counts = counts(std::slice::from_ref(tier));
        format!("  <testsuite name=\"{name}\" {counts}>\n{cases}  </testsuite>\n")
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"bouquet gate\" {}>\n{}</testsuites>\n",
        counts(tiers),
        tiers.iter().map(suite).collect::<String>()
    )
}

fn case(row: &GateRow) -> String {
    let [tier, standing] = [row.tier.name(), row.standing.word()];
    let [subject, what, note] = [&row.subject, &row.what, &row.note].map(|text| in_xml(text));
    let result = match row.standing {
        Outcome::Pass => String::new(),
        Outcome::Inconclusive => format!("<skipped message=\"{note}\"/>"),
        Outcome::Fail | Outcome::Void => {
            let value = |value: &Option<Figure>| value.as_ref().map_or("–".into(), figure);
            let [old, new] = [&row.baseline, &row.value].map(|of| in_xml(&value(of)));
            let values = format!("baseline {old}, now {new}");
            format!("<failure type=\"{standing}\" message=\"{note}\">{values}</failure>")
        }
    };
    format!("    <testcase classname=\"{tier}.{subject}\" name=\"{what}\">{result}</testcase>\n")
}

/// Escapes text for XML 1.0, which forbids control characters, even as references, and U+FFFE and
/// U+FFFF.
fn in_xml(text: &str) -> String {
    let text = clean(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    html::escape(&text).replace('\'', "&apos;")
}

/// Memory, rates and ratios as data for charts over time, in the format `customSmallerIsBetter` of
/// github-action-benchmark.
///
/// Fails if a value cannot be written.
pub fn benchmark(document: &GateDocument) -> Result<String> {
    let entries: Vec<Value> = document.rows.iter().filter_map(entry).collect();
    columns::json(&entries)
}

fn entry(row: &GateRow) -> Option<Value> {
    let figure = row.value.as_ref()?;
    let (number, unit) = measured(figure)?;
    let mut entry = value!({
        "name": format!("{}: {}", row.subject, row.what),
        "unit": unit,
        "value": match figure {
            Figure::Count { count, .. } => value!(count),
            _ => value!(number.value),
        },
        "extra": row.setting,
    });
    if let Some([low, high]) = number.ends() {
        entry["range"] = value!(format!("± {:.3e}", (high - low) / 2.0));
    }
    Some(entry)
}
