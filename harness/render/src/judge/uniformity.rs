//! Are the locations spread evenly, and are those that are not found out?

use std::collections::BTreeMap;

use super::{Bench, FAMILY_ALPHA, Judged, Outcome};
use crate::number;
use bouquet_ground::record::UniformityRow;
use bouquet_stats::{chi_square_p, holm};

/// The fewest keys to expect in a bin for the statistic to be chi-square.
const LEAST_EXPECTED: f64 = 20.0;

/// The tests of one scheme on one key set at one size: one a probe index.
#[derive(Clone, PartialEq, Debug)]
pub struct Family {
    pub experiment: String,
    pub subject: String,
    pub dataset: String,
    pub slots: u64,
    /// What of the locations was looked at.
    pub part: String,
    /// What it must do: `flagged`, else it must be uniform.
    pub expects_flag: bool,
    /// Too few keys to tell.
    pub too_few: bool,
    /// Keys located for each test.
    pub keys: u64,
    /// p-values as they came, in the order of the records.
    pub p: Vec<f64>,
    /// The smallest after Holm over all tests of the run with the same
    /// expectation.
    pub worst_adjusted: f64,
    /// The probe index of the smallest.
    pub worst_probe: u32,
    pub outcome: Outcome,
    pub error: String,
}

/// Judges every family, in the order of the records.
pub(super) fn judge(bench: &mut Bench<'_>) -> Vec<Family> {
    let records = bench.records;
    let mut families = families(&records.uniformity, |name| {
        super::subject(records, name).is_some_and(|s| s.kind == "filter" && !s.exposes_locations)
    });
    for family in &mut families {
        family.outcome = outcome(family);
        let flag = match super::subject(records, &family.subject) {
            Some(subject) if subject.kind == "filter" => "--filters",
            _ => "--schemes",
        };
        bench.add(Judged {
            outcome: family.outcome,
            subject: &family.subject,
            dataset: &family.dataset,
            flag,
            what: format!(
                "uniformity of {} on {} over {} slots{}",
                family.subject,
                family.dataset,
                number::count(family.slots),
                match family.part.as_str() {
                    "" | "slot" => String::new(),
                    part => format!(" ({part})"),
                }
            ),
            by: by_how_much(family),
        });
    }
    families
}

fn outcome(family: &Family) -> Outcome {
    let flagged = family.worst_adjusted < FAMILY_ALPHA;
    match (family.expects_flag, flagged) {
        // The chi-square law does not hold: neither good nor bad can be told.
        _ if family.too_few => Outcome::Inconclusive,
        (true, true) => Outcome::Pass,
        // A fault that goes unseen, or a test of it that could not be made.
        (true, false) => Outcome::Void,
        (false, _) if !family.error.is_empty() => Outcome::Fail,
        (false, true) => Outcome::Fail,
        (false, false) => Outcome::Pass,
    }
}

fn by_how_much(family: &Family) -> String {
    if !family.error.is_empty() {
        return format!("error: {}", family.error);
    }
    if family.too_few {
        return format!("too few keys: {}", number::count(family.keys));
    }
    let p = number::p_value(family.worst_adjusted);
    let alpha = number::significant(FAMILY_ALPHA, 1);
    if family.expects_flag {
        format!("known to be bad, yet not flagged: smallest p after Holm {p}, {alpha} needed")
    } else {
        format!(
            "smallest p after Holm {p} at probe {}, {alpha} allowed",
            family.worst_probe
        )
    }
}

/// Groups the rows and adjusts their p-values. Rows of filters that expose no
/// locations only say so.
fn families(rows: &[UniformityRow], hidden: impl Fn(&str) -> bool) -> Vec<Family> {
    let rows: Vec<&UniformityRow> = rows.iter().filter(|row| !hidden(&row.subject)).collect();
    let adjusted = adjusted(&rows);
    let mut place = BTreeMap::new();
    let mut families: Vec<Family> = Vec::new();
    for (row, (p, adjusted)) in rows.iter().zip(adjusted) {
        let key = (
            &row.experiment,
            &row.subject,
            &row.dataset,
            row.slots,
            &row.part,
            &row.expected_outcome,
        );
        let at = *place.entry(key).or_insert_with(|| {
            families.push(empty(row));
            families.len() - 1
        });
        let family = &mut families[at];
        let Some(p) = p else {
            family.error = match row.error.as_str() {
                "" => format!("no p-value from a chi-square of {}", row.chi_square),
                error => error.to_owned(),
            };
            continue;
        };
        // Adjusted values tie at 1: the raw ones tell them apart.
        let least = family.p.iter().copied().fold(f64::INFINITY, f64::min);
        if p < least {
            (family.worst_adjusted, family.worst_probe) = (adjusted, row.probe_index);
        }
        family.too_few |=
            row.least_expected < LEAST_EXPECTED || row.expected_outcome == "undetectable";
        family.p.push(p);
    }
    families
}

fn empty(row: &UniformityRow) -> Family {
    Family {
        experiment: row.experiment.clone(),
        subject: row.subject.clone(),
        dataset: row.dataset.clone(),
        slots: row.slots,
        part: row.part.clone(),
        expects_flag: row.expected_outcome == "flagged",
        too_few: false,
        keys: row.keys,
        p: Vec::new(),
        worst_adjusted: 1.0,
        worst_probe: row.probe_index,
        outcome: Outcome::Pass,
        error: String::new(),
    }
}

/// p and its Holm adjustment for each row. Rows that must pass are one family
/// and rows that must fail another: bad ones would take room from good ones.
fn adjusted(rows: &[&UniformityRow]) -> Vec<(Option<f64>, f64)> {
    let p = |row: &UniformityRow| match row.error.as_str() {
        "" => chi_square_p(row.chi_square, row.bins.saturating_sub(1)),
        _ => None,
    };
    let mut out: Vec<(Option<f64>, f64)> = rows.iter().map(|row| (p(row), 1.0)).collect();
    for flagged in [false, true] {
        let members: Vec<usize> = (0..rows.len())
            .filter(|&i| (rows[i].expected_outcome != "uniform") == flagged && out[i].0.is_some())
            .collect();
        let raw: Vec<f64> = members.iter().filter_map(|&i| out[i].0).collect();
        for (i, adjusted) in members.into_iter().zip(holm(&raw)) {
            out[i].1 = adjusted;
        }
    }
    out
}
