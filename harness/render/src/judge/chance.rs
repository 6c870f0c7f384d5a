//! How likely a run is to leave something undecided, from its plan.

use super::{Collector, check, fpr};
use crate::{groups::grouped, judge::Outcome, number};
use bouquet_ground::{
    planned::PlannedRate,
    record::{FprRow, Records},
};

/// The fact of a run that has the chance.
pub const FACT: &str = "chance_of_inconclusive";

/// About how likely a run of right filters ends inconclusive by its rates: the sum over
/// checks of the chance not to pass with the samples of both stages (a check that is
/// undecided after both is undecided with all of them). Where theory has no spread from
/// one filter to the next, that of sampling alone counts.
pub fn chance_of_inconclusive(rates: &[PlannedRate]) -> f64 {
    let rows = |over_sets: bool| -> Vec<FprRow> {
        let of = rates.iter().filter(|rate| rate.over_sets == over_sets);
        of.flat_map(replicates).collect()
    };
    let (fpr, over_sets) = (rows(false), rows(true));
    let records = Records {
        fpr,
        ..Records::default()
    };
    let groups = fpr::groups(&records.fpr);
    let mut collector = Collector::new(&records, &groups, &[]);
    let strict = collector.strict;
    let points = fpr::judge(&mut collector, &groups);
    let of_points = points.iter().map(|point| match &point.gate {
        Some(gate) => f64::from(fpr::gate_outcome(gate) == Outcome::Inconclusive),
        None => open(point.given_bits) + open(point.over_seeds),
    });
    let pooled = grouped(&over_sets, |row| (&row.experiment, &row.filter));
    let of_lifecycles = pooled.iter().map(|(_, rows)| {
        open(check::given_bits(rows, strict)) + open(check::over_seeds(rows, strict))
    });
    of_points.chain(of_lifecycles).sum::<f64>().min(1.0)
}

/// As many rows as planned, with the hits that theory expects.
fn replicates(rate: &PlannedRate) -> impl Iterator<Item = FprRow> {
    let hits = rate.row.expected_fpr * rate.row.non_members_asked as f64;
    let row = FprRow {
        false_positives: hits.round() as u64,
        ..rate.row.clone()
    };
    std::iter::repeat_n(row, rate.replicates as usize)
}

fn open(check: Option<check::Check>) -> f64 {
    check.map_or(0.0, |check| 1.0 - check.power)
}

/// The chance of a run in words; empty if it was not recorded.
pub fn in_words(records: &Records) -> String {
    match records.fact(FACT).parse::<f64>() {
        Ok(chance) => format!(
            " Right filters end such a run inconclusive with probability {}.",
            rounded(chance)
        ),
        Err(_) => String::new(),
    }
}

/// The chance as it is recorded and shown.
pub fn rounded(chance: f64) -> String {
    if chance < 1e-4 {
        "below 1e-4".into()
    } else {
        number::significant(chance, 2)
    }
}
