//! The row of a histogram of locations.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// Where the locations of many keys lie, all probes together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HistogramRow {
    pub experiment: String,
    /// As in [`BatteryRow`](super::BatteryRow), and the next.
    pub subject: String,
    pub dataset: String,
    pub slots: u64,
    /// k.
    pub probes: u32,
    pub seed: u64,
    /// Keys located, k locations each.
    pub keys: u64,
    /// Locations in each of as many equal ranges of neighbouring slots as there
    /// are numbers, with blanks between.
    pub locations: String,
    /// What each range is due of all locations, as shares; empty if all are due as
    /// much for their slots.
    pub due: String,
    /// Pairs of locations of one key in one range, over all keys.
    pub pairs_together: u64,
}

impl HistogramRow {
    /// The locations in each range.
    pub fn counts(&self) -> Vec<u64> {
        numbers(&self.locations)
    }

    /// The share of all locations that each range is due.
    pub fn due(&self) -> Vec<f64> {
        let own: Vec<f64> = numbers(&self.due);
        let ranges = equal_ranges(self.slots, self.counts().len() as u64);
        if own.len() == ranges.len() {
            return own;
        }
        let share = |range: &Range<u64>| (range.end - range.start) as f64 / self.slots as f64;
        ranges.iter().map(share).collect()
    }
}

/// `slots` slots cut into `count` ranges. Where the division leaves a remainder
/// some have a slot more than others.
pub fn equal_ranges(slots: u64, count: u64) -> Vec<Range<u64>> {
    let first = |range: u64| {
        let product = u128::from(range) * u128::from(slots);
        product.div_ceil(u128::from(count)) as u64
    };
    (0..count)
        .map(|range| first(range)..first(range + 1))
        .collect()
}

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    let words = text.split_whitespace();
    words.map_while(|word| word.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_in_the_range_that_its_share_of_the_slots_says() {
        for slots in [1, 5, 63, 64, 65, 100, 1_000, (1 << 48) - 1] {
            let ranges = equal_ranges(slots, 64);
            assert_eq!((ranges[0].start, ranges[63].end), (0, slots));
            assert!(ranges.is_sorted_by(|a, b| a.end == b.start));
            for slot in [0, slots / 3, slots - 1] {
                let at = u128::from(slot) * 64 / u128::from(slots);
                assert!(ranges[at as usize].contains(&slot), "{slot} of {slots}");
            }
        }
    }
}
