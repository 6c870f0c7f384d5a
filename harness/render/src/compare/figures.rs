//! What of each kind of record can be set beside another.

mod evaluation;
mod speed;

use std::collections::BTreeMap;

use super::Facts;
use crate::{
    battery,
    judge::{CONFIDENCE, FAMILY_ALPHA},
    number,
};
use bouquet_ground::record::{
    AttackRecords, AttackRow, BatteryRow, Figure, GateDocument, Recorded, Records, RunRow,
};
use bouquet_stats::{Interval, median, proportion};

/// What is compared.
pub enum Held {
    Records(Recorded),
    Gate(GateDocument),
}

/// A figure, with its 95 % interval if it is a sample.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    Number {
        value: f64,
        interval: Option<Interval>,
    },
    Word(String),
}

impl Measure {
    pub(super) fn interval(&self) -> Option<Interval> {
        match self {
            Self::Number { interval, .. } => *interval,
            Self::Word(_) => None,
        }
    }

    /// In words, as many digits as it carries.
    pub fn text(&self) -> String {
        match self {
            Self::Word(word) => word.clone(),
            Self::Number {
                value,
                interval: Some(interval),
            } => format!(
                "{} ({} to {})",
                number::significant(*value, 4),
                number::significant(interval.low, 4),
                number::significant(interval.high, 4)
            ),
            Self::Number { value, .. } => number::significant(*value, 9),
        }
    }

    fn exact(value: f64) -> Self {
        Self::Number {
            value,
            interval: None,
        }
    }

    /// The middle of samples; `None` of none.
    fn median(values: &[f64]) -> Option<Self> {
        let (value, interval) = median(values, CONFIDENCE)?;
        let interval = Some(interval);
        Some(Self::Number { value, interval })
    }

    fn rate(hits: u64, of: u64) -> Self {
        Self::Number {
            value: hits as f64 / of.max(1) as f64,
            interval: Some(proportion(hits, of, CONFIDENCE)),
        }
    }
}

/// By subject and what is measured.
type Figures = BTreeMap<(String, String), Measure>;

/// How many rows of each subject are errors: of all that have rows, so that a
/// first error is a change. Rows are given as subject and error.
fn errors<'a>(rows: impl Iterator<Item = (&'a str, &'a str)>) -> Figures {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (subject, error) in rows {
        *counts.entry(subject).or_default() += u64::from(!error.is_empty());
    }
    let count = |(subject, count): (&str, u64)| {
        let id = (subject.to_owned(), "errors".to_owned());
        (id, Measure::exact(count as f64))
    };
    counts.into_iter().map(count).collect()
}

/// The command whose records they are, the facts that tell runs apart, the
/// figures.
pub fn of(held: &Held) -> (&'static str, Facts, Figures) {
    match held {
        Held::Gate(document) => ("gate", of_gate_facts(document), of_gate(document)),
        Held::Records(Recorded::Evaluation(records)) => {
            ("evaluate", facts(records), evaluation::figures(records))
        }
        Held::Records(Recorded::Scoreboard(records)) => {
            ("peers", facts(records), of_scoreboard(records))
        }
        Held::Records(Recorded::Attack(records)) => {
            ("attack", facts(&records.about), of_attack(records))
        }
        Held::Records(Recorded::Battery(records)) => (
            "uniformity",
            facts(&records.about),
            of_battery(&records.rows),
        ),
        Held::Records(Recorded::Speed(records)) => {
            ("speed", facts(&records.about), speed::figures(records))
        }
    }
}

/// Facts that say nothing of what was measured.
fn is_telling(name: &str) -> bool {
    !matches!(name, "duration_s" | "command" | "schema_version") && !name.starts_with("baseline_")
}

fn facts(records: &Records) -> Facts {
    let run = records.run.iter().filter(|row| is_telling(&row.name));
    let run = run.map(|RunRow { name, value }| (name.clone(), value.clone()));
    let keys = records.datasets.iter().map(|set| {
        let origin = if set.sha256.is_empty() {
            &set.generator
        } else {
            &set.sha256
        };
        (
            format!("keys {}", set.dataset),
            format!("{} ({origin})", set.keys),
        )
    });
    run.chain(keys).collect()
}

