//! The processor's time of this thread: what other programs take of the
//! machine is not in it, nor is a wait for the scheduler. `std` has no such
//! clock.

use cpu_time::ThreadTime;

/// What `work` gives, and the nanoseconds it took: none by a clock that ran backwards, as
/// those of virtual machines have done.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now().as_duration();
    let result = work();
    let end = ThreadTime::now().as_duration();
    (result, end.saturating_sub(start).as_nanos() as f64)
}

/// The middle one of three measurements: of what is taken off many others, which one
/// bad moment would move all together.
pub fn middle_of_three(mut measure: impl FnMut() -> f64) -> f64 {
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
