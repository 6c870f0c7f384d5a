//! Whether the keyed hash withstands.

use bouquet_ground::Outcome;
use bouquet_ground::record::{ALL, AttackRow, BROKEN, BUDGET_SPENT, KEYED, WITHSTANDS};

/// Judges the keyed hash by the attacks by which the others are broken: invalid if one fails
/// against a public seed too, inconclusive if the trials ended before something was
/// shown.
pub fn verdict(rows: &[AttackRow]) -> Outcome {
    let (mut keyed, mut open) = (Vec::new(), Vec::new());
    for row in rows {
        if row.hashing == KEYED {
            keyed.push(row);
        } else if row.knows == ALL {
            open.push(row);
        }
    }
    let any = |rows: &[&AttackRow], outcome| rows.iter().any(|row| row.outcome == outcome);
    let is_met = |row: &&AttackRow| {
        let name = |row: &AttackRow| [&row.attack, &row.filter, &row.method].map(String::clone);
        open.iter().any(|other| name(other) == name(row))
    };
    if any(&keyed, BROKEN) {
        Outcome::Fail
    } else if keyed.is_empty() || !keyed.iter().all(is_met) || any(&open, WITHSTANDS) {
        Outcome::Void
    } else if any(&keyed, BUDGET_SPENT) || any(&open, BUDGET_SPENT) {
        Outcome::Inconclusive
    } else {
        Outcome::Pass
    }
}
