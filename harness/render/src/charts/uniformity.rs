//! Sorted p-values against the line they lie on if locations are uniform: a
//! panel a filter and a scheme.

use anyhow::Result;

use super::{
    distinct,
    sorted::{self, Panel},
};
use crate::{
    document::{Figure, Table, Text},
    judge::{CONFIDENCE, FAMILY_ALPHA, Family, Judgement, Outcome, subject},
    number,
    palette::{Pen, look},
    plot,
};
use bouquet_ground::record::Records;

/// So many parts are named.
const NAMED: usize = 2;

/// The picture of all filters and schemes that must be uniform; `None` without any.
pub fn figure(records: &Records, judgement: &Judgement) -> Result<Option<Figure>> {
    let families: Vec<&Family> = judgement
        .families
        .iter()
        .filter(|f| !f.expects_flag && !f.p.is_empty())
        .collect();
    if families.is_empty() {
        return Ok(None);
    }
    let panels = panels(records, &families);
    let title = finding(&families, panels.len());
    let (reading, table) = (reading(records), table(&families));
    let source = "records/uniformity.csv";
    let panels = sorted::panels(&panels);
    let figure = plot::figure(&panels, "uniformity", title, reading, table, source)?;
    Ok(Some(figure))
}

/// How to read the picture, and whose locations are not in it.
fn reading(records: &Records) -> String {
    let hidden = records.subjects.iter();
    let hidden = hidden.filter(|s| s.kind == "filter" && !s.exposes_locations);
    let hidden: Vec<&str> = hidden.map(|s| s.subject.as_str()).collect();
    let hidden = if hidden.is_empty() {
        String::new()
    } else {
        format!(
            " The locations of {} are not exposed.",
            number::listed(&hidden)
        )
    };
    format!(
        "Each point is one chi-square test of one probe index on one data set; sorted, they lie \
         along the diagonal if locations are uniform, mostly within the shaded range ({} % for \
         each point by itself). Points in the lower right corner are too uneven or too even. A \
         few points outside the range are no fault: tests of one run share their keys, and the \
         verdict is Holm's at {} over all tests. Where a layout keeps the slots of a key \
         together, each part of a location that must be even is tested by itself.{hidden}",
        number::significant(CONFIDENCE * 100.0, 2),
        number::significant(FAMILY_ALPHA, 1)
    )
}

/// A panel a subject, in the order of the records.
fn panels(records: &Records, families: &[&Family]) -> Vec<Panel> {
    let subjects = distinct(families.iter().map(|family| family.subject.as_str()));
    let panel = |name: &str| {
        let own: Vec<&Family> = families
            .iter()
            .copied()
            .filter(|family| family.subject == name)
            .collect();
        let tests = own.iter().flat_map(|family| {
            let (set, slots) = (&family.dataset, number::count(family.slots));
            let words = format!("{name} on {set}\n{} of {slots} slots", family.part);
            family.p.iter().map(move |p| (*p, words.clone()))
        });
        let filter = subject(records, name).is_some_and(|s| s.kind == "filter");
        Panel {
            name: name.to_owned(),
            pen: if filter { look(name).pen } else { Pen::Ink },
            notes: notes(&own),
            tests: tests.collect(),
        }
    };
    subjects.into_iter().map(panel).collect()
}

/// What was tested, a line a part.
fn notes(families: &[&Family]) -> Vec<String> {
    let parts = distinct(families.iter().map(|family| family.part.as_str()));
    let tests = |parts: &[&str]| {
        let own = families.iter().filter(|f| parts.contains(&f.part.as_str()));
        let n: usize = own.map(|family| family.p.len()).sum();
        format!("{} tests", number::count(n as u64))
    };
    let named = if parts.len() > NAMED {
        NAMED - 1
    } else {
        parts.len()
    };
    let (named, rest) = parts.split_at(named);
    let each = named
        .iter()
        .map(|part| format!("{part}: {}", tests(&[part])));
    let many = number::spelt(rest.len());
    let more = (!rest.is_empty()).then(|| format!("{many} more parts: {}", tests(rest)));
    each.chain(more).collect()
}

fn finding(families: &[&Family], subjects: usize) -> String {
    let tests: usize = families.iter().map(|f| f.p.len()).sum();
    let smallest = families
        .iter()
        .map(|f| f.worst_adjusted)
        .fold(1.0, f64::min);
    let of = format!(
        "smallest of {} p-values after Holm {}",
        number::count(tests as u64),
        number::p_value(smallest)
    );
    let failed = families.iter().filter(|f| f.outcome == Outcome::Fail);
    let failed = distinct(failed.map(|family| family.subject.as_str()));
    match (failed.as_slice(), subjects) {
        ([], 1) => format!("{} spreads its locations evenly: {of}", families[0].subject),
        ([], n) => format!(
            "All {} filters and schemes spread their locations evenly: {of}",
            number::spelt(n)
        ),
        (failed, _) => format!(
            "Locations are not uniform in {}: {of}",
            number::listed(failed)
        ),
    }
}

/// The table of families, of whichever expectation.
pub(super) fn table(families: &[&Family]) -> Table {
    let mut table = Table::new(&[
        "Filter or scheme",
        "Data set",
        "#Slots",
        "Part",
        "#Keys a test",
        "#Tests",
        "#Smallest p",
        "#Smallest p after Holm",
        "#At probe",
        "Verdict",
    ]);
    for family in families {
        let smallest = family.p.iter().copied().fold(1.0, f64::min);
        let cells = [
            family.subject.clone(),
            family.dataset.clone(),
            number::count(family.slots),
            family.part.clone(),
            number::count(family.keys),
            family.p.len().to_string(),
            number::p_value(smallest),
            number::p_value(family.worst_adjusted),
            family.worst_probe.to_string(),
            match (family.expects_flag, family.outcome) {
                (true, Outcome::Pass) => "flagged, as it must be".to_owned(),
                (_, outcome) => outcome.word().to_owned(),
            },
        ];
        table.row(cells.map(Text::from));
    }
    table
}
