//! Compares two runs: what changed, and by how much. It reads only their records.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::{
    charts,
    estimate::Estimate,
    gate, glance, judge,
    levels::{CONFIDENCE, FAMILY_ALPHA},
    number,
    speed::{self, score},
};
use bouquet_ground::named;
use bouquet_ground::record::{Figure, GateDocument, Kind, Records};
use bouquet_stats::{Interval, z_two_sided};

/// One side of a comparison.
pub enum Loaded {
    Records(Box<Records>),
    Gate(Box<GateDocument>),
}

/// A value of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum Measure {
    Exact(f64),
    Sample(Estimate),
    Word(String),
}

impl Measure {
    /// The number, with its interval if it is a sample.
    pub fn number(&self) -> Option<(f64, Option<Interval>)> {
        match self {
            Self::Exact(value) => Some((*value, None)),
            Self::Sample(Estimate { value, interval }) => Some((*value, Some(*interval))),
            Self::Word(_) => None,
        }
    }
}

/// A subject and the name of a quantity measured of it.
type Id = (String, String);
type Figures = BTreeMap<Id, Measure>;

named! {
    /// The result of comparing one row.
    pub enum Finding {
        Same = "same",
        /// The samples differ by no more than two samples of the same thing may.
        WithinChance = "within chance",
        Changed = "changed",
        OnlyA = "only in A",
        OnlyB = "only in B",
    }
}

/// One row of the comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    pub subject: String,
    pub what: String,
    pub a: Option<Measure>,
    pub b: Option<Measure>,
    /// The ratio B / A, with its 95 % interval if both values have one.
    pub ratio: Option<(f64, Option<Interval>)>,
    pub finding: Finding,
}

/// A fact of the runs that differs: its name, its value in A, and its value in B.
pub type Difference = (String, String, String);

/// A comparison of two runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub differences: Vec<Difference>,
    pub changes: Vec<Change>,
}

/// Compares A with B.
///
/// Fails if they are not records of the same command, or have nothing to compare.
pub fn compare(a: &Loaded, b: &Loaded) -> Result<Comparison> {
    let (kind_a, facts_a, figures_a) = figures_of(a);
    let (kind_b, facts_b, figures_b) = figures_of(b);
    if kind_a != kind_b {
        bail!("A has records of bouquet {kind_a}, B of bouquet {kind_b}: compare like with like");
    }
    if figures_a.is_empty() && figures_b.is_empty() {
        bail!("neither A nor B has a figure that could be compared");
    }
    let mut changes = Vec::new();
    for (id, measure) in &figures_a {
        changes.push(change(id, Some(measure), figures_b.get(id)));
    }
    for (id, measure) in &figures_b {
        if !figures_a.contains_key(id) {
            changes.push(change(id, None, Some(measure)));
        }
    }
    let paired = changes.iter().filter(|c| c.ratio.is_some()).count();
    // Bonferroni's correction, so that two runs of the same thing show no change.
    let limit = z_two_sided(1.0 - FAMILY_ALPHA / paired.max(1) as f64);
    for change in &mut changes {
        change.finding = finding(change, limit);
    }
    Ok(Comparison {
        differences: differences(&facts_a, &facts_b),
        changes,
    })
}

fn change((subject, what): &Id, a: Option<&Measure>, b: Option<&Measure>) -> Change {
    Change {
        subject: subject.clone(),
        what: what.clone(),
        ratio: a.zip(b).and_then(|(a, b)| ratio(a, b)),
        a: a.cloned(),
        b: b.cloned(),
        finding: Finding::Same,
    }
}

/// The ratio B / A; its interval combines those of A and B on the logarithmic scale.
fn ratio(a: &Measure, b: &Measure) -> Option<(f64, Option<Interval>)> {
    let ((x, of_x), (y, of_y)) = (a.number()?, b.number()?);
    if x <= 0.0 || y <= 0.0 {
        return None;
    }
    let ratio = y / x;
    let half = |interval: Option<Interval>| {
        let interval = interval.filter(|i| i.low > 0.0)?;
        Some((interval.high / interval.low).ln() / 2.0)
    };
    let interval = half(of_x).zip(half(of_y)).map(|(x, y)| {
        let half = x.hypot(y);
        Interval::new(ratio * (-half).exp(), ratio * half.exp())
    });
    Some((ratio, interval))
}

