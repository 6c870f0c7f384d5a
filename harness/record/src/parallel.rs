//! Runs work on several threads; the results keep the order of the work.

use std::{
    collections::BTreeMap,
    panic::AssertUnwindSafe,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

use anyhow::Result;

/// Runs `work` for each piece on one of `jobs` threads. Passes the results to `take` in the order
/// of the pieces, even if they finish in another order. Fails if `take` does.
pub fn in_order<W: Sync, T: Send>(
    pieces: &[W],
    jobs: usize,
    work: impl Fn(&W) -> T + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, pieces.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let done = pieces.get(at).map(|piece| (at, work(piece)));
                    if done.is_none_or(|done| sender.send(done).is_err()) {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let (mut early, mut due) = (BTreeMap::new(), 0);
        for (index, done) in results {
            early.insert(index, done);
            while let Some(done) = early.remove(&due) {
                take(done)?;
                due += 1;
            }
        }
        Ok(())
    })
}

/// Runs code of other crates. A panic in it becomes an error message and does not end the run.
pub fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T, String> {
    match std::panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| format!("{error:#}")),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("panicked: {}", text.unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        let pieces: Vec<u64> = (0..100).collect();
        for jobs in [0, 1, 3, 200] {
            let mut taken = Vec::new();
            let take = |done| {
                taken.push(done);
                Ok(())
            };
            in_order(&pieces, jobs, |piece| piece * 2, take).unwrap();
            assert!(taken.iter().copied().eq((0..100).map(|i| 2 * i)));
        }
    }

    #[test]
    fn an_error_ends_it() {
        let stop = |_| Err(anyhow::anyhow!("full disk"));
        assert!(in_order(&[1, 2, 3], 2, |piece| *piece, stop).is_err());
    }
}
