//! Compares two runs: what changed, and by how much. It reads only their records.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::{
    battery, charts,
    columns::Value,
    estimate::Estimate,
    gate, glance, judge,
    levels::{CONFIDENCE, FAMILY_ALPHA},
    number,
    speed::{score, threads},
};
use bouquet_record::named;
use bouquet_record::{Figure, GateDocument, Kind, Records};
use bouquet_stats::{Interval, z_two_sided};

/// One side of a comparison.
pub enum Loaded {
    Records(Box<Records>),
    Gate(Box<GateDocument>),
}

/// A number or a word of a run; a sample has its interval.
type Measure = (Value, Option<Interval>);
/// By subject and quantity.
type Figures = BTreeMap<(String, String), Measure>;
type Facts = BTreeMap<String, String>;

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
    pub a: Value,
    pub b: Value,
    /// B / A.
    pub ratio: Option<f64>,
    /// The 95 % interval of the ratio, if both are samples.
    pub interval: Option<Interval>,
    pub finding: Finding,
}

/// A comparison of two runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The facts of the runs that differ: name, value in A, and value in B.
    pub differences: Vec<(String, String, String)>,
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
    let only_b = figures_b.keys().filter(|id| !figures_a.contains_key(*id));
    let ids: Vec<_> = figures_a.keys().chain(only_b).collect();
    let both = |id| Some((figures_a.get(id)?, figures_b.get(id)?));
    let pairs = ids.iter().filter_map(|id| both(*id));
    let paired = pairs.filter(|(a, b)| ratio(a, b).is_some()).count();
    // Bonferroni's correction, so that two runs of the same thing show no change.
    let limit = z_two_sided(1.0 - FAMILY_ALPHA / paired.max(1) as f64);
    let changes = ids.into_iter().map(|id| {
        let (a, b) = (figures_a.get(id), figures_b.get(id));
        let ratio = both(id).and_then(|(a, b)| ratio(a, b));
        let value = |measure: Option<&Measure>| measure.map(|(value, _)| value.clone()).into();
        Change {
            subject: id.0.clone(),
            what: id.1.clone(),
            a: value(a),
            b: value(b),
            ratio: ratio.map(|(ratio, _)| ratio),
            interval: ratio.and_then(|(_, interval)| interval),
            finding: finding(a, b, limit),
        }
    });
    let names: BTreeSet<&String> = facts_a.keys().chain(facts_b.keys()).collect();
    let facts = names.into_iter().map(|name| {
        let of = |facts: &Facts| facts.get(name).cloned().unwrap_or_default();
        (name.clone(), of(&facts_a), of(&facts_b))
    });
    Ok(Comparison {
        differences: facts.filter(|(_, a, b)| a != b).collect(),
        changes: changes.collect(),
    })
}

/// The ratio B / A; its interval combines those of A and B on the logarithmic scale.
fn ratio((a, of_a): &Measure, (b, of_b): &Measure) -> Option<(f64, Option<Interval>)> {
    let (Value::Number(a), Value::Number(b)) = (a, b) else {
        return None;
    };
    if *a <= 0.0 || *b <= 0.0 {
        return None;
    }
    let ratio = b / a;
    let half = |interval: &Option<Interval>| {
        let interval = interval.filter(|i| i.low > 0.0)?;
        Some((interval.high / interval.low).ln() / 2.0)
    };
    let interval = half(of_a).zip(half(of_b)).map(|(a, b)| {
        let half = a.hypot(b);
        Interval::new(ratio * (-half).exp(), ratio * half.exp())
    });
    Some((ratio, interval))
}

fn finding(a: Option<&Measure>, b: Option<&Measure>, limit: f64) -> Finding {
    let (a, b) = match (a, b) {
        (_, None) => return Finding::OnlyA,
        (None, _) => return Finding::OnlyB,
        (Some(a), Some(b)) => (a, b),
    };
    let is_chance = match (ratio(a, b), a.1, b.1) {
        _ if a == b => return Finding::Same,
        (Some((ratio, Some(interval))), ..) => {
            let half = (interval.high / interval.low).ln() / 2.0;
            ratio.ln().abs() / half * z_two_sided(CONFIDENCE) <= limit
        }
        // One of the values is 0: overlapping intervals are within chance.
        (_, Some(a), Some(b)) => a.low <= b.high && b.low <= a.high,
        _ => false,
    };
    match is_chance {
        true => Finding::WithinChance,
        false => Finding::Changed,
    }
}