fn finding(change: &Change, limit: f64) -> Finding {
    let interval = |measure: &Measure| measure.number()?.1;
    match (&change.a, &change.b) {
        (_, None) => Finding::OnlyA,
        (None, _) => Finding::OnlyB,
        (Some(a), Some(b)) if a == b => Finding::Same,
        (Some(a), Some(b)) => match change.ratio {
            Some((ratio, Some(interval))) => {
                let half = (interval.high / interval.low).ln() / 2.0;
                let z = ratio.ln().abs() / half * z_two_sided(CONFIDENCE);
                if z > limit {
                    Finding::Changed
                } else {
                    Finding::WithinChance
                }
            }
            // One of the values is 0: overlapping intervals are within chance.
            _ => match (interval(a), interval(b)) {
                (Some(a), Some(b)) if a.low <= b.high && b.low <= a.high => Finding::WithinChance,
                _ => Finding::Changed,
            },
        },
    }
}

/// The command that made the records, the facts that distinguish runs, and the measured values.
fn figures_of(loaded: &Loaded) -> (&'static str, Facts, Figures) {
    match loaded {
        Loaded::Gate(document) => ("gate", facts_of_gate(document), of_gate(document)),
        Loaded::Records(records) => {
            let figures = match records.kind {
                Kind::Evaluation => of_evaluation(records),
                Kind::Speed => of_speed(records),
            };
            (records.kind.name(), facts(records), figures)
        }
    }
}

/// The data of the charts, the tests of locations, the verdict on each filter, and its errors.
fn of_evaluation(records: &Records) -> Figures {
    let judgement = judge::judge(records);
    let mut figures = Figures::new();
    for figure in charts::all(records, &judgement) {
        for datum in &figure.data {
            let what = format!("{}, {}, {}", figure.name, datum.quantity, datum.at);
            let sample = |[low, high]: [f64; 2]| gate::estimate(datum.value, low, high);
            let measure = match datum.ends {
                Some(ends) => Measure::Sample(sample(ends)),
                None => Measure::Exact(datum.value),
            };
            // p-values differ in every run, so for tests only the outcomes are compared.
            if figure.name != "p-values" {
                figures.insert((datum.of.clone(), what), measure);
            }
        }
    }
    for group in &judgement.locations.groups {
        let tested = &group.gravest;
        let slots = number::count(tested.first.slots);
        let what = format!("{slots} slots, expected: {}", tested.expected);
        let measure = Measure::Word(tested.observed.clone());
        figures.insert((tested.first.subject.clone(), what), measure);
    }
    for row in glance::rows(records, &judgement) {
        let name = row.subject.subject.clone();
        let verdict = Measure::Word(row.verdict.to_owned());
        figures.insert((name.clone(), "verdict".to_owned()), verdict);
        let missing = Measure::Exact(row.false_negatives as f64);
        figures.insert((name, "false negatives".to_owned()), missing);
    }
    let of_filters = records
        .fpr
        .iter()
        .chain(&records.churn)
        .chain(&records.memory);
    let of_filters = of_filters.map(|row| (&*row.filter, &*row.error));
    let of_schemes = records.battery.iter().chain(&records.location_sets);
    let of_schemes = of_schemes.map(|row| (&*row.subject, &*row.error));
    add_errors(&mut figures, of_filters.chain(of_schemes));
    figures
}

/// Net times and rates, by what was timed.
fn of_speed(records: &Records) -> Figures {
    let mut figures = Figures::new();
    for column in &score::columns(records) {
        for score in &column.scores {
            for (at, operation) in score::MEASURED.iter().enumerate() {
                let what = format!("ns, {operation}, {}", speed::title(column));
                let net = score.middle(at).map(Measure::Sample);
                figures.extend(net.map(|net| ((score.name.label(), what), net)));
            }
        }
    }
    for shared in &speed::threads::shared(records) {
        for (operation, threads) in [("insert", 1), ("insert", 2), ("hit", 1), ("hit", 2)] {
            let capacity = number::count(shared.capacity);
            let what =
                format!("million keys per second, {operation}, {threads} threads, {capacity} keys");
            let rate = shared.rate(operation, threads).map(Measure::Sample);
            figures.extend(rate.map(|rate| ((shared.name.label(), what), rate)));
        }
    }
    let rows = records.times.iter();
    add_errors(&mut figures, rows.map(|row| (&*row.subject, &*row.error)));
    figures
}

