//! Non-members that pass for members.

use anyhow::Result;
use bouquet_stats::witness::fpr_at_fill;

use super::{
    bloom::Bloom,
    case::{Case, judge},
};
use bouquet_ground::record::AttackRow;

/// Fills `real` with members that nobody chose and looks for non-members that
/// pass, by the hasher of `copy` over the bits of `real`.
pub fn forging<B: Bloom>(case: &Case<'_>, mut real: B, copy: &B) -> Result<AttackRow> {
    for member in case.members() {
        real.insert(&member);
    }
    let copy = copy.over_bits_of(&real)?;
    let subject = real.subject(case.plan.capacity);
    let mut row = case.row("forged-positives", "search", case.plan.forged, subject);
    let mut search = case.search();
    while row.chosen < row.wanted {
        let Some(key) = search.find(|key| copy.contains(key)) else {
            break;
        };
        row.chosen += 1;
        row.succeeded += u64::from(real.contains(key));
    }
    search.cost().put_into(&mut row);
    row.random_key_rate = fpr_at_fill(real.fill_ratio(), real.hashes());
    case.look_up_non_members(&mut row, |key| real.contains(key));
    judge(&mut row);
    Ok(row)
}
