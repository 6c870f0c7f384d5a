//! Whether the keyed hash withstands.

use bouquet_ground::record::{ALL, AttackRow, BROKEN, BUDGET_SPENT, KEYED, WITHSTANDS};

/// What the rows come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No attack got through the keyed hash, and each gets through a public
    /// seed.
    Withstands,
    /// One did.
    Broken,
    /// An attack fails against a public seed too: it shows nothing.
    Void,
    /// The trials ended before something was shown.
    Inconclusive,
}

/// Judges the keyed hash by the attacks by which the others fall.
pub fn verdict(rows: &[AttackRow]) -> Verdict {
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
        Verdict::Broken
    } else if keyed.is_empty() || !keyed.iter().all(is_met) || any(&open, WITHSTANDS) {
        Verdict::Void
    } else if any(&keyed, BUDGET_SPENT) || any(&open, BUDGET_SPENT) {
        Verdict::Inconclusive
    } else {
        Verdict::Withstands
    }
}
