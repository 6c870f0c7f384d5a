//! The uniformity battery: four tests that need only the locations of keys and no bit array, so
//! that m can be 2^48.
//!
//! | test | looks at | finds |
//! | --- | --- | --- |
//! | T0 | locations: below m, and equal to a computation in 128 bits | words cut to 32 bits |
//! | T1 | up to 1,024 bins of neighbouring slots, a probe index at a time | uneven hashes and reductions |
//! | T3 | pairs of probes: 32 x 32 bins, and their difference mod m | steps with a structure, indexes of too few bits |
//! | T7 | keys with the same locations | truncated hashes; with one probe, a range smaller than m |
//!
//! Each test is needed: it alone flags one scheme with a known fault. T0 flags sign-32, T1
//! one-bin-20, T3 step-even, T7 truncated-24. Further tests would find nothing more.
//!
//! Each test is a pure function from a `Sample` of locations to findings: a statistic and the
//! distribution that it follows if the scheme does what it claims. The p-values, the correction for
//! multiple testing and the verdict are computed from the recorded findings when a report is
//! written.
//!
//! One probe index is tested at a time, with one location per key. Pooling the k locations of a key
//! would invalidate chi-square, because these locations depend on each other
//! (`harness/measure/src/battery/pooled.rs` shows by how much).

mod cells;
mod locations;
#[cfg(test)]
mod pooled;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod self_test;
mod t0_arithmetic;
mod t1_bins;
mod t3_pairs;
mod t7_sets;

pub use cells::{BatteryCell, Claim, Definition, Expectation, Expectations};
use locations::Sample;
pub use t7_sets::findings as location_sets;

use bouquet_record::TestRow;

/// The smallest expected count per bin at which chi-square is accurate enough for the significance
/// levels that a run of many thousand tests needs.
const LEAST_EXPECTED: f64 = 100.0;

/// Runs all tests on the locations. If some locations are not below m, reports only this fault.
fn findings(sample: &Sample) -> Vec<TestRow> {
    let range = t0_arithmetic::range(sample);
    if range.statistic > 0.0 {
        return vec![range];
    }
    let tests = [t1_bins::findings, t3_pairs::findings, t7_sets::findings];
    let others = tests.iter().flat_map(|test| test(sample));
    std::iter::once(range).chain(others).collect()
}