fn exact(value: f64) -> Measure {
    (Value::Number(value), None)
}

fn sample(value: f64, [low, high]: [f64; 2]) -> Measure {
    (Value::Number(value), Some(Interval::new(low, high)))
}

fn word(word: &str) -> Measure {
    (word.into(), None)
}

/// The command that made the records, the facts that distinguish runs, and the measured values.
fn figures_of(loaded: &Loaded) -> (&'static str, Facts, Figures) {
    let set = |name: &str, keys: Option<u64>, sha256: &str, generator: &str| {
        let count = keys.map_or(String::new(), |keys| keys.to_string());
        let origin = format!("{count} ({sha256}{generator})");
        (format!("keys {name}"), origin)
    };
    let (kind, run, keys, figures): (_, _, Vec<_>, _) = match loaded {
        Loaded::Gate(document) => {
            let keys = document.keys.iter();
            let keys = keys.map(|own| set(&own.name, own.keys, &own.sha256, &own.generator));
            ("gate", &document.run, keys.collect(), of_gate(document))
        }
        Loaded::Records(records) => {
            let keys = records.datasets.iter();
            let keys =
                keys.map(|own| set(&own.dataset, Some(own.keys), &own.sha256, &own.generator));
            let figures = match records.kind {
                Kind::Evaluation => of_evaluation(records),
                Kind::Speed => of_speed(records),
            };
            let kind = records.kind.name();
            (kind, &records.facts, keys.collect(), figures)
        }
    };
    // Other facts cannot explain a difference between measurements.
    let is_telling = |name: &str| {
        !matches!(name, "date" | "duration_s" | "command" | "schema_version")
            && !name.starts_with("baseline_")
    };
    let mut facts = run.clone();
    facts.retain(|name, _| is_telling(name));
    facts.extend(keys);
    (kind, facts, figures)
}

/// The data of the charts, the tests of locations, the verdict on each filter, and its errors.
fn of_evaluation(records: &Records) -> Figures {
    let judgement = judge::judge(records);
    let mut figures = Figures::new();
    let drawn = charts::all(records, &judgement);
    // p-values differ in every run, so for tests only the outcomes are compared.
    for figure in drawn.iter().filter(|figure| figure.name != "p-values") {
        for datum in &figure.data {
            let what = format!("{}, {}, {}", figure.name, datum.quantity, datum.at);
            let (value, ends) = (datum.value.0, datum.value.1);
            let measure = ends.map_or(exact(value), |ends| sample(value, ends));
            figures.insert((datum.of.clone(), what), measure);
        }
    }
    for cells in battery::groups(&judgement.locations) {
        let cell = battery::gravest(&cells);
        let slots = number::count(cell.first.slots);
        let what = format!("{slots} slots, expected: {}", cell.expected);
        figures.insert((cell.first.subject.clone(), what), word(&cell.observed));
    }
    for row in glance::rows(records, &judgement) {
        let id = |what: &str| (row.subject.subject.clone(), what.to_owned());
        figures.insert(id("verdict"), word(row.verdict));
        figures.insert(id("false negatives"), exact(row.false_negatives as f64));
    }
    let filters = records
        .fpr
        .iter()
        .chain(&records.churn)
        .chain(&records.memory);
    let filters = filters.map(|row| (&*row.filter, &*row.error));
    let schemes = records.battery.iter().chain(&records.location_sets);
    let schemes = schemes.map(|row| (&*row.subject, &*row.error));
    add_errors(&mut figures, filters.chain(schemes));
    figures
}

