//! The filter behind `&self`, for threads.

use std::sync::{
    PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicU64, Ordering},
};

use bouquet_bits::AtomicBitArray;
use bouquet_core::{ConcurrentInsert, Filter, Key, KeyHash, KeyHasher, Prehashed, Spec, SpecError};
use bouquet_hash::Folded;

use crate::age::Age;

/// An [`AgingBloom`](crate::AgingBloom) that threads share: every method takes `&self`.
///
/// Inserts and lookups of several threads go on at the same time, behind the shared side of a lock;
/// only the begin of a generation waits for them and lets none pass.
///
/// ```
/// use bouquet_aging::SharedAging;
///
/// let seen = SharedAging::new(1_000_000, 0.01)?;
/// std::thread::scope(|scope| {
///     for thread in 0..2_u64 {
///         let seen = &seen;
///         scope.spawn(move || (0..1_000).for_each(|i| drop(seen.insert(&(thread, i)))));
///     }
/// });
/// assert!(seen.contains(&(1_u64, 999)));
/// # Ok::<(), bouquet_aging::SpecError>(())
/// ```
#[derive(Debug)]
pub struct SharedAging<H: KeyHasher = Folded> {
    hasher: H,
    spec: Spec,
    state: RwLock<State>,
    /// Insertions of the newest generation; above its number if the next has to begin.
    inserted: AtomicU64,
}

#[derive(Debug)]
struct State {
    age: Age,
    bits: AtomicBitArray,
}

impl SharedAging {
    /// As [`AgingBloom::new`](crate::AgingBloom::new).
    ///
    /// # Errors
    ///
    /// [`SpecError`].
    pub fn new(window: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::of(None, window, target_fpr)
    }

    /// As [`AgingBloom::lasting`](crate::AgingBloom::lasting).
    ///
    /// # Errors
    ///
    /// [`SpecError`].
    pub fn lasting(span: u64, capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        Self::of(Some(span), capacity, target_fpr)
    }

    fn of(span: Option<u64>, capacity: usize, target_fpr: f64) -> Result<Self, SpecError> {
        let spec = Spec::new(capacity as u64, target_fpr)?;
        let age = Age::new::<Folded>(span, &spec)?;
        let bits = AtomicBitArray::new(age.geometry.size_bits());
        let bits = bits.map_err(|error| SpecError::OutOfMemory { bytes: error.bytes })?;
        Ok(Self {
            hasher: Folded::default(),
            spec,
            state: RwLock::new(State { age, bits }),
            inserted: AtomicU64::new(0),
        })
    }
}

impl<H: KeyHasher> SharedAging<H> {
    /// Inserts a key; `true` if it was definitely not present before. Of two threads that insert
    /// the same key at the same time, both may get `true`.
    #[inline]
    pub fn insert<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.insert_hash(self.hasher.hash_key(key))
    }

    /// Whether the filter may contain the key; `false`: it is definitely absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Inserts the key with this hash; `true` if it was definitely not present before.
    pub fn insert_hash(&self, hash: KeyHash) -> bool {
        loop {
            let state = self.read();
            if state.age.span == 0 {
                let before = self.inserted.fetch_add(1, Ordering::Relaxed);
                if before >= state.age.geometry.generation_keys() {
                    drop(state);
                    self.begin_if_complete();
                    continue;
                }
            }
            let was_absent = !state.finds(hash);
            for slot in state.age.slots(hash) {
                state.bits.set(slot);
            }
            return was_absent;
        }
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        self.read().finds(hash)
    }

    /// Sets the clock, as [`AgingBloom::advance`](crate::AgingBloom::advance) does. Of clocks that
    /// threads set, the latest counts.
    pub fn advance(&self, now: u64) {
        let mut state = self.write();
        for _ in 0..state.age.advance(now) {
            state.begin();
        }
    }

    /// Insertions in a window (n).
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage (m).
    pub fn size_bits(&self) -> u64 {
        self.read().age.geometry.size_bits()
    }

    fn begin_if_complete(&self) {
        let mut state = self.write();
        // Another thread may have begun it in the meantime.
        if self.inserted.load(Ordering::Relaxed) >= state.age.geometry.generation_keys() {
            state.begin();
            self.inserted.store(0, Ordering::Relaxed);
        }
    }

    // The state is whole at every moment, so that a panic of another thread has not spoilt it.
    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    #[inline]
    fn finds(&self, hash: KeyHash) -> bool {
        self.age.finds(hash, |slot| self.bits.test(slot))
    }

    fn begin(&mut self) {
        for word in self.age.begin() {
            self.bits.set_word(word, 0);
        }
    }
}

impl<H: KeyHasher> Filter for SharedAging<H> {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.contains(key)
    }
}

impl<H: KeyHasher> Prehashed for SharedAging<H> {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.hasher.hash(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.contains_hash(hash)
    }
}

impl<H: KeyHasher + Sync> ConcurrentInsert for SharedAging<H> {
    fn insert_hash_shared(&self, hash: KeyHash) -> bool {
        self.insert_hash(hash)
    }
}
