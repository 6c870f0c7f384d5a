//! The uniformity battery: four tests of locations alone, so that m = 2^48
//! needs no array.
//!
//! | test | looks at | finds |
//! | --- | --- | --- |
//! | T0 | locations below m, and computed again in 128 bits | words cut to 32 bits |
//! | T1 | up to 1,024 bins of neighbouring slots, a probe index at a time | uneven hashes and reductions |
//! | T3 | pairs of probes: 32 x 32 bins, and their difference mod m | steps with a structure, coarse indexes |
//! | T7 | keys with the same locations | truncated hashes; of one probe a range smaller than m |
//!
//! There is one where a control is flagged by it alone: sign-32 by T0, one-bin-20 by T1,
//! step-even by T3, truncated-24 by T7. What other tests would see, these do.
//!
//! Each test is a pure function from a [`Sample`] of locations to findings: a
//! statistic and the law that it follows if the scheme does what it claims.
//! p-values, the correction for their number and the verdict come when a report
//! is written, from the recorded findings.
//!
//! One probe index is tested at a time, one location a key. Pooling the k
//! locations of a key would invalidate chi-square, because they depend on each other
//! (`harness/lab/src/battery/pooled.rs` shows by how much).

mod cells;
mod expect;
mod law;
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

pub use cells::{BatteryCell, Definition};
pub use expect::{Claim, Expectation, Expectations};
pub use locations::Sample;
pub use t7_sets::findings as location_sets;

use bouquet_ground::{interrupt::go_on_or_unwind, record::TestRow};

/// Expected counts from which chi-square holds at the levels that a run of many
/// thousand tests needs.
const LEAST_EXPECTED: f64 = 100.0;

/// All tests of locations; where some are no slots, only that.
fn findings(sample: &Sample) -> Vec<TestRow> {
    let range = t0_arithmetic::range(sample);
    if range.statistic > 0.0 {
        return vec![range];
    }
    let tests = [t1_bins::findings, t3_pairs::findings, t7_sets::findings];
    let others = tests.iter().flat_map(|test| {
        go_on_or_unwind();
        test(sample)
    });
    std::iter::once(range).chain(others).collect()
}
