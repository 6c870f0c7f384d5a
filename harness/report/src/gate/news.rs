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
    let mut subjects: Vec<&str> = all.map(|row| row.subject.as_str()).collect();
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
    let own = rows.iter().filter(|row| row.subject == subject);
    if own.clone().all(|row| row.value.is_none()) {
        return vec![super::GONE.into()];
    }
    let own = own.filter(|row| is_news(row));
    let mut changes: Vec<String> = own.clone().filter_map(change).collect();
    let digests = own.filter(|row| matches!(row.value, Some(Figure::Digest { .. })));
    match digests.count() as u64 {
        0 => {}
        count => changes.push(format!(
            "{} of bits or bytes",
            number::plural(count, "other digest")
        )),
    }
    changes
}

/// Whether a row failed, or its value changed by more than chance.
fn is_news(row: &GateRow) -> bool {
    let is_sampled = matches!(row.value, Some(Figure::Rate { .. }));
    row.standing >= Outcome::Fail || row.changed && !is_sampled
}

fn of(run: &Run<'_>, rows: &[GateRow], subject: &str) -> String {
    let old = run
        .baseline
        .and_then(|baseline| baseline.configured(subject));
    let new = run.configuration.iter().find(|own| own.name == subject);
    let otherwise = match (old, new) {
        (Some((old, _)), Some(new)) => defined(old, new),
        _ => Vec::new(),
    };
    let mut all = format!("{subject}: {}", changes(rows, subject).join(", "));
    if !otherwise.is_empty() {
        all += &format!("; {} in {}", otherwise.join(", "), run.definition);
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
