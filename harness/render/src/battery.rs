//! The report of the uniformity battery, from its rows alone.

pub mod charts;
mod compose;
mod judge;
mod power;

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

pub use self::judge::{Group, Judgement, Tested, judge, p_value};
use super::{
    Outcome,
    document::{Table, Text},
    markdown, number, terminal,
};
use bouquet_ground::record::{BatteryRecords, BatteryRow};

/// The tests, as columns.
pub const TESTS: [&str; 9] = ["T0", "T1", "T2", "T3", "T4", "T5a", "T5b", "T6", "T7"];

/// Writes README.md, index.html, machine.txt and charts/*.svg into the folder
/// of a report, beside its records, and gives the verdict.
///
/// Fails if a picture cannot be drawn or a file cannot be written.
pub fn write_report(records: &BatteryRecords, folder: &Path) -> Result<Judgement> {
    let judgement = judge(&records.rows);
    let document = compose::document(records, &judgement)?;
    super::write_document(&document, &records.about, folder)?;
    Ok(judgement)
}

/// The verdict in a sentence.
pub fn headline(judgement: &Judgement) -> String {
    let cells = number::count(judgement.cells.len() as u64);
    judgement.outcome.headline(&match judgement.outcome {
        Outcome::Pass => format!("all {cells} cells did what they must"),
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

/// How much was tested, and from where on a p is a finding.
pub fn scope(judgement: &Judgement) -> String {
    format!(
        "{} p-values of {} cells; by Holm's correction over all of them at 0.001 a p below {} is \
         a finding.",
        number::count(judgement.p_values as u64),
        number::count(judgement.cells.len() as u64),
        number::significant(judgement.threshold, 2)
    )
}

/// A line a scheme and m.
pub fn table(judgement: &Judgement) -> Table {
    let mut headings = vec!["Scheme", "#m", "#Keys"];
    let names = [
        "#T0", "#T1", "#T2", "#T3", "#T4", "#T5a", "#T5b", "#T6", "#T7",
    ];
    headings.extend(names);
    headings.extend(["Must", "Did", "Verdict"]);
    let mut table = Table::new(&headings);
    for group in &judgement.groups {
        let keys = if group.least_keys == group.most_keys {
            number::count(group.most_keys)
        } else {
            format!(
                "{} to {}",
                number::count(group.least_keys),
                number::count(group.most_keys)
            )
        };
        let mut cells: Vec<Text> = vec![
            group.subject.as_str().into(),
            number::count(group.slots).into(),
            keys.into(),
        ];
        cells.extend(
            group
                .worst_p
                .iter()
                .map(|p| Text::from(p.map_or("–".into(), number::p_value))),
        );
        cells.extend([
            group.must.as_str().into(),
            group.did.as_str().into(),
            Text::from(group.outcome.word()),
        ]);
        table.row(cells);
    }
    table
}

/// Verdict, what went wrong, the table.
pub fn summary(rows: &[BatteryRow], judgement: &Judgement, colour: bool) -> String {
    const SHOWN: usize = 20;
    let mut out = terminal::paint(&headline(judgement), judgement.outcome, colour);
    out += &format!(
        "\n{}\n{}\n",
        scope(judgement),
        power::sentence(rows, judgement.threshold)
    );
    for problem in judgement.problems.iter().take(SHOWN) {
        out += &format!("  {}: {}\n", problem.outcome.word(), problem.words);
    }
    if judgement.problems.len() > SHOWN {
        out += &format!(
            "  and {} more, see the report\n",
            judgement.problems.len() - SHOWN
        );
    }
    out + "\n" + &terminal::table(&table(judgement))
}

/// The table in Markdown.
pub fn in_markdown(judgement: &Judgement) -> String {
    markdown::table(&table(judgement))
}

/// A line of the table, in plain numbers.
#[derive(Serialize)]
struct Plain<'a> {
    subject: &'a str,
    slots: u64,
    least_keys: u64,
    most_keys: u64,
    cells: usize,
    t0_p: Option<f64>,
    t1_p: Option<f64>,
    t2_p: Option<f64>,
    t3_p: Option<f64>,
    t4_p: Option<f64>,
    t5a_p: Option<f64>,
    t5b_p: Option<f64>,
    t6_p: Option<f64>,
    t7_p: Option<f64>,
    must: &'a str,
    did: &'a str,
    verdict: &'a str,
}

fn plain(group: &Group) -> Plain<'_> {
    let [t0_p, t1_p, t2_p, t3_p, t4_p, t5a_p, t5b_p, t6_p, t7_p] = group.worst_p;
    Plain {
        subject: &group.subject,
        slots: group.slots,
        least_keys: group.least_keys,
        most_keys: group.most_keys,
        cells: group.cells,
        t0_p,
        t1_p,
        t2_p,
        t3_p,
        t4_p,
        t5a_p,
        t5b_p,
        t6_p,
        t7_p,
        must: &group.must,
        did: &group.did,
        verdict: group.outcome.word(),
    }
}

/// The table in JSON.
pub fn in_json(judgement: &Judgement) -> Result<String> {
    let rows: Vec<_> = judgement.groups.iter().map(plain).collect();
    Ok(serde_json::to_string_pretty(&rows)? + "\n")
}

/// The table in CSV.
pub fn in_csv(judgement: &Judgement) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for group in &judgement.groups {
        writer.serialize(plain(group))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
