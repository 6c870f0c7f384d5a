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
    /// Pairs of locations of one key in one range, over all keys.
    pub pairs_together: u64,
}

impl Row for HistogramRow {
    const FILE: &'static str = "histogram.csv";
}

impl HistogramRow {
    /// The locations in each range.
    pub fn counts(&self) -> Vec<u64> {
        let counts = self.locations.split_whitespace();
        counts.map_while(|count| count.parse().ok()).collect()
    }
}
