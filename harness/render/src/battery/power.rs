//! What the tests of a run could have found.

use std::collections::BTreeMap;

use super::judge::count_law;
use crate::{document::Table, number};
use bouquet_ground::record::BatteryRow;
use bouquet_stats::{CountLaw, USUAL_POWER, noncentrality_seen};

pub const READING: &str = "For each kind of test, what it finds nine times in ten at the \
     threshold of this run. Of a histogram: how much more than its share one bin must hold. Of a \
     count: how many must be there in place of the expected.";

/// A kind of test, as far as its power depends on it: its name, the keys, and of a
/// histogram its bins, of a count m.
type Kind<'a> = (&'a str, u64, u64);

/// The share by which a bin must exceed its own to be found: of `keys` keys in
/// so many bins, keys e^2 / (bins - 1) is the noncentrality.
fn excess_seen(keys: u64, bins: u64, alpha: f64) -> Option<f64> {
    let noncentrality = noncentrality_seen(bins - 1, alpha, USUAL_POWER)?;
    Some((noncentrality * (bins - 1) as f64 / keys as f64).sqrt())
}

fn kinds(rows: &[BatteryRow]) -> BTreeMap<Kind<'_>, &BatteryRow> {
    let mut kinds = BTreeMap::new();
    for row in rows.iter().filter(|row| row.error.is_empty()) {
        let histogram = row.degrees_of_freedom.is_some();
        // Pairs of a lattice have fewer cells; the power is that of the full.
        if !histogram && !["T4", "T5a", "T7"].contains(&row.test.as_str()) {
            continue;
        }
        let size = if histogram { row.bins } else { row.slots };
        let kind = (row.test.as_str(), row.keys, size);
        kinds.entry(kind).or_insert(row);
    }
    kinds
}

pub fn table(rows: &[BatteryRow], alpha: f64) -> Table {
    let found = |((_, keys, size), row): (&Kind<'_>, &&BatteryRow)| {
        if row.degrees_of_freedom.is_some() {
            let excess = excess_seen(*keys, *size, alpha);
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
    let of = |((.., size), row): (&Kind<'_>, &&BatteryRow)| match row.degrees_of_freedom {
        Some(_) => format!("{} bins", number::count(*size)),
        None => format!("m = {}", number::count(*size)),
    };
    Table::of(&kinds(rows))
        .column("Test", |((test, ..), _)| *test)
        .column("#Keys", |((_, keys, _), _)| *keys)
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
    let of_test = |name: &'static str| kinds.iter().filter(move |((test, ..), _)| *test == name);
    let mut words = Vec::new();
    let widest = of_test("T1")
        .map(|((_, keys, bins), _)| (*keys, *bins))
        .max();
    let excess = |(keys, bins)| Some((keys, bins, excess_seen(keys, bins, alpha)?));
    if let Some((keys, bins, excess)) = widest.and_then(excess) {
        words.push(format!(
            "T1 finds {} more in one of {} bins of {} keys",
            number::percent(excess, 2),
            number::count(bins),
            number::count(keys)
        ));
    }
    let largest = of_test("T4").max_by_key(|((.., slots), _)| slots);
    if let Some(((_, keys, slots), row)) = largest
        && let Some(law) = count_law(row)
    {
        let found = (*keys as f64).powi(2) / 2.0 / law.mean_seen(alpha);
        words.push(format!(
            "T4 expects {} pairs at m = {} and finds a range of fewer than 2^{} slots",
            number::significant(law.mean(), 2),
            number::count(*slots),
            number::decimal(found.log2(), 1)
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
