//! Filling a filter with keys that set as many bits as can be.

use anyhow::Result;
use bouquet_core::Fill;
use bouquet_standard::Geometry;

use super::{
    bloom::Bloom,
    case::{Case, judge},
};
use bouquet_ground::record::AttackRow;

/// Fills `real` to capacity with keys that find every probe on an empty slot of
/// the attacker's `copy`. Both are empty and of one size.
///
/// n such keys fill n k/m of the slots, where keys that nobody chose fill
/// 1 - exp(-n k/m).
pub fn pollution<B: Bloom>(case: &Case<'_>, mut real: B, mut copy: B) -> Result<AttackRow> {
    let geometry = Geometry::new(real.size_bits(), real.hashes())?;
    let wanted = case.plan.capacity;
    let mut search = case.search();
    let (mut chosen, mut succeeded) = (0, 0);
    while chosen < wanted {
        let Some(key) = search.find(|key| copy.is_all_fresh(key)) else {
            break;
        };
        succeeded += u64::from(real.is_all_fresh(key));
        copy.insert(key);
        real.insert(key);
        chosen += 1;
    }
    let mut row = case.row("pollution", "search", wanted, real.subject(chosen));
    search.cost().put_into(&mut row);
    row.chosen = chosen;
    row.succeeded = succeeded;
    row.honest_rate = share_all_fresh(&geometry, chosen);
    row.fill_ratio = Some(real.fill_ratio());
    row.expected_fill = Some(geometry.fill_mean(chosen));
    row.expected_fill_sd = Some(geometry.fill_variance(chosen).sqrt());
    case.ask_strangers(&mut row, |key| real.contains(key));
    judge(&mut row);
    Ok(row)
}

/// Of keys that nobody chose, the share that finds every probe on an empty slot
/// as the filter fills.
fn share_all_fresh(geometry: &Geometry, keys: u64) -> f64 {
    let share = |held| (1.0 - geometry.fill_mean(held)).powi(geometry.hashes() as i32);
    (0..keys).map(share).sum::<f64>() / keys.max(1) as f64
}
