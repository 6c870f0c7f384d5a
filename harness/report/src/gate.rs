//! The verdict of `bouquet gate`: compares the results of a run with a baseline, and writes the
//! report in all its formats.

mod annotations;
mod documents;
pub mod history;
mod news;
mod statistical;
#[cfg(test)]
mod tests;
mod time;

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;

pub use self::{
    annotations::annotations,
    documents::{csv, figure, json, measured, table},
    time::suspects,
};
use super::number;
use bouquet_record::{
    Acceptance, Configuration, FALSE_NEGATIVES, Figure, GATE_FILE, GateDocument, GateRecords,
    GateRow, GateVerdict, KEYS_PER_CAPACITY, Keys, Outcome, Tier, TierVerdict, folder::write,
};

/// A run of the gate, and the baseline that it is compared with.
pub struct Run<'a> {
    pub facts: BTreeMap<String, String>,
    /// The name of the definition's file.
    pub definition: &'a str,
    pub configuration: Vec<Configuration>,
    pub keys: Vec<Keys>,
    pub records: &'a GateRecords,
    /// `None` if this run is to become the first baseline.
    pub baseline: Option<&'a GateDocument>,
    pub tiers: &'a [Tier],
    /// Whether only some of the filters were measured, so that missing rows are no failure.
    pub is_narrowed: bool,
    /// The reason if times were requested but not measured.
    pub no_times: Option<&'a str>,
    /// The largest accepted ratio of a time to the baseline's time; `None` for the default.
    pub tolerance: Option<f64>,
}

/// The note on a changed value for which no difference can be computed.
const OTHER: &str = "not what the baseline has";
/// The note on what only the baseline has.
const GONE: &str = "the baseline has it, this run has not";
/// The note on what only this run has.
const NEW: &str = "not in the baseline";

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
    let verdict = verdict(&news::news(&run, &rows), tiers);
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

/// Whether a value has changed since the baseline, the outcome of its row, and a note.
type Standing = (bool, Outcome, String);

