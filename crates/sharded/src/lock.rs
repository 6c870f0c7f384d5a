//! The lock of a shard: the standard library's or, in a run under the model checker loom, its
//! own, which it can hold any thread at.

#[cfg(loom)]
pub(crate) use loom::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
#[cfg(not(loom))]
pub(crate) use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
