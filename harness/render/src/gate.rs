//! The verdict of `bouquet gate`: raw rows compared with a baseline, and the
//! document in its formats. Reads records alone.

mod accept;
mod benchmark;
mod exact;
mod junit;
mod load;
mod markdown;
mod statistical;
mod terminal;
#[cfg(test)]
mod tests;
mod time;
mod words;

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;

use self::words::{change, figure_or_dash};
pub use self::{
    accept::{accept, has_figures, unacceptable},
    terminal::{csv, json, table},
    time::{Tolerance, suspects},
    words::{estimate, figure},
};
use super::{estimate::Estimate, number};
use bouquet_ground::Outcome;
use bouquet_ground::folder::write;
use bouquet_ground::record::{
    Configuration, Figure, GATE_FILE, GateDocument, GateRecords, GateRow, GateVerdict, Keys, Tier,
    TierVerdict,
};

/// What a run is judged by.
pub struct Run<'a> {
    pub facts: BTreeMap<String, String>,
    pub configuration: Vec<Configuration>,
    pub keys: Vec<Keys>,
    pub records: &'a GateRecords,
    /// `None` for the first that is accepted.
    pub baseline: Option<&'a GateDocument>,
    pub tiers: &'a [Tier],
    /// Only some of the filters were measured: what is missing is not gone.
    pub is_narrowed: bool,
    /// Why there are no times, if they were asked for.
    pub no_times: Option<&'a str>,
    pub tolerance: Tolerance,
}

/// Judges a run.
pub fn judge(run: Run<'_>) -> GateDocument {
    let (mut rows, mut tiers) = (Vec::new(), Vec::new());
    for &tier in run.tiers {
        let (mut own, note) = match tier {
            Tier::Exact => (
                [load::exact(&run), exact::rows(&run)].concat(),
                String::new(),
            ),
            Tier::Statistical => (statistical::rows(&run), String::new()),
            Tier::Time => time::rows(&run),
        };
        if !run.is_narrowed && (tier != Tier::Time || run.no_times.is_none()) {
            own.extend(gone(tier, &own, run.baseline));
        }
        let note = format!("{} {note}", otherwise(&run)).trim().to_owned();
        tiers.push(TierVerdict {
            note,
            ..TierVerdict::of(tier, &own)
        });
        rows.extend(own);
    }
    let verdict = verdict(tiers, &rows);
    let mut facts = run.facts;
    if let Some(baseline) = run.baseline {
        for name in ["revision", "version", "times_cpu"] {
            facts.insert(format!("baseline_{name}"), baseline.fact(name).to_owned());
        }
    }
    GateDocument {
        configuration: run.configuration,
        keys: run.keys,
        ..GateDocument::new(facts, verdict, rows)
    }
}

/// Which keys and filters are others than in the baseline's run.
fn otherwise(run: &Run<'_>) -> String {
    let Some(baseline) = run.baseline else {
        return String::new();
    };
    let keys = run.keys.iter().filter(|keys| {
        let is_other = |old: &Keys| old.name == keys.name && old != *keys;
        baseline.keys.iter().any(is_other)
    });
    let filters = run.configuration.iter().filter(|own| {
        let is_other = |old: &Configuration| old.name == own.name && old != *own;
        baseline.configuration.iter().any(is_other)
    });
    let names: Vec<&str> = keys
        .map(|keys| &*keys.name)
        .chain(filters.map(|own| &*own.name))
        .collect();
    if names.is_empty() {
        return String::new();
    }
    let names = names.join(", ");
    format!("Not as in the baseline: {names}; if that is meant, accept a new one.")
}

/// Rows to show, the gravest first, and those that are as they were.
fn shown_and_same(document: &GateDocument) -> (Vec<&GateRow>, Vec<&GateRow>) {
    let is_shown = |row: &&GateRow| row.changed || row.standing >= Outcome::Inconclusive;
    let (mut shown, same): (Vec<_>, Vec<_>) = document.rows.iter().partition(is_shown);
    shown.sort_by_key(|row| std::cmp::Reverse(row.standing));
    (shown, same)
}

/// Rows that the baseline has and the run has not.
fn gone(tier: Tier, rows: &[GateRow], baseline: Option<&GateDocument>) -> Vec<GateRow> {
    let old = baseline.map_or(&[][..], |baseline| &baseline.rows);
    let is_gone = |old: &&GateRow| old.tier == tier && rows.iter().all(|row| row.id() != old.id());
    old.iter()
        .filter(is_gone)
        .map(|old| GateRow {
            value: None,
            baseline: old.value.clone(),
            standing: Outcome::Fail,
            changed: true,
            note: "the baseline has it, this run has not".into(),
            ..old.clone()
        })
        .collect()
}

/// What the baseline has for a row.
fn before(run: &Run<'_>, row: &GateRow) -> Option<Figure> {
    run.baseline?.row(row.id())?.value.clone()
}

/// A rate of false positives with its interval.
fn rate(rate: Estimate, (hits, asked): (u64, u64), expected: f64) -> Figure {
    Figure::Rate {
        rate: rate.value,
        low: rate.interval.low,
        high: rate.interval.high,
        hits,
        asked,
        expected,
    }
}

/// What to say of a figure that the baseline has not: of the first that is accepted
/// there is nothing to be missed.
fn unknown(run: &Run<'_>) -> (Outcome, String) {
    if run.baseline.is_none() {
        (Outcome::Pass, String::new())
    } else {
        (Outcome::Inconclusive, "not in the baseline".into())
    }
}

/// What came of all, in one sentence that names the first failure.
fn verdict(tiers: Vec<TierVerdict>, rows: &[GateRow]) -> GateVerdict {
    let standing = tiers.iter().map(|tier| tier.standing).max();
    let standing = standing.unwrap_or(Outcome::Inconclusive);
    let sum = |of: fn(&TierVerdict) -> u64| number::count(tiers.iter().map(of).sum::<u64>());
    let checks = sum(|tier| tier.checks);
    let words = match rows.iter().find(|row| row.standing >= Outcome::Fail) {
        Some(first) => format!(
            "{} of {checks} checks failed, the first {}: {}",
            sum(|tier| tier.failed),
            first.subject,
            first.what
        ),
        None => format!(
            "none of {checks} checks failed, {} inconclusive, {} changed since the baseline",
            sum(|tier| tier.inconclusive),
            sum(|tier| tier.changed)
        ),
    };
    GateVerdict {
        standing,
        sentence: format!("{}: {words}.", number::capital(standing.word())),
        tiers,
    }
}

/// Writes the document and all that is made of it into the folder of a report.
///
/// Fails if a file cannot be written.
pub fn write_report(document: &GateDocument, folder: &Path) -> Result<()> {
    let files = [
        (GATE_FILE, document.text()?),
        ("summary.md", markdown::page(document, markdown::SUMMARY)),
        ("comment.md", markdown::comment(document)),
        ("junit.xml", junit::xml(document)),
        ("benchmark.json", benchmark::json(document)?),
    ];
    files
        .iter()
        .try_for_each(|(name, text)| write(&folder.join(name), text))
}

/// Writes a baseline, with a page that says what it is.
///
/// Fails if a file cannot be written.
pub fn write_baseline(document: &GateDocument, folder: &Path) -> Result<()> {
    write(&folder.join(GATE_FILE), &document.text()?)?;
    write(&folder.join("README.md"), &markdown::baseline(document))
}

/// For standard output.
pub fn markdown(document: &GateDocument) -> String {
    markdown::page(document, markdown::SUMMARY)
}
