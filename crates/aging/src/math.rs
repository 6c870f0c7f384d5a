//! The closed forms of age-partitioned filters: A. Shtul, C. Baquero and P. S. Almeida,
//! "Age-partitioned Bloom filters", 2020.

use alloc::vec;

/// The most slices of a filter. With more the filter would be at most a tenth smaller, and a
/// lookup longer.
pub const MOST_SLICES: u32 = 96;

/// The share of non-members that are found in `hashes` slices in a row, if each slice contains one
/// with the probability that `fills` has for it (section 4 of the paper).
///
/// Goes over the slices once and keeps the probability of each number of hits in a row so far.
pub fn run_probability(fills: impl Iterator<Item = f64>, hashes: u32) -> f64 {
    let mut runs = vec![0.0; hashes as usize];
    runs[0] = 1.0;
    let mut found = 0.0;
    for fill in fills {
        found += runs[hashes as usize - 1] * fill;
        let none: f64 = runs.iter().sum();
        for run in (1..hashes as usize).rev() {
            runs[run] = runs[run - 1] * fill;
        }
        runs[0] = none * (1.0 - fill);
    }
    found
}

/// The FPR of `hashes` + `generations` slices of any size that are half full when they are complete,
/// when the newest generation is.
pub fn half_full_fpr(hashes: u32, generations: u32) -> f64 {
    let k = f64::from(hashes);
    let rising = (1..hashes).map(|age| 1.0 - libm::exp2(-f64::from(age) / k));
    let half = core::iter::repeat_n(0.5, generations as usize + 1);
    run_probability(rising.chain(half), hashes)
}

/// The numbers of hashes and generations that need the least memory at this FPR: for each number of
/// hashes the most generations, up to `most`, and of those the pair with the fewest bits per key,
/// k (k + l) / (l ln 2).
pub fn best_slices(target_fpr: f64, most: u32) -> Option<(u32, u32)> {
    let at_least = libm::ceil(-libm::log2(target_fpr)).max(1.0) as u32;
    let bits = |(k, l): (u32, u32)| f64::from(k * (k + l)) / f64::from(l);
    let mut best: Option<(u32, u32)> = None;
    let mut fits = 0;
    for hashes in at_least..MOST_SLICES {
        let most = most.min(MOST_SLICES - hashes);
        // More hashes never allow fewer generations, except by the limit.
        while fits < most && half_full_fpr(hashes, fits + 1) <= target_fpr {
            fits += 1;
        }
        let pair = (hashes, fits.min(most));
        if fits > 0 && best.is_none_or(|best| bits(pair) < bits(best)) {
            best = Some(pair);
        }
        // No more hashes can save what they cost.
        if best.is_some_and(|best| f64::from(hashes) > bits(best)) {
            break;
        }
    }
    best
}
