//! The first sentence of a report: what became of each filter since the baseline.

use bouquet_record::{Configuration, Figure, GateRow, Outcome};

use super::Run;
use crate::number;

/// The largest number of filters that the sentence names.
const NAMED: usize = 3;

/// What changed, filter by filter: `seen: FPR 0.1 % -> 3.3 %, memory -50 %; fpr = 0.001 became
/// bits_per_key = 7.8 in bouquet.toml`.
pub fn news(run: &Run<'_>, rows: &[GateRow]) -> String {
    let all = rows.iter().filter(|row| is_news(row));
    let all = all.map(|row| row.subject.as_str());
    let other = run.configuration.iter().map(|own| own.name.as_str());
    let other = other.filter(|subject| !otherwise(run, subject).is_empty());
    let mut subjects: Vec<&str> = all.chain(other).collect();
    subjects.sort_unstable();
    subjects.dedup();
    let more = subjects.len().saturating_sub(NAMED) as u64;
    let mut all: Vec<String> = subjects
        .iter()
        .take(NAMED)
        .map(|subject| of(run, rows, subject))
        .collect();
    if more > 0 {
        all.push(format!("and {}", number::plural(more, "filter more")));
    }
    match all.is_empty() {
        true if rows.is_empty() => "nothing was measured. ".to_owned(),
        true if run.baseline.is_none() => String::new(),
        true => "nothing changed. ".to_owned(),
        false => format!("{}. ", all.join("; ")),
    }
}

/// What changed or failed of a filter, each in a few words.
pub fn changes(rows: &[GateRow], subject: &str) -> Vec<String> {
    const NOTES: [&str; 2] = [super::NEW, super::GONE];
    let all = rows.iter().filter(|row| row.subject == subject);
    let (noted, own): (Vec<&GateRow>, Vec<&GateRow>) = all
        .clone()
        .filter(|row| is_news(row))
        .partition(|row| NOTES.contains(&&*row.note));
    if let Some(row) = noted.first().filter(|_| noted.len() == all.count()) {
        return vec![row.note.clone()];
    }
    let mut changes: Vec<String> = own.iter().filter_map(|row| change(row)).collect();
    let is_digest = |row: &&&GateRow| matches!(row.value, Some(Figure::Digest { .. }));
    match own.iter().filter(is_digest).count() as u64 {
        0 => {}
        count => changes.push(format!(
            "{} of bits or bytes",
            number::plural(count, "other digest")
        )),
    }
    for note in NOTES {
        let of: Vec<_> = noted.iter().filter(|row| row.note == note).collect();
        match &of[..] {
            [] => {}
            [row] => changes.push(format!("{} ({note})", row.what)),
            of => changes.push(format!(
                "{} ({note})",
                number::plural(of.len() as u64, "figure")
            )),
        }
    }
    changes
}

/// Whether a row failed, or its value changed by more than chance.
fn is_news(row: &GateRow) -> bool {
    row.standing >= Outcome::Fail || row.changed
}

fn of(run: &Run<'_>, rows: &[GateRow], subject: &str) -> String {
    let (changes, otherwise) = (changes(rows, subject), otherwise(run, subject));
    let mut parts = Vec::new();
    if !changes.is_empty() {
        parts.push(changes.join(", "));
    }
    if !otherwise.is_empty() {
        parts.push(format!("{} in {}", otherwise.join(", "), run.definition));
    }
    format!("{subject}: {}", parts.join("; "))
}

/// What is defined otherwise than for the baseline.
fn otherwise(run: &Run<'_>, subject: &str) -> Vec<String> {
    let old = run
        .baseline
        .and_then(|baseline| baseline.configured(subject));
    let new = run.configuration.iter().find(|own| own.name == subject);
    let (Some((old, keys)), Some(new)) = (old, new) else {
        return Vec::new();
    };
    let mut all = defined(old, new);
    if all.is_empty() && keys != run.keys.iter().find(|one| one.name == new.keys) {
        all.push(format!("the keys {} became others", new.keys));
    }
    all
}

/// A changed row in a few words; `None` for a digest, of which only the number says something.
fn change(row: &GateRow) -> Option<String> {
    let what = &row.what;
    Some(match (&row.baseline, &row.value) {
        (_, Some(Figure::Digest { .. })) => return None,
        (Some(Figure::Rate { rate: old, .. }), Some(Figure::Rate { rate: new, .. })) => {
            let [old, new] = [old, new].map(|rate| number::share(*rate, 2));
            format!("{what} {old} -> {new}")
        }
        (Some(Figure::Count { count: old, .. }), Some(Figure::Count { count: new, .. }))
            if *old > 0 =>
        {
            let percent = 100.0 * (*new as f64 / *old as f64 - 1.0);
            let sign = if percent < 0.0 { "-" } else { "+" };
            format!("{what} {sign}{} %", number::significant(percent.abs(), 2))
        }
        (Some(Figure::Ratio { ratio: old, .. }), Some(Figure::Ratio { ratio: new, .. })) => {
            format!("{what} {} times as long", number::significant(new / old, 2))
        }
        (Some(Figure::Load { load: old, .. }), Some(Figure::Load { load: new, .. })) => {
            let [old, new] = [old, new].map(|load| number::share(*load, 2));
            format!("{what} {old} -> {new}")
        }
        _ if row.note.is_empty() => what.clone(),
        _ => format!("{what} ({})", row.note),
    })
}

/// What is defined otherwise, each as `old became new`.
fn defined(old: &Configuration, new: &Configuration) -> Vec<String> {
    let size = |of: &Configuration| match (of.target_fpr, of.bits_per_key) {
        (Some(fpr), _) => format!("fpr = {fpr}"),
        (_, bits) => format!("bits_per_key = {}", bits.unwrap_or_default()),
    };
    let all: [fn(&Configuration) -> String; 4] = [
        |of| format!("filter = {}", of.filter),
        |of| format!("capacity = {}", number::count(of.capacity)),
        |of| format!("keys = {}", of.keys),
        |of| of.chosen.after_commas().trim_start_matches(", ").to_owned(),
    ];
    let pairs = all.into_iter().map(|words| (words(old), words(new)));
    let pairs = pairs.chain([(size(old), size(new))]);
    let changed = pairs.filter(|(old, new)| old != new);
    let words = changed.map(|(old, new)| match (&*old, &*new) {
        ("", new) => format!("{new} was added"),
        (old, "") => format!("{old} was removed"),
        (old, new) => format!("{old} became {new}"),
    });
    words.collect()
}
