//! Measures the speed of filters. Each filter has its own compiled loop, which also generates the
//! keys. Times are CPU times of the thread, or wall times if several threads share a filter.
//! Repetitions of different filters are interleaved.
//!
//! Net time is gross time minus a dry run that only generates the keys, as in RocksDB's
//! `filter_bench`.

mod definition;
mod field;
mod grid;
mod roofline;
mod threads;

pub use bouquet_catalogue::{
    BenchLoop, CHUNK, FilterBytes, Insertable, Kind, NON_MEMBERS as MEMBERS_END, Shared, Sharing,
    StoredKeys, Stream, dry_walk, single,
};
pub use definition::{Column, Definition, Effort, SpeedPlan};
pub use field::Field;
pub use grid::GridRun;
pub use threads::SharedRun;

use cpu_time::ThreadTime;

/// The result of `work`, and the nanoseconds of CPU time that this thread took: neither the time of
/// other programs nor waiting for the scheduler counts. The time is zero if the clock ran
/// backwards, as the clocks of virtual machines have done.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now().as_duration();
    let result = work();
    let end = ThreadTime::now().as_duration();
    (result, end.saturating_sub(start).as_nanos() as f64)
}

/// The median of three measurements. It is for a value that is subtracted from many others: a
/// single bad measurement of it would shift them all.
fn middle_of_three(mut measure: impl FnMut() -> f64) -> f64 {
    let mut all = [measure(), measure(), measure()];
    all.sort_by(f64::total_cmp);
    all[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_moment_does_not_count() {
        for bad in 0..3 {
            let mut turn = 0;
            let middle = middle_of_three(|| {
                turn += 1;
                if turn == bad + 1 { 54.0 } else { 4.0 }
            });
            assert_eq!((middle, turn), (4.0, 3));
        }
    }
}
