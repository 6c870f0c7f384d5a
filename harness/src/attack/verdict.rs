//! Whether the keyed hash withstands.

use super::{
    record::{AttackRow, BROKEN, BUDGET_SPENT},
    run::KEYED,
};

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
    let mut verdict = Verdict::Withstands;
    for row in rows.iter().filter(|row| row.hashing == KEYED) {
        if row.outcome == BROKEN {
            return Verdict::Broken;
        }
        let same = |other: &&AttackRow| {
            (&other.attack, &other.filter, &other.method) == (&row.attack, &row.filter, &row.method)
                && other.knows == "all"
        };
        let mut open = rows.iter().filter(same).peekable();
        let spent = open.clone().any(|other| other.outcome == BUDGET_SPENT);
        let shown = open.peek().is_some() && open.all(|other| other.outcome == BROKEN);
        if row.outcome == BUDGET_SPENT || spent {
            verdict = Verdict::Inconclusive;
        } else if !shown {
            return Verdict::Void;
        }
    }
    verdict
}
