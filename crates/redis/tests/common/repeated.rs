//! One thread that asks all the time while another changes what is asked.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    thread::{scope, yield_now},
};

/// Ends the other thread however this one ends.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Makes `steps`, and `round` again and again beside them. What `steps` is given waits until a
/// whole round has been made since, however slow the machine: call it where the rounds
/// must have seen what the steps did.
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
            // The next to end may have begun before.
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
