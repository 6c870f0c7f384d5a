//! A filter that threads share, and how it is come by.

use anyhow::Result;

use super::keys::Stream;
use bouquet_ground::record::{SubjectRow, Way};

/// A filter, or several, that threads fill and ask at the same time.
pub trait Shared: Send + Sync {
    /// How many were answered with `true`. The threads are numbered from 0.
    ///
    /// Counted, as of filters alone: an atomic write whose answer nobody reads is another
    /// instruction, and faster.
    fn insert(&self, thread: usize, way: Way, stream: &Stream) -> u64;
    /// All threads are done inserting.
    fn gather(&mut self) -> Result<()> {
        Ok(())
    }
    /// How many may be present.
    fn look_up(&self, way: Way, stream: &Stream) -> u64;
}

/// A way to share a filter.
pub struct Sharing {
    pub subject: SubjectRow,
    pub ways: &'static [Way],
    /// All threads share one filter, and not one lock.
    pub is_one: bool,
    pub make: MakeShared,
}

pub type MakeShared = fn(capacity: u64, target_fpr: f64, threads: usize) -> Result<Box<dyn Shared>>;
