//! Schemes that are known to be bad, and how far below the threshold their
//! p-values lie: the test of the test.

use anyhow::Result;

use super::{
    below::{self, DECADES, Row, Spot},
    distinct, uniformity,
};
use crate::{
    document::Figure,
    judge::{FAMILY_ALPHA, Family, Judgement, Outcome},
    number, plot,
};

/// The picture; `None` if no known-bad scheme was tested.
pub fn figure(judgement: &Judgement) -> Result<Option<Figure>> {
    let families: Vec<&Family> = judgement
        .families
        .iter()
        .filter(|f| f.expects_flag)
        .collect();
    if families.is_empty() {
        return Ok(None);
    }
    let schemes = distinct(families.iter().map(|family| family.subject.as_str()));
    let title = finding(&families, &schemes);
    let reading = format!(
        "Each point is the smallest p-value after Holm of a bad scheme on one data set; it must \
         lie left of the line at {}, or the run is void. Points below 1e-{DECADES} are drawn at \
         the left end. How far left a point lies tells how many keys were located, not how bad \
         the scheme is.",
        number::significant(FAMILY_ALPHA, 1)
    );
    let rows: Vec<Row<'_>> = schemes.iter().map(|name| row(&families, name)).collect();
    let panel = below::panel("smallest p-value after Holm", FAMILY_ALPHA, &rows);
    let table = uniformity::table(&families);
    let source = "records/uniformity.csv";
    plot::figure(&[panel], "known-bad", title, reading, table, source).map(Some)
}

fn finding(families: &[&Family], schemes: &[&str]) -> String {
    let missed: Vec<String> = families
        .iter()
        .filter(|f| f.outcome == Outcome::Void)
        .map(|f| format!("{} on {}", f.subject, f.dataset))
        .collect();
    if !missed.is_empty() {
        return format!("Known to be bad, yet not found out: {}", missed.join(", "));
    }
    let largest = families
        .iter()
        .map(|f| f.worst_adjusted)
        .fold(0.0, f64::max);
    let who = match schemes {
        [one] => format!("{one}, known to be bad, is found out"),
        many => format!("All {} known-bad schemes are found out", many.len()),
    };
    let most = number::p_value(largest);
    let most = if most.starts_with('<') {
        most
    } else {
        format!("at most {most}")
    };
    format!("{who} on every data set, p after Holm {most}")
}

fn row<'a>(families: &[&Family], name: &'a str) -> Row<'a> {
    let own = families.iter().filter(|family| family.subject == name);
    let spot = |family: &&Family| Spot {
        p: family.worst_adjusted,
        kept: family.outcome == Outcome::Pass,
        words: format!(
            "{name} on {}\n{} of {} slots\np after Holm {}",
            family.dataset,
            family.part,
            number::count(family.slots),
            number::p_value(family.worst_adjusted)
        ),
    };
    Row {
        name,
        spots: own.map(spot).collect(),
    }
}
