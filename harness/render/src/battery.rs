//! What the battery of tests of locations found, from its rows alone.

pub mod chart;
mod compose;
mod judge;

pub use self::compose::sections;
pub use self::judge::{Group, Judgement, Tested, count_law, judge};
use super::{document::Table, number};
use bouquet_ground::record::TestRow;
use bouquet_stats::{USUAL_POWER, noncentrality_seen};

/// The tests, as columns.
pub const TESTS: [&str; 4] = ["T0", "T1", "T3", "T7"];

/// By how much one bin must exceed its share to be found in the largest histogram.
fn power(rows: &[TestRow], alpha: f64) -> String {
    let tested = rows
        .iter()
        .filter(|row| row.error.is_empty() && row.test == "T1");
    let sizes = tested.filter_map(|row| Some((row.keys, row.degrees_of_freedom? + 1)));
    let Some((keys, bins)) = sizes.max() else {
        return String::new();
    };
    excess_seen(keys, bins, alpha).map_or_else(String::new, |excess| {
        format!(
            " With power 0.9 T1 finds {} more in one of {} bins of {} keys.",
            number::percent(excess, 2),
            number::count(bins),
            number::count(keys)
        )
    })
}

/// The share by which a bin must exceed its own to be found: of `keys` keys in
/// so many bins, keys e^2 / (bins - 1) is the noncentrality.
fn excess_seen(keys: u64, bins: u64, alpha: f64) -> Option<f64> {
    let noncentrality = noncentrality_seen(bins - 1, alpha, USUAL_POWER)?;
    Some((noncentrality * (bins - 1) as f64 / keys as f64).sqrt())
}

/// A line a scheme and m.
pub fn table(judgement: &Judgement) -> Table {
    let keys = |group: &Group| {
        let [least, most] = [group.least_keys, group.most_keys].map(number::count);
        if least == most {
            most
        } else {
            format!("{least} to {most}")
        }
    };
    let mut table = Table::of(&judgement.groups)
        .column("Scheme", |group| &group.gravest.subject)
        .column("#m", |group| group.slots)
        .column("#Keys", keys);
    for (at, heading) in ["#T0", "#T1", "#T3", "#T7"].into_iter().enumerate() {
        table = table.column(heading, move |group| group.worst_p[at].map(number::p_value));
    }
    table
        .column("Expected", |group| &group.gravest.expected)
        .column("Verdict", |group| group.gravest.outcome)
        .kept(1)
        .table()
}

/// The table in plain numbers.
pub fn plain(judgement: &Judgement) -> Table {
    let mut table = Table::of(&judgement.groups)
        .column("subject", |group| &group.gravest.subject)
        .column("slots", |group| group.slots)
        .column("least_keys", |group| group.least_keys)
        .column("most_keys", |group| group.most_keys)
        .column("cells", |group| group.cells);
    for (at, key) in ["t0_p", "t1_p", "t3_p", "t7_p"].into_iter().enumerate() {
        table = table.column(key, move |group| group.worst_p[at]);
    }
    let table = table.column("expected", |group| &group.gravest.expected);
    let table = table.column("observed", |group| &group.gravest.observed);
    table
        .column("verdict", |group| group.gravest.outcome)
        .table()
}

#[cfg(test)]
mod tests {
    /// 1 % in one of 1,024 bins takes 2.9e9 locations at 5e-6 and power 0.9.
    #[test]
    fn an_excess_is_that_of_the_reference() {
        let excess = super::excess_seen(2_906_000_000, 1_024, 5e-6).unwrap();
        assert!((excess / 0.01 - 1.0).abs() < 2e-3, "{excess}");
    }
}
