//! Replaces a filter by a rebuilt one while threads read it, without an interruption.
//!
//! A filter that cannot remove keys is rebuilt from time to time: because keys were deleted, or
//! because there are more keys than it was sized for. Readers continue to use the old filter until
//! the new one is complete; then one pointer changes. No reader waits for the rebuild, and no
//! reader ever sees an incomplete filter.
//!
//! cargo run --example swap

use std::{
    error::Error,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use bouquet_sharded::{SpecError, StandardBloom};

/// The filter that is currently in use.
#[derive(Debug)]
pub struct Current(RwLock<Arc<StandardBloom>>);

impl Current {
    /// Starts with this filter.
    pub fn new(filter: StandardBloom) -> Self {
        Self(RwLock::new(Arc::new(filter)))
    }

    /// The filter to query. The lock is held only while a pointer is copied; the filter itself
    /// exists for as long as someone uses it.
    pub fn get(&self) -> Arc<StandardBloom> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Replaces the filter. This changes only a pointer, however large the filter is.
    pub fn swap(&self, filter: StandardBloom) {
        let next = Arc::new(filter);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

/// Readers query keys that every version of the filter contains, while the filter is rebuilt with
/// more keys each time. Returns the number of answered queries.
pub fn run() -> Result<u64, Box<dyn Error>> {
    let with = |keys: u64| StandardBloom::from_keys(0..keys, 0.001);
    let current = Current::new(with(1_000)?);
    let done = AtomicBool::new(false);
    let reader = || {
        let mut asked = 0;
        loop {
            let last = done.load(Ordering::Relaxed);
            let filter = current.get();
            for key in 0..1_000u64 {
                assert!(filter.contains(&key), "{key} was lost in a swap");
                asked += 1;
            }
            if last {
                return asked;
            }
        }
    };
    thread::scope(|scope| {
        let readers: Vec<_> = (0..3).map(|_| scope.spawn(reader)).collect();
        let swapped = (2..=20).try_for_each(|thousands| -> Result<(), SpecError> {
            current.swap(with(thousands * 1_000)?);
            Ok(())
        });
        done.store(true, Ordering::Relaxed);
        // All readers are joined, because the scope would panic if one that panicked were left.
        let joined: Vec<_> = readers.into_iter().map(|reader| reader.join()).collect();
        let asked: thread::Result<u64> = joined.into_iter().sum();
        swapped?;
        asked.map_err(|_| "a reader missed a key".into())
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let queries = run()?;
    println!(
        "saved: the wait for 19 rebuilds: 3 readers were answered {queries} queries meanwhile, and \
         found every member"
    );
    Ok(())
}
