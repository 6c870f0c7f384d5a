//! JUnit's XML: a suite a tier, a case a row.

use super::figure_or_dash;
use crate::html::escape;
use bouquet_ground::Outcome;
use bouquet_ground::line::clean;
use bouquet_ground::record::{GateDocument, GateRow, TierVerdict};

pub fn xml(document: &GateDocument) -> String {
    let tiers = &document.verdict.tiers;
    let suites: String = tiers.iter().map(|tier| suite(document, tier)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"bouquet gate\" {}>\n{suites}</testsuites>\n",
        counts(tiers)
    )
}

fn counts(tiers: &[TierVerdict]) -> String {
    let sum = |of: fn(&TierVerdict) -> u64| tiers.iter().map(of).sum::<u64>();
    format!(
        "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\"",
        sum(|tier| tier.checks),
        sum(|tier| tier.failed),
        sum(|tier| tier.inconclusive)
    )
}

fn suite(document: &GateDocument, tier: &TierVerdict) -> String {
    let own = document.rows.iter().filter(|row| row.tier == tier.tier);
    let cases: String = own.map(case).collect();
    format!(
        "  <testsuite name=\"{}\" {}>\n{cases}  </testsuite>\n",
        tier.tier.name(),
        counts(std::slice::from_ref(tier))
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

/// XML 1.0 has no control characters, not even written as references, nor the last two
/// of Unicode's first plane.
fn escaped(text: &str) -> String {
    let text = clean(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    escape(&text).replace('\'', "&apos;")
}