/// Compares a row with the row of the baseline by the function `how`; if there is no baseline, the
/// row passes. A row that already failed or is inconclusive keeps its outcome.
fn against(run: &Run<'_>, row: GateRow, how: impl FnOnce(&Figure, &Figure) -> Standing) -> GateRow {
    let old = run.baseline.and_then(|baseline| baseline.row(row.id()));
    let old = old.and_then(|old| old.value.clone());
    let (changed, standing, note) = match (&old, &row.value) {
        (Some(old), Some(new)) => how(old, new),
        _ if run.baseline.is_none() => (false, Outcome::Pass, String::new()),
        _ => (true, Outcome::Inconclusive, NEW.into()),
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

/// Compares a value that must equal the baseline's. Only a number of keys ([`Figure::Load`]) may
/// differ.
fn exactly(old: &Figure, new: &Figure) -> Standing {
    let standing = Outcome::fails_if(old != new);
    match (old, new) {
        // The expected FPR is not compared: writing and reading it may change its last digit.
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

/// A sentence that names the key sets and filters that are defined otherwise than for the baseline.
fn otherwise(run: &Run<'_>) -> String {
    let (keys, made) = run.baseline.map_or((&[][..], &[][..]), |baseline| {
        (&baseline.keys, &baseline.configuration)
    });
    let is_other = |own: &&Keys| keys.iter().any(|old| old.name == own.name && old != *own);
    let sets = run.keys.iter().filter(is_other).map(|own| &own.name);
    let is_other =
        |own: &&Configuration| made.iter().any(|old| old.name == own.name && old != *own);
    let filters = run.configuration.iter().filter(is_other);
    let names = sets.chain(filters.map(|own| &own.name));
    match number::joined(names, ", ").as_str() {
        "" => String::new(),
        names => format!("Not as in the baseline: {names}; if that is meant, accept a new one. "),
    }
}

/// The rows that only the baseline has, marked as failed.
fn gone(tier: Tier, rows: &[GateRow], baseline: Option<&GateDocument>) -> Vec<GateRow> {
    let old = baseline.into_iter().flat_map(|baseline| &baseline.rows);
    let is_gone = |old: &&GateRow| old.tier == tier && rows.iter().all(|row| row.id() != old.id());
    let gone = old.filter(is_gone).map(|old| GateRow {
        value: None,
        baseline: old.value.clone(),
        changed: true,
        ..old.clone().failed(GONE)
    });
    gone.collect()
}

fn verdict(news: &str, tiers: Vec<TierVerdict>) -> GateVerdict {
    let standing = tiers.iter().map(|tier| tier.standing).max();
    let standing = standing.unwrap_or(Outcome::Inconclusive);
    let sum = |of: fn(&TierVerdict) -> u64| number::count(tiers.iter().map(of).sum::<u64>());
    GateVerdict {
        standing,
        sentence: format!(
            "{}: {news}{} of {} checks failed, {} inconclusive, {} changed since the baseline.",
            number::capital(standing.word()),
            sum(|tier| tier.failed),
            sum(|tier| tier.checks),
            sum(|tier| tier.inconclusive),
            sum(|tier| tier.changed)
        ),
        tiers,
    }
}

/// Writes the document, and the other formats made from it, into the folder of a report.
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
    let mut files = files.iter();
    files.try_for_each(|(name, text)| write(&folder.join(name), text))
}

/// The Markdown page of a report; `--format md` prints the same page.
pub fn markdown(document: &GateDocument) -> String {
    documents::page(document, documents::SUMMARY)
}

/// Describes the rows that no baseline may contain: errors, false negatives, filters with more keys
/// than they are sized for, FPRs that disagree with theory, locations that a test flags as uneven,
/// and a known-bad control that no test flags.
pub fn unacceptable(document: &GateDocument) -> Vec<String> {
    let is_bad = |row: &&GateRow| {
        let by_itself = row.baseline.is_none()
            || row.what == KEYS_PER_CAPACITY
            || row.what.starts_with(FALSE_NEGATIVES)
            || matches!(row.value, Some(Figure::Error { .. }));
        row.value.is_some()
            && (row.standing == Outcome::Void || row.standing == Outcome::Fail && by_itself)
    };
    let words = |row: &GateRow| format!("{}: {}: {}", row.subject, row.what, row.note);
    document.rows.iter().filter(is_bad).map(words).collect()
}

/// Makes a baseline from the report of a run. A row whose value changed also keeps its old value.
/// If a tier, such as time, has no [values to accept](has_figures), its rows and facts are copied
/// from the old baseline, except the rows of filters whose configuration has changed.
pub fn accept(report: GateDocument, old: Option<&GateDocument>, reason: &str) -> GateDocument {
    let mut rows = Vec::new();
    let mut run = report.run.clone();
    run.retain(|name, _| !name.starts_with("baseline_"));
    for tier in Tier::ALL {
        let is_kept = !has_figures(&report, tier);
        if is_kept {
            let of_tier = tier.fact("");
            run.retain(|name, _| !name.starts_with(&of_tier));
            let mut facts = old.map_or_else(BTreeMap::new, |old| old.run.clone());
            facts.retain(|name, _| name.starts_with(&of_tier));
            run.extend(facts);
        }
        let source = if is_kept { old } else { Some(&report) };
        // Subjects other than filters have no configuration, so they count as unchanged.
        let configured = |row: &GateRow| old.and_then(|old| old.configured(&row.subject));
        let own = source.into_iter().flat_map(|source| &source.rows);
        let own = own.filter(|row| {
            let is_same = report.configured(&row.subject) == configured(row);
            row.tier == tier && row.value.is_some() && (is_same || !is_kept)
        });
        rows.extend(own.cloned().map(|row| {
            let baseline = row.baseline.filter(|_| row.changed && !is_kept);
            GateRow {
                changed: baseline.is_some(),
                note: String::new(),
                baseline,
                standing: Outcome::Pass,
                ..row
            }
        }));
    }
    let verdict = accepted(&rows, old);
    GateDocument {
        acceptance: Some(Acceptance {
            reason: reason.trim().into(),
            replaces: old.map_or("", |old| old.fact("revision")).into(),
        }),
        configuration: report.configuration,
        keys: report.keys,
        ..GateDocument::new(run, verdict, rows)
    }
}

/// Whether a run has values of this tier that may be accepted into a baseline. Times may not be
/// accepted if the control shows that the machine was not quiet.
pub fn has_figures(report: &GateDocument, tier: Tier) -> bool {
    let mut own = report.rows.iter().filter(|row| row.tier == tier).peekable();
    let is_control = |row: &GateRow| row.setting == time::CONTROL_SETTING;
    own.peek().is_some() && own.all(|row| !is_control(row) || row.standing == Outcome::Pass)
}

/// The verdict of a new baseline, with a sentence on how it differs from the old one.
fn accepted(rows: &[GateRow], old: Option<&GateDocument>) -> GateVerdict {
    let tiers = Tier::ALL.map(|tier| TierVerdict::of(tier, rows));
    let figures = number::plural(rows.len() as u64, "figure");
    let what = old.map_or("the first baseline".into(), |old| {
        let is_new = |row: &&GateRow| old.row(row.id()).is_none();
        let new = rows.iter().filter(is_new).count();
        let changed = rows.iter().filter(|row| row.changed).count();
        let gone = old.rows.len() + new - rows.len();
        let [changed, new, gone] = [changed, new, gone].map(|n| number::count(n as u64));
        format!("of which {changed} changed and {new} are new; {gone} gone")
    });
    GateVerdict {
        standing: Outcome::Pass,
        sentence: format!("Accepted: {figures}, {what}."),
        tiers: tiers.into_iter().filter(|tier| tier.checks > 0).collect(),
    }
}
