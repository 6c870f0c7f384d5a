//! The row of a histogram of locations.

use serde::{Deserialize, Serialize};

use super::Row;

/// Where the locations of many keys lie, all probes together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HistogramRow {
    pub experiment: String,
    /// As in [`UniformityRow`](super::UniformityRow), and the next.
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

impl Row for HistogramRow {
    const FILE: &'static str = "histogram.csv";
}

impl HistogramRow {
    /// The locations in each range.
    pub fn counts(&self) -> Vec<u64> {
        numbers(&self.locations)
    }

    /// The shares that the ranges are due; empty if all alike.
    pub fn due(&self) -> Vec<f64> {
        numbers(&self.due)
    }
}

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    let words = text.split_whitespace();
    words.map_while(|word| word.parse().ok()).collect()
}