fn of_gate_facts(document: &GateDocument) -> Facts {
    let run = document.run.iter().filter(|(name, _)| is_telling(name));
    let run = run.map(|(name, value)| (name.clone(), value.clone()));
    let keys = document.keys.iter().map(|set| {
        let count = set.keys.map_or(String::new(), |keys| keys.to_string());
        let origin = format!("{count} ({}{})", set.sha256, set.generator);
        (format!("keys {}", set.name), origin)
    });
    let configured = document.configuration.iter().map(|own| {
        let size = match (own.target_fpr, own.bits_per_key) {
            (Some(fpr), _) => format!("a target of {fpr}"),
            (_, bits) => format!("{} bits a key", bits.unwrap_or(f64::NAN)),
        };
        let words = format!(
            "{} for {} keys of {}, {size}",
            own.filter, own.capacity, own.keys
        );
        (format!("filter {}", own.name), words)
    });
    run.chain(keys).chain(configured).collect()
}

fn of_gate(document: &GateDocument) -> Figures {
    let of = |figure: &Figure| match figure {
        Figure::Digest { sha256 } => Measure::Word(sha256.chars().take(12).collect()),
        Figure::Count { count, .. } => Measure::exact(*count as f64),
        Figure::Rate { hits, asked, .. } => Measure::rate(*hits, *asked),
        Figure::Load { load, .. } => Measure::exact(*load),
        Figure::PValue { p, .. } if *p < FAMILY_ALPHA => Measure::Word("flagged".into()),
        Figure::PValue { .. } => Measure::Word("not flagged".into()),
        Figure::Ratio {
            ratio, low, high, ..
        } => Measure::Number {
            value: *ratio,
            interval: Some(Interval {
                low: *low,
                high: *high,
            }),
        },
        Figure::Error { error } => Measure::Word(error.clone()),
    };
    let rows = document.rows.iter().filter_map(|row| {
        let what = format!("{}: {}", row.tier.name(), row.what);
        Some(((row.subject.clone(), what), of(row.value.as_ref()?)))
    });
    rows.collect()
}

fn of_scoreboard(records: &Records) -> Figures {
    let rows = records.peers.iter();
    let mut figures = errors(rows.map(|row| (&*row.filter, &*row.error)));
    let mut rates: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for row in records.peers.iter().filter(|row| row.error.is_empty()) {
        let at = format!(
            "{} at load {}, {} keys of {} at {}",
            row.phase,
            row.load,
            number::count(row.capacity),
            row.dataset,
            row.target_fpr
        );
        if let Some(bytes) = row.allocated_bytes.filter(|_| row.replicate == 0) {
            let id = (row.filter.clone(), format!("bytes, {at}"));
            figures.insert(id, Measure::exact(bytes as f64));
        }
        let id = (row.filter.clone(), format!("FPR, {at}"));
        let (hits, asked) = rates.entry(id).or_default();
        *hits += row.false_positives;
        *asked += row.strangers_asked;
    }
    let rates = rates.into_iter().filter(|(_, (_, asked))| *asked > 0);
    figures.extend(rates.map(|(id, (hits, asked))| (id, Measure::rate(hits, asked))));
    figures
}

fn of_attack(records: &AttackRecords) -> Figures {
    let subject = |row: &AttackRow| format!("{} with {}", row.filter, row.hashing);
    let rows: Vec<_> = records
        .rows
        .iter()
        .map(|r| (subject(r), &r.error))
        .collect();
    let mut figures = errors(rows.iter().map(|(subject, error)| (&**subject, &***error)));
    for row in records.rows.iter().filter(|row| row.error.is_empty()) {
        let subject = subject(row);
        let what = format!("{} by {}, {} known", row.attack, row.method, row.knows);
        figures.insert(
            (subject.clone(), format!("{what}: outcome")),
            Measure::Word(row.outcome.clone()),
        );
        let rate = Measure::rate(row.succeeded, row.chosen);
        figures.insert((subject, format!("{what}: succeeded")), rate);
    }
    figures
}

fn of_battery(rows: &[BatteryRow]) -> Figures {
    locations(rows, &battery::judge(rows))
}

/// What the tests of locations came to.
fn locations(rows: &[BatteryRow], judgement: &battery::Judgement) -> Figures {
    let group = |group: &battery::Group| {
        let what = format!("{} slots, must: {}", number::count(group.slots), group.must);
        (
            (group.subject.clone(), what),
            Measure::Word(group.did.clone()),
        )
    };
    let mut figures = errors(rows.iter().map(|row| (&*row.subject, &*row.error)));
    figures.extend(judgement.groups.iter().map(group));
    figures
}
