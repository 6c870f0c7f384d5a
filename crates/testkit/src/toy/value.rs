//! The toy as a value: `Clone`, `PartialEq`, `Extend` and `Debug`.

use std::{
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed},
    },
};

use bouquet_core::Key;

use super::{Fault, Toy};

impl Clone for Toy {
    fn clone(&self) -> Self {
        let counters: Arc<[_]> = match self.fault {
            Fault::CloneShares => Arc::clone(&self.counters),
            _ => self.counts().map(AtomicU8::new).collect(),
        };
        if self.has(Fault::CloneDropsLast) {
            counters[counters.len() - 1].store(0, Relaxed);
        }
        Self {
            counters,
            turns: AtomicU64::new(self.turns.load(Relaxed)),
            is_inserting: AtomicBool::new(false),
            turn: Mutex::new(()),
            ..*self
        }
    }
}

impl PartialEq for Toy {
    fn eq(&self, other: &Self) -> bool {
        (self.has(Fault::EqualityIgnoresSeed) || self.hasher == other.hasher)
            && self.geometry == other.geometry
            && self.max == other.max
            && (self.has(Fault::EqualityIgnoresContent) || self.counts().eq(other.counts()))
    }
}

impl Eq for Toy {}

impl<K: Key> Extend<K> for Toy {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        let skipped = usize::from(self.has(Fault::ExtendSkipsFirst));
        for key in keys.into_iter().skip(skipped) {
            self.insert(&key);
        }
    }
}

impl fmt::Debug for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut toy = f.debug_struct("Toy");
        toy.field("geometry", &self.geometry)
            .field("hasher", &self.hasher);
        if self.has(Fault::DebugPrintsSlots) {
            toy.field("counters", &self.counters);
        }
        toy.finish_non_exhaustive()
    }
}
