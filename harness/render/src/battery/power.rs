//! What the tests of a run could have found.

use std::collections::BTreeMap;

use super::judge::count_law;
use crate::{document::Table, number};
use bouquet_ground::record::BatteryRow;
use bouquet_stats::{CountLaw, USUAL_POWER, noncentrality_seen};

pub const READING: &str = "For each kind of test, what it finds nine times in ten at the \
     threshold of this run. Of a histogram: how much more than its share one bin must hold. Of a \
     count: how many must be there in place of the expected.";

/// A kind of test, as far as its power depends on it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    test: String,
    keys: u64,
    /// Of a histogram its bins, of a count m.
    size: u64,
}

/// The share by which a bin must exceed its own to be found: of `keys` keys in
/// so many bins, keys e^2 / (bins - 1) is the noncentrality.
fn excess_seen(keys: u64, bins: u64, alpha: f64) -> Option<f64> {
    let noncentrality = noncentrality_seen(bins - 1, alpha, USUAL_POWER)?;
    Some((noncentrality * (bins - 1) as f64 / keys as f64).sqrt())
}

fn kinds(rows: &[BatteryRow]) -> BTreeMap<Kind, &BatteryRow> {
    let mut kinds = BTreeMap::new();
    for row in rows.iter().filter(|row| row.error.is_empty()) {
        let histogram = row.degrees_of_freedom.is_some();
        // Pairs of a lattice have fewer cells; the power is that of the full.
        if !histogram && !["T4", "T5a", "T7"].contains(&row.test.as_str()) {
            continue;
        }
        let kind = Kind {
            test: row.test.clone(),
            keys: row.keys,
            size: if histogram { row.bins } else { row.slots },
        };
        kinds.entry(kind).or_insert(row);
    }
    kinds
}

pub fn table(rows: &[BatteryRow], alpha: f64) -> Table {
    let found = |(kind, row): (&Kind, &&BatteryRow)| {
        if row.degrees_of_freedom.is_some() {
            let excess = excess_seen(kind.keys, kind.size, alpha);
            return excess.map(|e| format!("+{}", number::percent(e, 2)));
        }
        let seen = count_law(row).map(|law| match law {
            CountLaw::Skewed { mean, variance, .. } if row.test == "T5a" => {
                // The normal law's critical value and its 90th percentile.
                mean + 6.9 * variance.sqrt()
            }
            law => law.mean_seen(alpha),
        });
        seen.map(|seen| number::significant(seen, 3))
    };
    let of = |(kind, row): (&Kind, &&BatteryRow)| match row.degrees_of_freedom {
        Some(_) => format!("{} bins", number::count(kind.size)),
        None => format!("m = {}", number::count(kind.size)),
    };
    Table::of(&kinds(rows))
        .column("Test", |(kind, _)| &kind.test)
        .column("#Keys", |(kind, _)| kind.keys)
        .column("Of", of)
        .column("#Expected", |(_, row)| {
            number::significant(row.least_expected, 3)
        })
        .column("#Found from", found)
        .table()
}

/// The most telling of it in a sentence.
pub fn sentence(rows: &[BatteryRow], alpha: f64) -> String {
    let kinds = kinds(rows);
    let widest = |test: &str| {
        let of_test = kinds.iter().filter(|(kind, _)| kind.test == test);
        of_test.max_by_key(|(kind, _)| (kind.keys, kind.size))
    };
    let mut words = Vec::new();
    let excess = |kind: &Kind| excess_seen(kind.keys, kind.size, alpha);
    if let Some((kind, excess)) = widest("T1").and_then(|(kind, _)| Some((kind, excess(kind)?))) {
        words.push(format!(
            "T1 finds {} more in one of {} bins of {} keys",
            number::percent(excess, 2),
            number::count(kind.size),
            number::count(kind.keys)
        ));
    }
    let largest = kinds
        .iter()
        .filter(|(kind, _)| kind.test == "T4")
        .max_by_key(|(kind, _)| kind.size);
    if let Some((law, kind)) = largest.and_then(|(kind, row)| Some((count_law(row)?, kind))) {
        let slots = (kind.keys as f64).powi(2) / 2.0 / law.mean_seen(alpha);
        words.push(format!(
            "T4 expects {} pairs at m = {} and finds a range of fewer than 2^{} slots",
            number::significant(law.mean(), 2),
            number::count(kind.size),
            number::decimal(slots.log2(), 1)
        ));
    }
    if words.is_empty() {
        return "So few keys show nothing.".into();
    }
    format!("At this threshold and power 0.9: {}.", words.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 % in one of 1,024 bins takes 2.9e9 locations at 5e-6 and power 0.9.
    #[test]
    fn an_excess_is_that_of_the_reference() {
        let excess = excess_seen(2_906_000_000, 1_024, 5e-6).unwrap();
        assert!((excess / 0.01 - 1.0).abs() < 2e-3, "{excess}");
    }
}
