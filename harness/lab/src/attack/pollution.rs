//! Filling a filter with keys that set as many bits as can be.

use anyhow::Result;
use bouquet_stats::witness::Array;

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
    let array = Array::whole(real.size_bits(), real.hashes());
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
    row.random_key_rate = share_all_fresh(&array, chosen);
    row.fill_ratio = Some(real.fill_ratio());
    let fill = array.fill(chosen);
    row.expected_fill = Some(fill.mean);
    row.expected_fill_sd = Some(fill.sd);
    case.look_up_non_members(&mut row, |key| real.contains(key));
    judge(&mut row);
    Ok(row)
}

/// Of keys that nobody chose, the share that finds every probe on an empty slot
/// as the filter fills.
fn share_all_fresh(array: &Array, keys: u64) -> f64 {
    let probes = array.throws as i32;
    let left_by_a_key = (1.0 - 1.0 / array.slots as f64).powi(probes);
    let (mut empty, mut sum) = (1.0_f64, 0.0);
    for _ in 0..keys {
        sum += empty.powi(probes);
        empty *= left_by_a_key;
    }
    sum / keys.max(1) as f64
}
