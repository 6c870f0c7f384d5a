//! Two records side by side: what changed, by how much. Reads records alone.

mod figures;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};

use super::levels::{CONFIDENCE, FAMILY_ALPHA};
use bouquet_ground::named;
use bouquet_stats::{Interval, z_two_sided};
use figures::Id;
pub use figures::{Loaded, Measure};

named! {
    /// What to think of a row.
    pub enum Finding {
        Same = "same",
        /// Two samples of one thing may differ so much.
        WithinChance = "within chance",
        Changed = "changed",
        OnlyA = "only in A",
        OnlyB = "only in B",
    }
}

/// A row of the comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    pub subject: String,
    pub what: String,
    pub a: Option<Measure>,
    pub b: Option<Measure>,
    /// B over A, with its 95 % interval where both have one.
    pub ratio: Option<(f64, Option<Interval>)>,
    pub finding: Finding,
}

/// A fact that differs: its name, in A, in B.
pub type Difference = (String, String, String);

/// The comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub differences: Vec<Difference>,
    pub changes: Vec<Change>,
}

/// Sets two beside each other.
///
/// Fails if they are not records of the same command, or have nothing to compare.
pub fn compare(a: &Loaded, b: &Loaded) -> Result<Comparison> {
    let (kind_a, facts_a, figures_a) = figures::of(a);
    let (kind_b, facts_b, figures_b) = figures::of(b);
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
    // So that a comparison of two runs of the same thing calls nothing changed.
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

/// B over A; the interval by adding the two on the logarithmic scale.
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
            // No hits in one of them: the intervals say whether that is much.
            _ => match (interval(a), interval(b)) {
                (Some(a), Some(b)) if a.low <= b.high && b.low <= a.high => Finding::WithinChance,
                _ => Finding::Changed,
            },
        },
    }
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
        let sample = |(low, high)| crate::estimate::Estimate {
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
        // Exact figures have no chance in them.
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
