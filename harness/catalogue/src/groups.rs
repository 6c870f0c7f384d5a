//! How much the FPR of a filter of blocks or shards differs from one to the next.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

use bouquet_core::math::{Occupancy, expected_fpr, fpr_deviation};
use bouquet_sharded::math::mean_over_loads;

use bouquet_stats::relative_spread;

/// An occupancy and its keys.
type Case = (u64, u64, u64, u32, u64);

/// Replicates are all of one size, and it is some million steps.
static KNOWN: Mutex<BTreeMap<Case, f64>> = Mutex::new(BTreeMap::new());

/// The standard deviation of the FPR over its mean: groups with random loads, each
/// of which is a filter by itself, with `keys` keys in all. `None` for more groups
/// than can be counted.
pub fn fpr_spread(all: Occupancy, keys: u64) -> Option<f64> {
    let groups = u32::try_from(all.groups).ok()?;
    let case = (all.groups, all.ranges, all.slots, all.throws, keys);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(spread) = known().get(&case) {
        return Some(*spread);
    }
    let group = Occupancy { groups: 1, ..all };
    let hashes = u32::try_from(all.ranges).ok()? * all.throws;
    let by_load = RefCell::new(HashMap::new());
    let fpr = |load| {
        let mut by_load = by_load.borrow_mut();
        *by_load
            .entry(load)
            .or_insert_with(|| group_fpr(group, load))
    };
    let own_spread = |load| {
        let (mean, variance) = (group.fill_mean(load), group.fill_variance(load));
        fpr_deviation(1.0, hashes, mean, variance)
    };
    let mean = |keys, groups, of: &dyn Fn(u64) -> f64| mean_over_loads(keys, groups, of);
    let spread = relative_spread(mean, keys, groups, fpr, own_spread);
    known().insert(case, spread);
    Some(spread)
}

/// The FPR of one group by its bits alone: k probes anywhere, or one in each range.
pub fn group_fpr(group: Occupancy, load: u64) -> f64 {
    match u32::try_from(group.ranges) {
        Ok(ranges) if ranges > 1 => {
            bouquet_partitioned::math::expected_fpr(group.slots, ranges, load)
        }
        _ => expected_fpr(group.slots, group.throws, load),
    }
}

#[cfg(test)]
mod tests {
    use bouquet_blocked::{BlockedBloom, Line, Words64};
    use bouquet_core::{Fill as _, Inspect, TryInsert};
    use bouquet_hash::Folded;
    use bouquet_sharded::ShardedBloom;

    use super::*;

    /// The relative deviation of what the bits of many filters give.
    fn seen<F: TryInsert + Inspect>(keys: u64, make: impl Fn(u64) -> F) -> f64 {
        const FILTERS: u64 = 800;
        let fprs: Vec<f64> = (0..FILTERS)
            .map(|seed| {
                let mut filter = make(seed);
                for key in 0..keys {
                    assert!(filter.try_insert(&key.to_le_bytes()).is_ok());
                }
                filter.estimated_fpr()
            })
            .collect();
        let mean = fprs.iter().sum::<f64>() / FILTERS as f64;
        let square = fprs.iter().map(|fpr| (fpr - mean).powi(2)).sum::<f64>();
        (square / (FILTERS - 1) as f64).sqrt() / mean
    }

    /// The deviation of so many filters is known to some 3 %.
    fn agree(told: Option<f64>, seen: f64) {
        let told = told.unwrap();
        assert!((told / seen - 1.0).abs() < 0.12, "{told} {seen}");
    }

    #[test]
    fn the_spread_is_that_of_filters() {
        let of = Folded::with_seed;
        let line = |seed| BlockedBloom::from_parts(30, Line::new(5).unwrap(), of(seed)).unwrap();
        agree(
            fpr_spread(line(0).geometry().occupancy(), 1_500),
            seen(1_500, line),
        );
        let words = |seed| BlockedBloom::from_parts(30, Words64, of(seed)).unwrap();
        agree(
            fpr_spread(words(0).geometry().occupancy(), 1_500),
            seen(1_500, words),
        );
        let shards = |seed| ShardedBloom::from_parts(8, 1_600, 6, of(seed)).unwrap();
        agree(
            fpr_spread(shards(0).geometry().occupancy(), 1_280),
            seen(1_280, shards),
        );
        // From memory the same.
        assert_eq!(
            fpr_spread(line(0).geometry().occupancy(), 1_500),
            fpr_spread(line(1).geometry().occupancy(), 1_500)
        );
    }
}