/// Counts the errors of every subject that has rows, so that a first error shows as a change.
fn add_errors<'a>(figures: &mut Figures, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    for (subject, error) in rows {
        let id = (subject.to_owned(), "errors".to_owned());
        let count = figures.entry(id).or_insert(Measure::Exact(0.0));
        if let (Measure::Exact(count), false) = (count, error.is_empty()) {
            *count += 1.0;
        }
    }
}

/// Whether a fact can explain a difference between measurements.
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

fn facts_of_gate(document: &GateDocument) -> Facts {
    let run = document.run.iter().filter(|(name, _)| is_telling(name));
    let run = run.map(|(name, value)| (name.clone(), value.clone()));
    let keys = document.keys.iter().map(|set| {
        let count = set.keys.map_or(String::new(), |keys| keys.to_string());
        let origin = format!("{count} ({}{})", set.sha256, set.generator);
        (format!("keys {}", set.name), origin)
    });
    run.chain(keys).collect()
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
    let rows = document.rows.iter().filter_map(|row| {
        let what = format!("{}: {}", row.tier.name(), row.what);
        Some(((row.subject.clone(), what), of(row.value.as_ref()?)))
    });
    rows.collect()
}

type Facts = BTreeMap<String, String>;

fn differences(a: &Facts, b: &Facts) -> Vec<Difference> {
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let of = |facts: &Facts, name: &str| facts.get(name).cloned().unwrap_or_default();
    names
        .into_iter()
        .map(|name| (name.clone(), of(a, name), of(b, name)))
        .filter(|(_, a, b)| a != b)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64, interval: Option<(f64, f64)>) -> Measure {
        let sample = |(low, high)| Estimate {
            value,
            interval: Interval { low, high },
        };
        interval.map_or(Measure::Exact(value), |ends| Measure::Sample(sample(ends)))
    }

    fn found(a: Measure, b: Measure) -> Finding {
        let one = change(&("s".into(), "w".into()), Some(&a), Some(&b));
        finding(&one, z_two_sided(1.0 - FAMILY_ALPHA))
    }

    #[test]
    fn chance_and_change_are_distinguished() {
        let near = |x: f64| number(x, Some((x * 0.95, x * 1.05)));
        assert_eq!(found(near(1.0), near(1.0)), Finding::Same);
        assert_eq!(found(near(1.0), near(1.08)), Finding::WithinChance);
        assert_eq!(found(near(1.0), near(1.3)), Finding::Changed);
        // Exact values have no random error.
        assert_eq!(
            found(number(8.0, None), number(9.0, None)),
            Finding::Changed
        );
        let word = |word: &str| Measure::Word(word.into());
        assert_eq!(found(word("a"), word("a")), Finding::Same);
        assert_eq!(found(word("a"), word("b")), Finding::Changed);
    }

    #[test]
    fn nothing_to_compare_is_no_comparison() {
        let none = || Loaded::Records(Box::default());
        let error = compare(&none(), &none()).unwrap_err().to_string();
        assert!(error.contains("neither A nor B"), "{error}");
    }

    #[test]
    fn no_hits_are_within_chance_of_few() {
        let none = number(0.0, Some((0.0, 3e-4)));
        assert_eq!(
            found(none.clone(), number(1e-4, Some((1e-5, 4e-4)))),
            Finding::WithinChance
        );
        assert_eq!(
            found(none, number(1e-2, Some((0.9e-2, 1.1e-2)))),
            Finding::Changed
        );
    }

    #[test]
    fn an_error_is_a_figure() {
        let mut figures = Figures::new();
        add_errors(
            &mut figures,
            [("a", ""), ("b", ""), ("b", "broke")].into_iter(),
        );
        let count = |name: &str| figures[&(name.to_owned(), "errors".to_owned())].clone();
        assert_eq!(count("a"), Measure::Exact(0.0));
        assert_eq!(count("b"), Measure::Exact(1.0));
    }

    #[test]
    fn a_ratio_has_the_interval_of_both() {
        let (ratio, interval) = ratio(
            &number(2.0, Some((1.0, 4.0))),
            &number(4.0, Some((4.0, 4.0))),
        )
        .unwrap();
        let interval = interval.unwrap();
        assert_eq!(ratio, 2.0);
        assert!((interval.low - 1.0).abs() < 1e-12 && (interval.high - 4.0).abs() < 1e-12);
    }
}
