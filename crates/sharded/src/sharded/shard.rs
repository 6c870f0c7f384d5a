//! A shard: an inner filter behind a lock.

use std::sync::{PoisonError, TryLockError, TryLockResult};

use crate::lock::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// A shard has cache lines of its own (two, because processors fetch them in pairs), so that
/// neighbouring locks do not slow each other down. The 128 bytes are as many as a shard's header
/// takes in a file, so a decoded filter takes no more memory than its bytes.
#[repr(align(128))]
pub(super) struct Shard<F>(pub(super) RwLock<F>);

impl<F> Shard<F> {
    pub(super) fn read(&self) -> RwLockReadGuard<'_, F> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, F> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the shard for reading. Returns `None` if `waits` is `false` and another thread writes,
    /// or waits to write.
    pub(super) fn read_if(&self, waits: bool) -> Option<RwLockReadGuard<'_, F>> {
        if waits {
            return Some(self.read());
        }
        unless_taken(self.0.try_read())
    }

    /// Locks the shard for writing. Returns `None` if `waits` is `false` and another thread reads
    /// or writes.
    pub(super) fn write_if(&self, waits: bool) -> Option<RwLockWriteGuard<'_, F>> {
        if waits {
            return Some(self.write());
        }
        unless_taken(self.0.try_write())
    }

    pub(super) fn get_mut(&mut self) -> &mut F {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The guard of a lock if the lock was free. Poisoned locks are used as everywhere in this module.
fn unless_taken<G>(tried: TryLockResult<G>) -> Option<G> {
    match tried {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
