//! What of each kind of record can be compared.

mod evaluation;
mod speed;

use std::collections::BTreeMap;

use super::Facts;
use crate::{battery, estimate::Estimate, gate, levels::FAMILY_ALPHA, number};
use bouquet_ground::record::{Figure, GateDocument, Kind, Records};
use bouquet_stats::Interval;

/// What is compared.
pub enum Loaded {
    Records(Box<Records>),
    Gate(Box<GateDocument>),
}

/// What is compared of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    Exact(f64),
    Sample(Estimate),
    Word(String),
}

impl Measure {
    /// With its interval, if it is a sample.
    pub fn number(&self) -> Option<(f64, Option<Interval>)> {
        match self {
            Self::Exact(value) => Some((*value, None)),
            Self::Sample(Estimate { value, interval }) => Some((*value, Some(*interval))),
            Self::Word(_) => None,
        }
    }

    /// In words, as many digits as it carries.
    pub fn text(&self) -> String {
        match self {
            Self::Exact(value) => number::significant(*value, 9),
            Self::Sample(sample) => sample.words(|x| number::significant(x, 4)),
            Self::Word(word) => word.clone(),
        }
    }
}

/// A subject and what is measured of it.
pub type Id = (String, String);

/// Figures as they come: of what has several rows, counts and rates add up, and of
/// times the middle is taken.
#[derive(Default)]
pub struct Figures {
    whole: BTreeMap<Id, Measure>,
    counts: BTreeMap<Id, u64>,
    rates: BTreeMap<Id, (u64, u64)>,
    times: BTreeMap<Id, Vec<f64>>,
}

impl Figures {
    fn put(&mut self, subject: &str, what: impl Into<String>, measure: Measure) {
        self.whole.insert((subject.into(), what.into()), measure);
    }

    fn count(&mut self, subject: &str, what: &str, count: u64) {
        let id = (subject.into(), what.into());
        *self.counts.entry(id).or_default() += count;
    }

    fn rate(&mut self, subject: &str, what: String, hits: u64, asked: u64) {
        let rate = self.rates.entry((subject.into(), what)).or_default();
        *rate = (rate.0 + hits, rate.1 + asked);
    }

    fn time(&mut self, subject: &str, what: String, ns: f64) {
        let times = self.times.entry((subject.into(), what)).or_default();
        times.push(ns);
    }

    /// Whether a row is none of an error. Of all subjects that have rows the errors are
    /// counted, so that a first one is a change.
    fn is_sound(&mut self, subject: &str, error: &str) -> bool {
        self.count(subject, "errors", u64::from(!error.is_empty()));
        error.is_empty()
    }

    pub fn all(self) -> BTreeMap<Id, Measure> {
        let counts = self.counts.into_iter();
        let counts = counts.map(|(id, count)| (id, Measure::Exact(count as f64)));
        let rates = self.rates.into_iter();
        let rates =
            rates.map(|(id, (hits, asked))| (id, Measure::Sample(Estimate::share(hits, asked))));
        let times = self.times.into_iter().filter_map(|(id, times)| {
            let middle = Estimate::median(times.into_iter())?;
            Some((id, Measure::Sample(middle)))
        });
        let mut all = self.whole;
        all.extend(counts.chain(rates).chain(times));
        all
    }
}

/// The command whose records they are, the facts that tell runs apart, the
/// figures.
pub fn of(loaded: &Loaded) -> (&'static str, Facts, BTreeMap<Id, Measure>) {
    let records = match loaded {
        Loaded::Gate(document) => {
            return ("gate", of_gate_facts(document), of_gate(document).all());
        }
        Loaded::Records(records) => records,
    };
    let figures = match records.kind {
        Kind::Evaluation => evaluation::figures(records),
        Kind::Speed => speed::figures(records),
    };
    (records.kind.name(), facts(records), figures.all())
}

/// Facts that say nothing of what was measured.
fn is_telling(name: &str) -> bool {
    !matches!(name, "date" | "duration_s" | "command" | "schema_version")
        && !name.starts_with("baseline_")
}

fn facts(records: &Records) -> Facts {
    let run = records.facts.iter().filter(|(name, _)| is_telling(name));
    let run = run.map(|(name, value)| (name.clone(), value.clone()));
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
            (_, bits) => format!("{} bits per key", bits.unwrap_or(f64::NAN)),
        };
        let words = format!(
            "{} for {} keys of {}, {size}{}",
            own.filter,
            own.capacity,
            own.keys,
            own.chosen.after(", ")
        );
        (format!("filter {}", own.name), words)
    });
    run.chain(keys).chain(configured).collect()
}

fn of_gate(document: &GateDocument) -> Figures {
    let of = |figure: &Figure| match figure {
        Figure::Digest { sha256 } => Measure::Word(sha256.chars().take(12).collect()),
        Figure::Count { count, .. } => Measure::Exact(*count as f64),
        Figure::Rate { hits, asked, .. } => Measure::Sample(Estimate::share(*hits, *asked)),
        Figure::Load { load, .. } => Measure::Exact(*load),
        Figure::PValue { p, .. } if *p < FAMILY_ALPHA => Measure::Word("flagged".into()),
        Figure::PValue { .. } => Measure::Word("not flagged".into()),
        Figure::Ratio {
            ratio, low, high, ..
        } => Measure::Sample(gate::estimate(*ratio, *low, *high)),
        Figure::Error { error } => Measure::Word(error.clone()),
    };
    let mut figures = Figures::default();
    for row in &document.rows {
        if let Some(value) = &row.value {
            let what = format!("{}: {}", row.tier.name(), row.what);
            figures.put(&row.subject, what, of(value));
        }
    }
    figures
}

/// What the tests of locations came to.
fn locations(records: &Records, judgement: &battery::Judgement) -> Figures {
    let mut figures = Figures::default();
    for row in records.battery.iter().chain(&records.location_sets) {
        figures.is_sound(&row.subject, &row.error);
    }
    for group in &judgement.groups {
        let what = format!(
            "{} slots, expected: {}",
            number::count(group.gravest.first.slots),
            group.gravest.expected
        );
        figures.put(
            &group.gravest.first.subject,
            what,
            Measure::Word(group.gravest.observed.clone()),
        );
    }
    figures
}
