//! T4: pairs of keys that meet in one slot, one probe index at a time. A range
//! that is smaller than m has more of them.

use bouquet_stats::CountLaw;

use super::{
    binning::Bins,
    law::{Finding, Law, Sides, equal_pairs},
    locations::Sample,
    t1_bins,
};

pub fn findings(sample: &Sample) -> Vec<Finding> {
    let mut findings = Vec::new();
    let keys = sample.keys();
    for draw in sample.draws() {
        // Where T1 has a bin for every value, it has counted all of this.
        if t1_bins::bins(draw.values(), keys).is_some_and(Bins::is_exact) {
            continue;
        }
        let law = equal_pairs(keys as f64, draw.values() as f64, 1.0);
        if let Some(law) = law {
            let statistic = equal_pairs_of(draw.data, draw.values());
            findings.push(finding("T4", draw.name(), statistic, law, Sides::Both));
        }
    }
    findings
}

pub(super) fn finding(
    test: &'static str,
    item: String,
    statistic: u64,
    law: CountLaw,
    sides: Sides,
) -> Finding {
    Finding {
        test,
        item,
        statistic: statistic as f64,
        law: Law::Count(law),
        sides,
        bins: 0,
        least_expected: law.mean(),
    }
}

/// Values that a table has room for in a few caches, which is sooner than sorting.
const TABLED: u64 = 1 << 20;

/// Pairs of equal numbers below `values`.
fn equal_pairs_of(data: &[u64], values: u64) -> u64 {
    if values > TABLED {
        return equal_neighbours(data.to_vec());
    }
    let mut seen = vec![0_u32; values as usize];
    let pairs_with = |value: &u64| {
        let before = &mut seen[*value as usize];
        *before += 1;
        u64::from(*before - 1)
    };
    data.iter().map(pairs_with).sum()
}

/// Pairs of equal numbers.
pub(super) fn equal_neighbours(mut data: Vec<u64>) -> u64 {
    data.sort_unstable();
    let runs = data.chunk_by(|a, b| a == b).map(|run| run.len() as u64);
    runs.map(|run| run * (run - 1) / 2).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted() {
        assert_eq!(equal_neighbours(vec![3, 1, 3, 2, 3, 1]), 3 + 1);
        assert_eq!(equal_neighbours(Vec::new()), 0);
        let some: Vec<u64> = (0..10_000).map(|i| i * i % 1_013).collect();
        for values in [1_013, TABLED, TABLED + 1] {
            assert_eq!(
                equal_pairs_of(&some, values),
                equal_neighbours(some.clone())
            );
        }
    }
}
