//! The processor's time of this thread: what other programs take of the
//! machine is not in it, nor is a wait for the scheduler. `std` has no such
//! clock.

use cpu_time::ThreadTime;

/// What `work` gives, and the nanoseconds it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = ThreadTime::now();
    let result = work();
    (result, start.elapsed().as_nanos() as f64)
}
