//! Compares two runs: what changed, and by how much. It reads only their records.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::{
    battery, charts,
    columns::Value,
    evaluation, gate,
    judge::{self, FAMILY_ALPHA},
    number::{self, CONFIDENCE, Estimate},
    speed::score,
};
use bouquet_record::{Figure, GateDocument, Kind, Records, named};
use bouquet_stats::z_two_sided;

/// The records of a run.
pub enum Loaded {
    Records(Box<Records>),
    Gate(Box<GateDocument>),
}

/// A measured value.
#[derive(Clone, PartialEq, Debug)]
enum Measure {
    Word(String),
    Number(Estimate),
}

/// The measured values, by filter or scheme and by quantity.
type Figures = BTreeMap<(String, String), Measure>;
type Facts = BTreeMap<String, String>;

named! {
    /// The result of comparing a value of run A with the value of run B.
    pub enum Finding {
        Same = "same",
        /// The values differ by no more than chance explains.
        WithinChance = "within chance",
        Changed = "changed",
        OnlyA = "only in A",
        OnlyB = "only in B",
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    pub subject: String,
    pub what: String,
    pub a: Value,
    pub b: Value,
    /// B / A, with its 95 % interval if A and B have one.
    pub ratio: Option<Estimate>,
    pub finding: Finding,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The facts in which the runs differ: name, value in A, and value in B.
    pub differences: Vec<(String, String, String)>,
    pub changes: Vec<Change>,
}

/// Compares run A with run B. Fails if they are of different commands or have nothing to compare.
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
    let ratio = |id| ratio(figures_a.get(id)?, figures_b.get(id)?);
    // Bonferroni's correction over all ratios: two runs of the same program must show no change.
    let paired = ids.iter().filter(|id| ratio(**id).is_some()).count();
    let limit = z_two_sided(1.0 - FAMILY_ALPHA / paired.max(1) as f64);
    let changes = ids.into_iter().map(|id| {
        let (a, b) = (figures_a.get(id), figures_b.get(id));
        let value = |measure: Option<&Measure>| match measure {
            Some(Measure::Word(word)) => word.into(),
            Some(Measure::Number(number)) => number.value.into(),
            None => Value::Nothing,
        };
        Change {
            subject: id.0.clone(),
            what: id.1.clone(),
            a: value(a),
            b: value(b),
            ratio: ratio(id),
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

/// The ratio B / A of positive numbers. Its interval combines the intervals of A and B on the
/// logarithmic scale.
fn ratio(a: &Measure, b: &Measure) -> Option<Estimate> {
    let (Measure::Number(a), Measure::Number(b)) = (a, b) else {
        return None;
    };
    let ratio = Some(b.value / a.value).filter(|_| a.value > 0.0 && b.value > 0.0)?;
    let half = |of: &Estimate| (of.low > 0.0).then(|| (of.high / of.low).ln() / 2.0);
    let half = half(a)?.hypot(half(b)?);
    let ends = [ratio * (-half).exp(), ratio * half.exp()];
    Some(Estimate::new(ratio, ends))
}

fn finding(a: Option<&Measure>, b: Option<&Measure>, limit: f64) -> Finding {
    let (a, b) = match (a, b) {
        (_, None) => return Finding::OnlyA,
        (None, _) => return Finding::OnlyB,
        (Some(a), Some(b)) if a == b => return Finding::Same,
        (Some(a), Some(b)) => (a, b),
    };
    // A sampled figure may have changed only if each run's interval excludes the other's value.
    let holds = |own: &Estimate, other: &Estimate| (own.low..=own.high).contains(&other.value);
    let is_chance = match (ratio(a, b), a, b) {
        (_, Measure::Number(a), Measure::Number(b)) if holds(a, b) || holds(b, a) => true,
        (Some(ratio), ..) => {
            let half = (ratio.high / ratio.low).ln() / 2.0;
            ratio.value.ln().abs() / half * z_two_sided(CONFIDENCE) <= limit
        }
        // There is no ratio if one value is 0; overlapping intervals then count as within chance.
        (None, Measure::Number(a), Measure::Number(b)) => a.low <= b.high && b.low <= a.high,
        _ => false,
    };
    match is_chance {
        true => Finding::WithinChance,
        false => Finding::Changed,
    }
}

fn word(word: &str) -> Measure {
    Measure::Word(word.to_owned())
}

/// The command that made the records, the facts that may differ between runs, and the measured
/// values.
fn figures_of(loaded: &Loaded) -> (&'static str, Facts, Figures) {
    let set = |name: &str, keys: Option<u64>, origin: [&str; 2]| {
        let count = keys.map_or(String::new(), |keys| keys.to_string());
        (
            format!("keys {name}"),
            format!("{count} ({})", origin.concat()),
        )
    };
    let (kind, run, keys, figures): (_, _, Vec<_>, _) = match loaded {
        Loaded::Gate(document) => {
            let keys = document.keys.iter();
            let keys = keys.map(|own| set(&own.name, own.keys, [&own.sha256, &own.generator]));
            ("gate", &document.run, keys.collect(), of_gate(document))
        }
        Loaded::Records(records) => {
            let keys = records.datasets.iter();
            let keys =
                keys.map(|own| set(&own.dataset, Some(own.keys), [&own.sha256, &own.generator]));
            let figures = match records.kind {
                Kind::Evaluation => of_evaluation(records),
                Kind::Speed => of_speed(records),
            };
            (records.kind.name(), &records.facts, keys.collect(), figures)
        }
    };
    // These facts cannot explain a difference between measurements, so they are left out.
    let untelling = ["date", "duration_s", "command", "schema_version"];
    let mut facts = run.clone();
    facts.retain(|name, _| !untelling.contains(&&**name) && !name.starts_with("baseline_"));
    facts.extend(keys);
    (kind, facts, figures)
}

/// The data of the charts, the outcomes of the tests of locations, and the verdicts on filters.
fn of_evaluation(records: &Records) -> Figures {
    let judgement = judge::judge(records);
    let mut figures = Figures::new();
    let drawn = charts::all(records, &judgement);
    // p-values differ in every run, so only the outcomes of tests are compared.
    for figure in drawn.iter().filter(|figure| figure.name != "p-values") {
        for datum in &figure.data {
            let what = format!("{}, {}, {}", figure.name, datum.quantity, datum.at);
            figures.insert((datum.of.clone(), what), Measure::Number(datum.value));
        }
    }
    for cells in battery::groups(&judgement.locations) {
        let cell = battery::gravest(&cells);
        let slots = number::count(cell.first.slots);
        let what = format!("{slots} slots, expected: {}", cell.expected);
        // By chance, more tests than those that must find a known fault may find it.
        let is_found = cell.must_flag() && cell.outcome == judge::Outcome::Pass;
        let found = [&cell.observed, &cell.expected][usize::from(is_found)];
        figures.insert((cell.first.subject.clone(), what), word(found));
    }
    for row in evaluation::glances(records, &judgement) {
        let id = |what: &str| (row.subject.subject.clone(), what.to_owned());
        figures.insert(id("verdict"), word(row.verdict));
        // Where false negatives are possible, their number is a matter of chance.
        let missing = ["none", "some"][usize::from(row.false_negatives > 0)];
        figures.insert(id("false negatives"), word(missing));
    }
    figures
}

/// Net times per key, and the throughput of filters that threads share.
fn of_speed(records: &Records) -> Figures {
    let mut figures = Figures::new();
    let mut add = |name: String, what: String, estimate: Option<Estimate>| {
        figures.extend(estimate.map(|estimate| ((name, what), Measure::Number(estimate))));
    };
    for column in &score::columns(records) {
        for score in &column.scores {
            for (at, (operation, _)) in score::MEASURED.iter().enumerate() {
                let what = format!("ns, {operation}, {}", column.place());
                add(score.name.label(), what, score.ns(at));
            }
        }
    }
    for shared in &score::shared(records) {
        let keys = number::count(shared.capacity);
        for (operation, threads) in [("insert", 1), ("insert", 2), ("hit", 1), ("hit", 2)] {
            let what =
                format!("million keys per second, {operation}, {threads} threads, {keys} keys");
            let rate = shared.rate(operation, threads);
            add(shared.name.label(), what, rate);
        }
    }
    figures
}

fn of_gate(document: &GateDocument) -> Figures {
    let of = |figure: &Figure| match (figure, gate::measured(figure)) {
        (_, Some((number, _))) => Measure::Number(number),
        (Figure::PValue { p, .. }, _) if *p < FAMILY_ALPHA => word("flagged"),
        (Figure::PValue { .. }, _) => word("not flagged"),
        _ => word(&gate::figure(figure)),
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
        let exact = |value| Measure::Number(Estimate::exact(value));
        let limit = z_two_sided(1.0 - FAMILY_ALPHA);
        let sample = |x, ends| Measure::Number(Estimate::new(x, ends));
        let near = |x: f64| sample(x, [x * 0.95, x * 1.05]);
        let none = sample(0.0, [0.0, 3e-4]);
        for (a, b, wanted) in [
            (near(1.0), near(1.0), Finding::Same),
            (near(1.0), near(1.08), Finding::WithinChance),
            (near(1.0), near(1.3), Finding::Changed),
            // The interval of one run holds the other's value, though they differ by significance.
            (
                sample(1.0, [0.99, 3.0]),
                sample(2.9, [2.8, 3.0]),
                Finding::WithinChance,
            ),
            // Exact values have no random error.
            (exact(8.0), exact(9.0), Finding::Changed),
            (word("a"), word("a"), Finding::Same),
            (word("a"), word("b"), Finding::Changed),
            // The difference between no hits and a few hits may be chance.
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
    fn a_ratio_has_the_interval_of_both() {
        let sample = |x, ends| Measure::Number(Estimate::new(x, ends));
        let ratio = ratio(&sample(2.0, [1.0, 4.0]), &sample(4.0, [4.0, 4.0])).unwrap();
        assert_eq!(ratio.value, 2.0);
        assert!((ratio.low - 1.0).abs() < 1e-12 && (ratio.high - 4.0).abs() < 1e-12);
    }
}
