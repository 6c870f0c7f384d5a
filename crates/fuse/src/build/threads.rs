//! Jobs that are done by one thread or several.

use alloc::vec::Vec;

/// Calls `work` in so many threads with the jobs that are left, of which each is taken once, and
/// returns what each thread returned. Without the feature `std` there is one thread.
pub(crate) fn in_threads<J, R: Send>(
    #[cfg_attr(not(feature = "std"), expect(unused_variables))] threads: usize,
    mut jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(&mut dyn Iterator<Item = J>) -> R + Sync,
) -> Vec<R> {
    #[cfg(feature = "std")]
    if threads > 1 {
        let jobs = std::sync::Mutex::new(jobs);
        let next = || jobs.lock().ok()?.next();
        let work = || work(&mut core::iter::from_fn(next));
        return std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let ended = threads.into_iter().map(|thread| thread.join());
            ended
                .map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
    }
    alloc::vec![work(&mut jobs)]
}
