//! State that the clones of a client share.

use std::sync::{Arc, PoisonError, RwLock};

/// A value that all clones share and that is always replaced as a whole.
#[derive(Debug)]
pub(crate) struct Shared<T>(Arc<RwLock<Arc<T>>>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(value))))
    }

    pub(crate) fn get(&self) -> Arc<T> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Replaces the value, if `is_to_be` returns `true` for the current one.
    pub(crate) fn set(&self, new: T, is_to_be: impl Fn(&T) -> bool) {
        let mut value = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if is_to_be(&value) {
            *value = Arc::new(new);
        }
    }
}
