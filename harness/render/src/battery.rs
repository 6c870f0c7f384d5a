//! The report of the uniformity battery, from its rows alone.

pub mod chart;
mod compose;
mod judge;

use std::path::Path;

use anyhow::Result;

pub use self::judge::{Group, Judgement, Tested, judge, p_value};
use super::{
    document::Table,
    folder::write_document,
    markdown, number,
    terminal::{self, Screen},
};
use bouquet_ground::Outcome;
use bouquet_ground::record::{BatteryRow, Records};
use bouquet_stats::{USUAL_POWER, noncentrality_seen};

/// The tests, as columns.
pub const TESTS: [&str; 4] = ["T0", "T1", "T3", "T7"];

/// Their headings, for people and for programs.
pub const COLUMNS: [(&str, &str); 4] = [
    ("#T0", "t0_p"),
    ("#T1", "t1_p"),
    ("#T3", "t3_p"),
    ("#T7", "t7_p"),
];

/// Writes README.md, index.html and charts/*.svg into the folder
/// of a report, beside its records, and gives the verdict.
///
/// Fails if a file cannot be written.
pub fn write_report(records: &Records, folder: &Path) -> Result<Judgement> {
    let judgement = judge(&records.battery);
    let document = compose::document(records, &judgement);
    write_document(document, records, folder)?;
    Ok(judgement)
}

/// The verdict in a sentence.
pub fn headline(judgement: &Judgement) -> String {
    let cells = number::count(judgement.cells.len() as u64);
    judgement.outcome.headline(&match judgement.outcome {
        Outcome::Pass => format!("all {cells} cells are as expected"),
        Outcome::Inconclusive => {
            format!("{cells} cells passed, but no control was there to be found")
        }
        Outcome::Fail => format!(
            "{} of {cells} cells are not uniform or could not be tested",
            number::count(judgement.failed as u64)
        ),
        Outcome::Void => format!(
            "{} of {cells} cells contradict what is known of their schemes, so that nothing here \
             counts",
            number::count(judgement.void as u64)
        ),
    })
}

/// How much was tested, from where on a p is a finding, and what that could have found.
pub fn scope(rows: &[BatteryRow], judgement: &Judgement) -> String {
    format!(
        "{} p-values of {} cells; by Holm's correction over all of them at 0.001 a p below {} is \
         a finding.{}",
        number::count(judgement.p_values as u64),
        number::count(judgement.cells.len() as u64),
        number::significant(judgement.threshold, 2),
        power(rows, judgement.threshold)
    )
}

/// By how much one bin must exceed its share to be found in the largest histogram.
fn power(rows: &[BatteryRow], alpha: f64) -> String {
    let tested = rows
        .iter()
        .filter(|row| row.error.is_empty() && row.test == "T1");
    let Some((keys, bins)) = tested.map(|row| (row.keys, row.bins)).max() else {
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
    for (at, (heading, _)) in COLUMNS.iter().enumerate() {
        table = table.column(heading, |group| group.worst_p[at].map(number::p_value));
    }
    let table = table.column("Expected", |group| &group.gravest.expected);
    let table = table.column("Observed", |group| &group.gravest.observed);
    table
        .column("Verdict", |group| group.gravest.outcome)
        .kept(1)
        .table()
}

/// Verdict, what went wrong, the table.
pub fn summary(rows: &[BatteryRow], judgement: &Judgement, screen: Screen) -> String {
    const SHOWN: usize = 20;
    let mut out = terminal::paint(&headline(judgement), judgement.outcome, screen);
    out += &format!("\n{}\n", scope(rows, judgement));
    for cell in judgement.problems().take(SHOWN) {
        out += &format!("  {}: {}\n", cell.outcome.word(), cell.words(rows));
    }
    let more = judgement.problems().skip(SHOWN).count();
    if more > 0 {
        out += &format!("  and {more} more, see the report\n");
    }
    out + "\n" + &terminal::table(&table(judgement), screen)
}

/// The table in Markdown.
pub fn in_markdown(judgement: &Judgement) -> String {
    markdown::table(&table(judgement))
}

/// The table in plain numbers.
pub fn plain(judgement: &Judgement) -> Table {
    let mut table = Table::of(&judgement.groups)
        .column("subject", |group| &group.gravest.subject)
        .column("slots", |group| group.slots)
        .column("least_keys", |group| group.least_keys)
        .column("most_keys", |group| group.most_keys)
        .column("cells", |group| group.cells);
    for (at, (_, key)) in COLUMNS.iter().enumerate() {
        table = table.column(key, |group| group.worst_p[at]);
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
