//! The verdict of `bouquet gate`: raw rows compared with a baseline, and the
//! document in its formats. Reads records alone.

mod accept;
mod benchmark;
mod exact;
mod junit;
mod load;
mod markdown;
mod page;
mod statistical;
mod terminal;
#[cfg(test)]
mod tests;
mod time;
mod words;

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;

pub use self::{
    accept::{accept, acceptance, has_figures, unacceptable},
    terminal::{csv, json, table},
    time::{Tolerance, suspects},
    words::{change, estimate, figure, figure_or_dash},
};
use super::{estimate::Estimate, folder::write_html, number};
use bouquet_ground::Outcome;
use bouquet_ground::folder::write;
use bouquet_ground::record::{
    Chosen, Configuration, Figure, GATE_FILE, GateDocument, GateRecords, GateRow, GateVerdict,
    Keys, Tier, TierVerdict,
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
    let mut rows = Vec::new();
    let mut notes: BTreeMap<Tier, String> = BTreeMap::new();
    for tier in run.tiers {
        let (own, note) = match tier {
            Tier::Exact => (
                [load::exact(&run), exact::rows(&run)].concat(),
                String::new(),
            ),
            Tier::Statistical => (statistical::rows(&run), statistical::at_fewer_keys(&run)),
            Tier::Time => time::rows(&run),
        };
        rows.extend(own);
        let note = format!("{} {note}", otherwise(&run));
        notes.insert(*tier, note.trim().to_owned());
        if !run.is_narrowed && (*tier != Tier::Time || run.no_times.is_none()) {
            let gone = gone(*tier, &rows, run.baseline);
            rows.extend(gone);
        }
    }
    let tiers = Tier::ALL.map(|tier| tier_verdict(tier, &rows, &run, &notes));
    let verdict = verdict(tiers.to_vec(), &rows, run.baseline.is_some());
    let mut facts = run.facts;
    if let Some(baseline) = run.baseline {
        let of_tiers = Tier::ALL.map(|tier| tier.fact("revision"));
        let names = ["revision", "version", "cpu", "times_cpu"].map(str::to_owned);
        for name in names.iter().chain(&of_tiers) {
            facts.insert(format!("baseline_{name}"), baseline.fact(name).to_owned());
        }
    }
    GateDocument {
        configuration: run.configuration,
        keys: run.keys,
        ..GateDocument::new(facts, verdict, rows)
    }
}

/// What else differs from the baseline's run: keys, configuration.
fn otherwise(run: &Run<'_>) -> String {
    let Some(baseline) = run.baseline else {
        return String::new();
    };
    let other_keys = run.keys.iter().filter(|keys| {
        let is_other = |old: &Keys| old.name == keys.name && old != *keys;
        baseline.keys.iter().any(is_other)
    });
    let other_filters = run.configuration.iter().filter(|own| {
        let is_other = |old: &Configuration| old.name == own.name && old != *own;
        baseline.configuration.iter().any(is_other)
    });
    let notes = other_keys
        .map(|keys| format!("the keys of {} are others", keys.name))
        .chain(other_filters.map(|own| format!("{} is configured otherwise", own.name)));
    match number::joined(notes, ", ").as_str() {
        "" => String::new(),
        notes => format!("Since the baseline {notes}: if that is meant, accept a new one."),
    }
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

/// What the definition chooses of a filter beside its size.
fn chosen(run: &Run<'_>, subject: &str) -> Chosen {
    let own = run.configuration.iter().find(|own| own.name == subject);
    own.map_or_else(Chosen::default, |own| own.chosen.clone())
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

fn verdict(tiers: Vec<TierVerdict>, rows: &[GateRow], has_baseline: bool) -> GateVerdict {
    let standing = tiers.iter().map(|tier| tier.standing).max().flatten();
    GateVerdict {
        standing,
        sentence: sentence(standing, &tiers, rows, has_baseline),
        tiers,
    }
}

fn tier_verdict(
    tier: Tier,
    rows: &[GateRow],
    run: &Run<'_>,
    notes: &BTreeMap<Tier, String>,
) -> TierVerdict {
    let own = TierVerdict::of(tier, rows);
    let standing = if !run.tiers.contains(&tier) {
        None
    } else if tier == Tier::Time && run.no_times.is_some() {
        Some(Outcome::Inconclusive)
    } else {
        // A tier that was asked for and checked nothing has shown nothing.
        own.standing.or(Some(Outcome::Inconclusive))
    };
    TierVerdict {
        standing,
        note: notes.get(&tier).cloned().unwrap_or_default(),
        ..own
    }
}

fn sentence(
    standing: Option<Outcome>,
    tiers: &[TierVerdict],
    rows: &[GateRow],
    has_baseline: bool,
) -> String {
    let sum = |of: fn(&TierVerdict) -> u64| tiers.iter().map(of).sum::<u64>();
    let checks = number::count(sum(|t| t.checks));
    let Some(standing) = standing else {
        return "Nothing was checked.".into();
    };
    let words = match standing {
        Outcome::Pass if !has_baseline => {
            format!("none of {checks} checks failed, with no baseline to compare with")
        }
        Outcome::Pass => match sum(|t| t.changed) {
            0 => format!("all of {checks} checks are as the baseline has them"),
            changed => format!(
                "none of {checks} checks failed, {} changed since the baseline",
                number::count(changed)
            ),
        },
        Outcome::Inconclusive => match sum(|t| t.inconclusive) {
            0 => "no check failed, and a tier says nothing".to_owned(),
            open => format!("no check failed, {open} of {checks} say too little"),
        },
        Outcome::Fail | Outcome::Void => failed(rows, &checks),
    };
    format!("{}: {words}.", number::capital(standing.word()))
}

/// The verdict's sentence, with its mark where it says what was judged: that of an acceptance
/// says what became of the baseline.
pub fn headline(verdict: &GateVerdict) -> String {
    match judged(verdict) {
        Some(standing) => format!("{} {}", standing.mark(), verdict.sentence),
        None => verdict.sentence.clone(),
    }
}

/// What the sentence judges, if it does.
fn judged(verdict: &GateVerdict) -> Option<Outcome> {
    let begins = |standing: &Outcome| {
        let word = number::capital(standing.word());
        verdict.sentence.starts_with(&word)
    };
    verdict.standing.filter(begins)
}

/// How many checks failed, and the first of them.
fn failed(rows: &[GateRow], checks: &str) -> String {
    let bad = rows.iter().filter(|row| row.standing >= Outcome::Fail);
    let bad: Vec<String> = bad
        .map(|row| format!("{}: {}", row.subject, row.what))
        .collect();
    let more = match bad.len().saturating_sub(3) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{} of {checks} checks failed ({}{more})",
        number::count(bad.len() as u64),
        bad[..bad.len().min(3)].join("; ")
    )
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
        .try_for_each(|(name, text)| write(&folder.join(name), text))?;
    write_html(&page::document(document), folder)
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
