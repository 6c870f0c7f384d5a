//! The lock of a shard: that of the standard library. When the model checker loom runs the code,
//! loom's lock, at which it can suspend any thread.

#[cfg(loom)]
pub(crate) use loom::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
#[cfg(not(loom))]
pub(crate) use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};
