//! T1: bins of neighbouring slots, one probe index at a time.

use super::{
    binning::{Bins, pearson},
    locations::{Draw, Sample},
};
use bouquet_ground::record::TestRow;

const MOST_BINS: u64 = 1_024;

/// The bins of a draw.
pub fn bins(values: u64, keys: u64) -> Option<Bins> {
    Bins::fitting(values, keys, MOST_BINS)
}

pub fn findings(sample: &Sample) -> Vec<TestRow> {
    let finding = |draw: Draw<'_>| {
        let bins = bins(draw.values(), sample.keys())?;
        let mut counts = vec![0; bins.count() as usize];
        for value in draw.data {
            counts[bins.of(*value) as usize] += 1;
        }
        Some(pearson("T1", draw.name(), &counts, bins.shares()))
    };
    sample.draws().into_iter().filter_map(finding).collect()
}
