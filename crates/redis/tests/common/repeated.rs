//! Repeats queries in one thread while another thread changes what is queried.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    thread::{scope, yield_now},
};

/// Stops the other thread, even if this one panics.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Calls `steps`, and calls `round` repeatedly in another thread meanwhile. `steps` gets a function
/// that waits until a whole round has begun and ended since the call; it calls this function where
/// the rounds must have seen the effect of its steps.
pub fn beside<T>(mut round: impl FnMut() + Send, steps: impl FnOnce(&dyn Fn()) -> T) -> T {
    let (stop, ended) = (AtomicBool::new(false), AtomicU32::new(0));
    scope(|scope| {
        let rounds = scope.spawn(|| {
            while !stop.load(Relaxed) {
                round();
                ended.fetch_add(1, Relaxed);
            }
        });
        let stopping = Stop(&stop);
        let done = steps(&|| {
            // The next round to end may have begun before this call, so wait for the one after it.
            let whole = ended.load(Relaxed) + 2;
            while ended.load(Relaxed) < whole && !rounds.is_finished() {
                yield_now();
            }
        });
        drop(stopping);
        rounds.join().unwrap();
        done
    })
}
