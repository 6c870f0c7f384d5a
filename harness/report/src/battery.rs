//! The results of the battery of tests of locations, computed from its rows alone.

mod judge;

pub use self::judge::{Judgement, Tested, count_law, judge};
use super::{document::Table, groups::grouped, number};
use bouquet_record::Records;
use bouquet_stats::noncentrality_seen;

/// The names of the tests, in the order of the columns.
pub const TESTS: [&str; 4] = ["T0", "T1", "T3", "T7"];
/// The probability with which the reported smallest deviation is detected.
const POWER: f64 = 0.9;

/// How much was tested, and how to read it.
pub fn reading(judgement: &Judgement) -> String {
    // The excess of one bin over its share that the largest histogram detects.
    let sizes = judgement
        .tested()
        .filter_map(|cell| Some((cell.first.keys, cell.bins?)));
    let found = sizes.max().and_then(|(keys, bins)| {
        let excess = number::percent(excess_seen(keys, bins, judgement.threshold)?, 2);
        let [keys, bins] = [keys, bins].map(number::count);
        Some(format!(
            " With power {POWER} T1 finds {excess} more in one of {bins} bins of {keys} keys."
        ))
    });
    format!(
        "{} p-values of {} cells; by Holm's correction over all of them at 0.001 a p below {} is \
         a finding.{} A cell is a scheme on one key set at one m. Known-good schemes and ours must \
         pass; of schemes with a known fault the table of expectations says which tests must flag \
         them, and at which sizes. The columns T0 to T7 have the smallest p-value of each test.",
        number::count(judgement.p_values as u64),
        number::count(judgement.cells.len() as u64),
        number::significant(judgement.threshold, 2),
        found.unwrap_or_default()
    )
}

/// The smallest relative excess `e` of one bin that is detected with `keys` keys in `bins` bins:
/// keys e^2 / (bins - 1) is the noncentrality.
fn excess_seen(keys: u64, bins: u64, alpha: f64) -> Option<f64> {
    let noncentrality = noncentrality_seen(bins - 1, alpha, POWER)?;
    Some((noncentrality * (bins - 1) as f64 / keys as f64).sqrt())
}

/// The smallest p-value of a test, given by its index.
fn smallest(cells: &[&Tested], test: usize) -> Option<f64> {
    let each = cells.iter().filter_map(|cell| cell.worst_p[test]);
    each.reduce(f64::min)
}

/// One row per filter or scheme, with the smallest p-value of each test over all key sets, sizes,
/// probes and pairs.
pub fn table(records: &Records, judgement: &Judgement) -> Table {
    let subjects = grouped(&judgement.cells, |cell| &*cell.first.subject);
    let flagged = |cells: &[&Tested]| {
        let is_flag = |test: &&str| cells.iter().any(|cell| cell.findings.contains(test));
        let flags = number::joined(TESTS.into_iter().filter(is_flag), " ");
        Some(flags).filter(|flags| !flags.is_empty())
    };
    let mut table = Table::of(&subjects)
        .column("Scheme", |(name, _)| *name)
        .column("Role", |(name, _)| records.role(name).replace('-', " "))
        .column("#Cells", |(_, cells)| cells.len());
    for (at, heading) in ["#T0", "#T1", "#T3", "#T7"].into_iter().enumerate() {
        table = table.column(heading, |(_, cells)| {
            smallest(cells, at).map(number::p_value)
        });
    }
    table
        .column("Flagged by", |(_, cells)| flagged(cells))
        .column("Verdict", |(_, cells)| gravest(cells).outcome)
        .kept(1)
        .table()
}

/// The cells of one subject, m, k and expectation, over all key sets.
pub fn groups(judgement: &Judgement) -> Vec<Vec<&Tested>> {
    let groups = grouped(&judgement.cells, |cell| {
        let first = &cell.first;
        (&first.subject, first.slots, first.probes, &cell.expected)
    });
    groups.into_iter().map(|(_, cells)| cells).collect()
}

/// The first of the cells with the gravest outcome.
pub fn gravest<'a>(cells: &[&'a Tested]) -> &'a Tested {
    let gravest = cells.iter().rev().max_by_key(|cell| cell.outcome);
    gravest.unwrap_or(&cells[0])
}

/// One row per scheme and m, with unformatted numbers.
pub fn plain(judgement: &Judgement) -> Table {
    let groups = groups(judgement);
    let keys = |cells: &[&Tested]| cells.iter().map(|cell| cell.first.keys).collect::<Vec<_>>();
    let mut table = Table::of(&groups)
        .column("subject", |cells| &cells[0].first.subject)
        .column("slots", |cells| cells[0].first.slots)
        .column("least_keys", |cells| keys(cells).into_iter().min())
        .column("most_keys", |cells| keys(cells).into_iter().max())
        .column("cells", |cells| cells.len());
    for (at, key) in ["t0_p", "t1_p", "t3_p", "t7_p"].into_iter().enumerate() {
        table = table.column(key, |cells| smallest(cells, at));
    }
    table
        .column("expected", |cells| &cells[0].expected)
        .column("observed", |cells| &gravest(cells).observed)
        .column("verdict", |cells| gravest(cells).outcome)
        .table()
}

#[cfg(test)]
mod tests {
    /// Detecting an excess of 1 % in one of 1,024 bins takes 2.9e9 locations at alpha 5e-6 and
    /// power 0.9.
    #[test]
    fn an_excess_is_that_of_the_reference() {
        let excess = super::excess_seen(2_906_000_000, 1_024, 5e-6).unwrap();
        assert!((excess / 0.01 - 1.0).abs() < 2e-3, "{excess}");
    }
}
