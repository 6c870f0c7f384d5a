//! JUnit's XML: a suite a tier, a case a row.

use super::figure_or_dash;
use bouquet_ground::Outcome;
use bouquet_ground::record::{GateDocument, GateRow, Tier};

pub fn xml(document: &GateDocument) -> String {
    let suites: Vec<String> = Tier::ALL
        .into_iter()
        .map(|tier| suite(document, tier))
        .collect();
    let rows = &document.rows;
    let (tests, failures, skipped) = counts(&rows.iter().collect::<Vec<_>>());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"bouquet gate\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\">\n{}</testsuites>\n",
        suites.concat()
    )
}

fn counts(rows: &[&GateRow]) -> (usize, usize, usize) {
    let of = |is: fn(Outcome) -> bool| rows.iter().filter(|row| is(row.standing)).count();
    (
        rows.len(),
        of(|standing| standing >= Outcome::Fail),
        of(|standing| standing == Outcome::Inconclusive),
    )
}

fn suite(document: &GateDocument, tier: Tier) -> String {
    let rows: Vec<&GateRow> = document
        .rows
        .iter()
        .filter(|row| row.tier == tier)
        .collect();
    let (tests, failures, skipped) = counts(&rows);
    let cases: String = rows.iter().map(|row| case(row)).collect();
    format!(
        "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\">\n{cases}  </testsuite>\n",
        tier.name()
    )
}

fn case(row: &GateRow) -> String {
    let begin = format!(
        "    <testcase classname=\"{}.{}\" name=\"{}\"",
        row.tier.name(),
        escaped(&row.subject),
        escaped(&row.what)
    );
    let note = escaped(&row.note);
    match row.standing {
        Outcome::Fail | Outcome::Void => {
            let both = format!(
                "baseline {}, now {}",
                figure_or_dash(&row.baseline),
                figure_or_dash(&row.value)
            );
            format!(
                "{begin}>\n      <failure type=\"{}\" message=\"{note}\">{}</failure>\n    \
                 </testcase>\n",
                row.standing.word(),
                escaped(&both)
            )
        }
        Outcome::Inconclusive => {
            format!("{begin}>\n      <skipped message=\"{note}\"/>\n    </testcase>\n")
        }
        Outcome::Pass => format!("{begin}/>\n"),
    }
}

/// XML 1.0 has no control characters, not even written as references.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&apos;",
            '\n' | '\t' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
