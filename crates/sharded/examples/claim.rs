//! Threads that find the same jobs: exactly one thread does each job, because `insert` returns
//! `true` to exactly one.
//!
//! cargo run --example claim

use std::{
    error::Error,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use bouquet_sharded::ShardedBloom;

const JOBS: u64 = 100_000;
const THREADS: u64 = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let claimed = ShardedBloom::new(JOBS as usize, 1e-4)?;
    let (found, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let times_done: Vec<AtomicU64> = (0..JOBS).map(|_| AtomicU64::new(0)).collect();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (claimed, found, done, times_done) = (&claimed, &found, &done, &times_done);
            // Each thread begins at another job and visits all jobs.
            let jobs = (0..JOBS).map(move |job| (job + thread * JOBS / THREADS) % JOBS);
            scope.spawn(move || {
                for job in jobs {
                    found.fetch_add(1, Ordering::Relaxed);
                    if claimed.insert(&job) {
                        done.fetch_add(1, Ordering::Relaxed);
                        times_done[job as usize].fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let (found, done) = (found.into_inner(), done.into_inner());
    if times_done
        .iter()
        .any(|times| times.load(Ordering::Relaxed) > 1)
    {
        return Err("a job was done twice".into());
    }
    println!(
        "{found} times a job was found, {done} done: {} saved",
        found - done
    );
    println!(
        "{} left out by false positives (target 1 in 10000)",
        JOBS - done
    );
    if let Some(job) = (0..JOBS).find(|job| !claimed.contains(job)) {
        return Err(format!("job {job} is a false negative").into());
    }
    if (JOBS - done) * 5_000 > JOBS {
        return Err("more than twice the target left out".into());
    }
    Ok(())
}
