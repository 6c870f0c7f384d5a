//! T1: bins of neighbouring slots, one probe index at a time.

use super::{
    binning::{Bins, pearson},
    law::Finding,
    locations::Sample,
};

const MOST_BINS: u64 = 1_024;

/// The bins of a draw.
pub fn bins(values: u64, keys: u64) -> Option<Bins> {
    Bins::fitting(values, keys, MOST_BINS)
}

pub fn findings(sample: &Sample) -> Vec<Finding> {
    let mut findings = Vec::new();
    for draw in sample.draws() {
        let Some(bins) = bins(draw.values(), sample.keys()) else {
            continue;
        };
        let mut counts = vec![0; bins.count() as usize];
        for value in draw.data().iter() {
            counts[bins.of(*value) as usize] += 1;
        }
        findings.push(pearson("T1", draw.name(), &counts, bins.shares()));
    }
    findings
}
