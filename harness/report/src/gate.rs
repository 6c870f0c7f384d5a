//! The verdict of `bouquet gate`: compares raw rows with a baseline, and writes the document in its
//! formats. It reads only records.

mod accept;
mod documents;
mod statistical;
#[cfg(test)]
mod tests;
mod time;

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;

pub use self::{
    accept::{accept, has_figures, unacceptable},
    documents::{csv, figure, json, table},
    time::suspects,
};
use super::number;
use bouquet_record::Outcome;
use bouquet_record::folder::write;
use bouquet_record::{
    Configuration, Figure, GATE_FILE, GateDocument, GateRecords, GateRow, GateVerdict, Keys, Tier,
    TierVerdict,
};

/// A run of the gate, and what it is judged against.
pub struct Run<'a> {
    pub facts: BTreeMap<String, String>,
    pub configuration: Vec<Configuration>,
    pub keys: Vec<Keys>,
    pub records: &'a GateRecords,
    /// `None` if this run is to become the first baseline.
    pub baseline: Option<&'a GateDocument>,
    pub tiers: &'a [Tier],
    /// Whether only some of the filters were measured, so that missing rows are no failure.
    pub is_narrowed: bool,
    /// Why there are no times, if they were requested.
    pub no_times: Option<&'a str>,
    /// How many times as slow as the baseline is still accepted; `None` for the default.
    pub tolerance: Option<f64>,
}

/// The note on a value of another kind than the baseline's.
const OTHER: &str = "not what the baseline has";

/// Judges a run.
pub fn judge(run: Run<'_>) -> GateDocument {
    let (mut rows, mut tiers) = (Vec::new(), Vec::new());
    for &tier in run.tiers {
        let measured = run.records.rows.iter().filter(|row| row.tier == tier);
        let own = measured.map(|row| against(&run, row.clone(), exactly));
        let mut own: Vec<GateRow> = own.collect();
        let mut note = otherwise(&run);
        match tier {
            Tier::Exact => {}
            Tier::Statistical => own.extend(statistical::rows(&run)),
            Tier::Time => {
                let (rows, words) = time::rows(&run);
                own.extend(rows);
                note += &words;
            }
        }
        if !run.is_narrowed && (tier != Tier::Time || run.no_times.is_none()) {
            own.extend(gone(tier, &own, run.baseline));
        }
        tiers.push(TierVerdict {
            note: note.trim().to_owned(),
            ..TierVerdict::of(tier, &own)
        });
        rows.extend(own);
    }
    let verdict = verdict(tiers);
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

/// Compares a row with the baseline's: `how` says whether the value has changed, how the row stands,
/// and why. A row that failed by itself stays failed, and without any baseline every value passes.
fn against(
    run: &Run<'_>,
    row: GateRow,
    how: impl FnOnce(&Figure, &Figure) -> (bool, Outcome, String),
) -> GateRow {
    let old = run.baseline.and_then(|baseline| baseline.row(row.id()));
    let old = old.and_then(|old| old.value.clone());
    let (changed, standing, note) = match (&old, &row.value) {
        (Some(old), Some(new)) => how(old, new),
        _ if run.baseline.is_none() => (false, Outcome::Pass, String::new()),
        _ => (true, Outcome::Inconclusive, "not in the baseline".into()),
    };
    let (standing, note) = match row.standing {
        Outcome::Pass => (standing, note),
        own => (own, row.note),
    };
    GateRow {
        changed,
        baseline: old,
        standing,
        note,
        ..row
    }
}

/// How a value that must equal the baseline's stands. The number of keys for a capacity may change.
fn exactly(old: &Figure, new: &Figure) -> (bool, Outcome, String) {
    let standing = Outcome::fails_if(old != new);
    match (old, new) {
        // The FPR is not compared: writing and reading it may change its last digit.
        (
            Figure::Load { keys, capacity, .. },
            Figure::Load {
                keys: k,
                capacity: c,
                ..
            },
        ) => ((keys, capacity) != (k, c), Outcome::Pass, String::new()),
        (old, new) if old == new => (false, standing, String::new()),
        (Figure::Count { count: old, unit }, Figure::Count { count: new, .. }) => {
            let more = if new > old { "more" } else { "fewer" };
            let by = number::count(new.abs_diff(*old));
            (true, standing, format!("{by} {unit} {more}"))
        }
        _ => (true, standing, OTHER.into()),
    }
}

/// The key sets and filters that differ from those of the baseline's run, in words.
fn otherwise(run: &Run<'_>) -> String {
    let Some(baseline) = run.baseline else {
        return String::new();
    };
    let (old_keys, old_filters) = (&baseline.keys, &baseline.configuration);
    let keys = run.keys.iter().filter(|own| {
        let mut old = old_keys.iter();
        old.any(|old| old.name == own.name && old != *own)
    });
    let filters = run.configuration.iter().filter(|own| {
        let mut old = old_filters.iter();
        old.any(|old| old.name == own.name && old != *own)
    });
    let names = keys.map(|keys| &*keys.name);
    let names = names.chain(filters.map(|own| &*own.name));
    match number::joined(names, ", ").as_str() {
        "" => String::new(),
        names => format!("Not as in the baseline: {names}; if that is meant, accept a new one. "),
    }
}

/// The rows that only the baseline has.
fn gone(tier: Tier, rows: &[GateRow], baseline: Option<&GateDocument>) -> Vec<GateRow> {
    let old = baseline.map_or(&[][..], |baseline| &baseline.rows);
    let is_gone = |old: &&GateRow| old.tier == tier && rows.iter().all(|row| row.id() != old.id());
    let gone = old.iter().filter(is_gone).map(|old| GateRow {
        value: None,
        baseline: old.value.clone(),
        changed: true,
        ..old.clone().failed("the baseline has it, this run has not")
    });
    gone.collect()
}

/// The verdict over all tiers.
fn verdict(tiers: Vec<TierVerdict>) -> GateVerdict {
    let standing = tiers.iter().map(|tier| tier.standing).max();
    let standing = standing.unwrap_or(Outcome::Inconclusive);
    let sum = |of: fn(&TierVerdict) -> u64| number::count(tiers.iter().map(of).sum::<u64>());
    GateVerdict {
        standing,
        sentence: format!(
            "{}: {} of {} checks failed, {} inconclusive, {} changed since the baseline.",
            number::capital(standing.word()),
            sum(|tier| tier.failed),
            sum(|tier| tier.checks),
            sum(|tier| tier.inconclusive),
            sum(|tier| tier.changed)
        ),
        tiers,
    }
}

/// Writes the document and all formats made from it into the folder of a report.
///
/// Fails if a file cannot be written.
pub fn write_report(document: &GateDocument, folder: &Path) -> Result<()> {
    let files = [
        (GATE_FILE, document.text()?),
        ("summary.md", markdown(document)),
        ("comment.md", documents::comment(document)),
        ("junit.xml", documents::junit(document)),
        ("benchmark.json", documents::benchmark(document)?),
    ];
    files
        .iter()
        .try_for_each(|(name, text)| write(&folder.join(name), text))
}

/// The page of a report; `--format md` prints the same page.
pub fn markdown(document: &GateDocument) -> String {
    documents::page(document, documents::SUMMARY)
}
