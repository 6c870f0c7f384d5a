//! The results of the battery of tests of locations, computed from its rows alone.

mod judge;

pub use self::judge::{Group, Judgement, Tested, count_law, judge};
use super::{
    document::{Block, Table},
    groups::{distinct, grouped},
    number,
};
use bouquet_ground::{Outcome, record::Records};
use bouquet_stats::noncentrality_seen;

/// The names of the tests, in the order of the columns.
pub const TESTS: [&str; 4] = ["T0", "T1", "T3", "T7"];
/// The role of Bouquet's own filters.
const OURS: &str = "ours";
/// The probability with which the reported smallest deviation is detected.
const POWER: f64 = 0.9;

/// The details of the report; empty if nothing was tested.
pub fn details(judgement: &Judgement) -> Vec<Block> {
    let words = "Smallest p-value of each test over all key sets, probes and pairs; a dash where a test \
                 does not apply.";
    let words = format!("{} {words}", reading(judgement));
    Block::table("Locations", words, table(judgement))
}

/// How much was tested, and how to read it.
pub fn reading(judgement: &Judgement) -> String {
    format!(
        "{} p-values of {} cells; by Holm's correction over all of them at 0.001 a p below {} is \
         a finding.{} A cell is a scheme on one key set at one m. Known-good schemes and ours must \
         pass; of schemes with a known fault the table of expectations says which tests must flag \
         them, and at which sizes.",
        number::count(judgement.p_values as u64),
        number::count(judgement.cells.len() as u64),
        number::significant(judgement.threshold, 2),
        power(judgement)
    )
}

/// The excess of one bin over its share that the largest histogram detects.
fn power(judgement: &Judgement) -> String {
    let sizes = judgement
        .tested()
        .filter_map(|cell| Some((cell.first.keys, cell.bins?)));
    let excess = sizes.max().and_then(|(keys, bins)| {
        let excess = excess_seen(keys, bins, judgement.threshold)?;
        Some((keys, bins, excess))
    });
    excess.map_or_else(String::new, |(keys, bins, excess)| {
        format!(
            " With power {POWER} T1 finds {} more in one of {} bins of {} keys.",
            number::percent(excess, 2),
            number::count(bins),
            number::count(keys)
        )
    })
}

/// The smallest relative excess `e` of one bin that is detected with `keys` keys in `bins` bins:
/// keys e^2 / (bins - 1) is the noncentrality.
fn excess_seen(keys: u64, bins: u64, alpha: f64) -> Option<f64> {
    let noncentrality = noncentrality_seen(bins - 1, alpha, POWER)?;
    Some((noncentrality * (bins - 1) as f64 / keys as f64).sqrt())
}

/// Subjects of one role that share a row of the table, and their cells.
struct Line<'a> {
    name: String,
    role: &'a str,
    tested: Vec<&'a Tested>,
    /// The worst outcome, including cells that could not be tested.
    worst: Option<Outcome>,
}

/// One row for each of Bouquet's filters, and one for all schemes of each other role.
pub fn glance(records: &Records, judgement: &Judgement) -> Table {
    let subject = |cell: &&Tested| cell.first.subject.clone();
    let groups = grouped(&judgement.cells, |cell| {
        let role = records.role(&cell.first.subject);
        (role, (role == OURS).then(|| subject(cell)))
    });
    let lines = groups.into_iter().map(|((role, own), cells)| {
        let name = own.unwrap_or_else(|| {
            let schemes = distinct(cells.iter().map(subject)).len();
            number::plural(schemes as u64, &format!("{role} scheme"))
        });
        let worst = cells.iter().map(|cell| cell.outcome).max();
        let tested = cells.into_iter().filter(|cell| !cell.is_error()).collect();
        Line {
            name,
            role,
            tested,
            worst,
        }
    });
    let lines: Vec<Line<'_>> = lines.collect();
    let least = |line: &Line<'_>| {
        let p = line.tested.iter().flat_map(|cell| cell.worst_p).flatten();
        p.reduce(f64::min).map(number::p_value)
    };
    let flagged = |line: &Line<'_>| {
        let is_flag = |test: &&str| line.tested.iter().any(|cell| cell.findings.contains(test));
        let flags: Vec<&str> = TESTS.into_iter().filter(is_flag).collect();
        (!flags.is_empty()).then(|| flags.join(" "))
    };
    let tests = |line: &Line<'_>| {
        line.tested
            .iter()
            .map(|cell| cell.rows.len())
            .sum::<usize>()
    };
    Table::of(&lines)
        .column("Scheme", |line| &line.name)
        .column("Role", |line| line.role.replace('-', " "))
        .column("#Cells", |line| line.tested.len())
        .column("#Tests", tests)
        .column("#Smallest p", least)
        .column("Flagged by", flagged)
        .column("Verdict", |line| line.worst)
        .table()
}

/// One row per scheme and m.
pub fn table(judgement: &Judgement) -> Table {
    let keys = |group: &Group| {
        let [least, most] = group.keys().map(number::count);
        if least == most {
            most
        } else {
            format!("{least} to {most}")
        }
    };
    let mut table = Table::of(&judgement.groups)
        .column("Scheme", |group| &group.gravest.first.subject)
        .column("#m", |group| group.gravest.first.slots)
        .column("#Keys", keys);
    for (at, heading) in ["#T0", "#T1", "#T3", "#T7"].into_iter().enumerate() {
        table = table.column(heading, move |group| group.worst_p(at).map(number::p_value));
    }
    table
        .column("Expected", |group| &group.gravest.expected)
        .column("Verdict", |group| group.gravest.outcome)
        .kept(1)
        .table()
}

/// The table with unformatted numbers.
pub fn plain(judgement: &Judgement) -> Table {
    let mut table = Table::of(&judgement.groups)
        .column("subject", |group| &group.gravest.first.subject)
        .column("slots", |group| group.gravest.first.slots)
        .column("least_keys", |group| group.keys()[0])
        .column("most_keys", |group| group.keys()[1])
        .column("cells", |group| group.cells.len());
    for (at, key) in ["t0_p", "t1_p", "t3_p", "t7_p"].into_iter().enumerate() {
        table = table.column(key, move |group| group.worst_p(at));
    }
    let table = table.column("expected", |group| &group.gravest.expected);
    let table = table.column("observed", |group| &group.gravest.observed);
    table
        .column("verdict", |group| group.gravest.outcome)
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
