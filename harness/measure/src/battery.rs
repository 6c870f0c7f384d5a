//! The uniformity battery: four tests of the slots that a scheme maps keys to (their locations).
//! The tests need no bit array, so m can be 2^48.
//!
//! | test | checks | finds |
//! | --- | --- | --- |
//! | T0 | locations are below m, and equal those computed in 128 bits | words cut to 32 bits |
//! | T1 | counts in up to 1,024 bins of neighbouring slots, for each probe index | uneven hashes and reductions |
//! | T3 | two probes of a key: 32 x 32 bins, and their difference mod m | double hashing with bad steps, indexes of too few bits |
//! | T7 | pairs of keys with the same locations | truncated hashes; with one probe, a range smaller than m |
//!
//! No test can be left out, because each flags a known fault that the others miss: T0 that of
//! sign-32, T1 that of one-bin-20, T3 that of step-even, T7 that of truncated-24.
//!
//! Each test turns a `Sample` of locations into findings. A finding is a statistic and the
//! distribution that it follows if the scheme does what it claims. A report computes p-values, the
//! correction for multiple testing and the verdict from the recorded findings.
//!
//! T1 tests one probe index at a time, so it uses one location of each key. Pooling the k locations
//! of a key would invalidate chi-square, because these locations depend on each other
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

/// The smallest expected count per bin. With fewer, chi-square would not be accurate at the low
/// significance levels that a run of many thousand tests needs.
const LEAST_EXPECTED: f64 = 100.0;

/// Runs all tests on the locations. If some locations are not below m, reports only this error.
fn findings(sample: &Sample) -> Vec<TestRow> {
    let range = t0_arithmetic::range(sample);
    if range.statistic > 0.0 {
        return vec![range];
    }
    let tests = [t1_bins::findings, t3_pairs::findings, t7_sets::findings];
    let others = tests.iter().flat_map(|test| test(sample));
    std::iter::once(range).chain(others).collect()
}