/// Net times and rates, by what was timed.
fn of_speed(records: &Records) -> Figures {
    let mut figures = Figures::new();
    let mut add = |name: String, what: String, estimate: Option<Estimate>| {
        let measure = estimate.map(|estimate| sample(estimate.value, estimate.ends()));
        figures.extend(measure.map(|measure| ((name, what), measure)));
    };
    for column in &score::columns(records) {
        for score in &column.scores {
            for (at, operation) in score::MEASURED.iter().enumerate() {
                let what = format!("ns, {operation}, {}", column.place());
                add(score.name.label(), what, score.middle(at));
            }
        }
    }
    for shared in &threads::shared(records) {
        for (operation, threads) in [("insert", 1), ("insert", 2), ("hit", 1), ("hit", 2)] {
            let keys = number::count(shared.capacity);
            let what =
                format!("million keys per second, {operation}, {threads} threads, {keys} keys");
            let rate = shared.rate(operation, threads);
            add(shared.name.label(), what, rate);
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
        let (count, _) = figures.entry(id).or_insert(exact(0.0));
        if let (Value::Number(count), false) = (count, error.is_empty()) {
            *count += 1.0;
        }
    }
}

fn of_gate(document: &GateDocument) -> Figures {
    let of = |figure: &Figure| match figure {
        Figure::Digest { .. } | Figure::Error { .. } => word(&gate::figure(figure)),
        Figure::Count { count, .. } => exact(*count as f64),
        Figure::Load { load, .. } => exact(*load),
        Figure::PValue { p, .. } if *p < FAMILY_ALPHA => word("flagged"),
        Figure::PValue { .. } => word("not flagged"),
        Figure::Rate {
            rate, low, high, ..
        } => sample(*rate, [*low, *high]),
        Figure::Ratio {
            ratio, low, high, ..
        } => sample(*ratio, [*low, *high]),
    };
    let rows = document.rows.iter().filter_map(|row| {
        let what = format!("{}: {}", row.tier.name(), row.what);
        Some(((row.subject.clone(), what), of(row.value.as_ref()?)))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_and_change_are_distinguished() {
        let limit = z_two_sided(1.0 - FAMILY_ALPHA);
        let near = |x: f64| sample(x, [x * 0.95, x * 1.05]);
        let none = sample(0.0, [0.0, 3e-4]);
        for (a, b, wanted) in [
            (near(1.0), near(1.0), Finding::Same),
            (near(1.0), near(1.08), Finding::WithinChance),
            (near(1.0), near(1.3), Finding::Changed),
            // Exact values have no random error.
            (exact(8.0), exact(9.0), Finding::Changed),
            (word("a"), word("a"), Finding::Same),
            (word("a"), word("b"), Finding::Changed),
            // No hits are within chance of few.
            (
                none.clone(),
                sample(1e-4, [1e-5, 4e-4]),
                Finding::WithinChance,
            ),
            (none, sample(1e-2, [0.9e-2, 1.1e-2]), Finding::Changed),
        ] {
            assert_eq!(finding(Some(&a), Some(&b), limit), wanted, "{a:?} {b:?}");
        }
    }

    #[test]
    fn nothing_to_compare_is_no_comparison() {
        let none = || Loaded::Records(Box::default());
        let error = compare(&none(), &none()).unwrap_err().to_string();
        assert!(error.contains("neither A nor B"), "{error}");
    }

    #[test]
    fn an_error_is_a_figure() {
        let mut figures = Figures::new();
        let errors = [("a", ""), ("b", ""), ("b", "broke")];
        add_errors(&mut figures, errors.into_iter());
        let count = |name: &str| figures[&(name.to_owned(), "errors".to_owned())].clone();
        assert_eq!((count("a"), count("b")), (exact(0.0), exact(1.0)));
    }

    #[test]
    fn a_ratio_has_the_interval_of_both() {
        let both = ratio(&sample(2.0, [1.0, 4.0]), &sample(4.0, [4.0, 4.0]));
        let (ratio, interval) = both.unwrap();
        let interval = interval.unwrap();
        assert_eq!(ratio, 2.0);
        assert!((interval.low - 1.0).abs() < 1e-12 && (interval.high - 4.0).abs() < 1e-12);
    }
}
