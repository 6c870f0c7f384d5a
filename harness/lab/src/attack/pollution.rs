//! Filling a filter with keys that set as many bits as can be.

use anyhow::Result;
use bouquet_core::Fill;
use bouquet_standard::Geometry;

use super::{
    bloom::Bloom,
    case::{Case, EXPERIMENT, judge},
};
use bouquet_ground::record::{AttackRow, PollutionRow};

/// So many times on the way to capacity the filter is looked at.
const STOPS: u64 = 8;
/// Each time it is asked for this part of the strangers that it is asked for in
/// the end.
const STRANGERS_SHARE: u64 = 4;

/// The attack, and how it went on the way.
pub struct Done {
    pub row: AttackRow,
    pub course: Vec<PollutionRow>,
}

impl From<AttackRow> for Done {
    fn from(row: AttackRow) -> Self {
        Self {
            row,
            course: Vec::new(),
        }
    }
}

/// Fills `real` to capacity with keys that find every probe on an empty slot of
/// the attacker's `copy`. Both are empty and of one size.
///
/// n such keys fill n k/m of the slots, where keys that nobody chose fill
/// 1 - exp(-n k/m).
pub fn pollution<B: Bloom>(case: &Case<'_>, mut real: B, mut copy: B) -> Result<Done> {
    let geometry = Geometry::new(real.size_bits(), real.hashes())?;
    let wanted = case.plan.capacity;
    let mut search = case.search();
    let (mut chosen, mut succeeded) = (0, 0);
    let mut course = Vec::new();
    while chosen < wanted {
        let Some(key) = search.find(|key| copy.is_all_fresh(key)) else {
            break;
        };
        succeeded += u64::from(real.is_all_fresh(key));
        copy.insert(key);
        real.insert(key);
        chosen += 1;
        if is_stop(chosen, wanted) {
            course.push(stop(case, &real, &geometry, chosen));
        }
    }
    let mut row = case.row("pollution", "search", wanted, &real.subject(chosen));
    search.cost().put_into(&mut row);
    row.chosen = chosen;
    row.succeeded = succeeded;
    row.honest_rate = share_all_fresh(&geometry, chosen);
    row.fill_ratio = Some(real.fill_ratio());
    row.expected_fill = Some(geometry.fill_mean(chosen));
    row.expected_fill_sd = Some(geometry.fill_variance(chosen).sqrt());
    case.ask_strangers(&mut row, |key| real.contains(key));
    judge(&mut row);
    Ok(Done { row, course })
}

/// Whether the filter is looked at after so many of the keys.
fn is_stop(chosen: u64, wanted: u64) -> bool {
    chosen == wanted || chosen.is_multiple_of(wanted.div_ceil(STOPS).max(1))
}

/// The filter after so many chosen keys. It is the same strangers every time.
fn stop<B: Bloom>(case: &Case<'_>, real: &B, geometry: &Geometry, chosen: u64) -> PollutionRow {
    let subject = real.subject(chosen);
    let asked = case.plan.strangers / STRANGERS_SHARE;
    PollutionRow {
        experiment: EXPERIMENT.into(),
        filter: subject.filter.into(),
        hashing: case.hashing.into(),
        knows: case.knows.into(),
        capacity: case.plan.capacity,
        size_bits: subject.size_bits,
        hashes: subject.hashes,
        seed: case.seed,
        chosen,
        fill_ratio: real.fill_ratio(),
        expected_fill: geometry.fill_mean(chosen),
        strangers_asked: asked,
        false_positives: case.hits(asked, |key| real.contains(key)),
        expected_fpr: subject.expected_fpr,
    }
}

/// Of keys that nobody chose, the share that finds every probe on an empty slot
/// as the filter fills.
fn share_all_fresh(geometry: &Geometry, keys: u64) -> f64 {
    let share = |held| (1.0 - geometry.fill_mean(held)).powi(geometry.hashes() as i32);
    (0..keys).map(share).sum::<f64>() / keys.max(1) as f64
}
