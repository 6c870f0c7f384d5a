//! What the scoreboard asks of a filter beyond a [`Subject`].

use std::any::Any;

use anyhow::{Context, Result};

use super::Subject;

bouquet_ground::named! {
    /// Where a filter's hash function comes from.
    pub enum Hashing {
        /// From a seed that the user may set.
        Seeded = "seeded",
        /// The same in every filter.
        Fixed = "fixed",
        /// A new one for every filter.
        Random = "random",
    }
}

/// Takes in the second filter's keys; `Err` says why it was rejected.
pub type Unite = Box<dyn Fn(&mut dyn Subject, &dyn Subject) -> Result<()> + Send + Sync>;
/// Writes a filter and reads it back: the bytes, and what was read.
pub type Reload = Box<dyn Fn(&dyn Subject) -> Result<(u64, Box<dyn Subject>)> + Send + Sync>;

/// A subject as what it was built as.
fn concrete<F: Subject>(subject: &dyn Subject) -> Result<&F> {
    let any: &dyn Any = subject;
    any.downcast_ref().context("two different kinds of filter")
}

/// A crate's way of making two filters one.
pub fn united<F: Subject>(
    unite: impl Fn(&mut F, &F) -> Result<()> + Send + Sync + 'static,
) -> Option<Unite> {
    Some(Box::new(move |left, right| {
        let left: &mut dyn Any = left;
        let left = left
            .downcast_mut()
            .context("two different kinds of filter")?;
        unite(left, concrete(right)?)
    }))
}

/// A crate's way of writing a filter down and reading it back.
pub fn stored<F: Subject>(
    write: impl Fn(&F) -> Result<Vec<u8>> + Send + Sync + 'static,
    read: impl Fn(Vec<u8>) -> Result<F> + Send + Sync + 'static,
) -> Option<Reload> {
    Some(Box::new(move |subject| {
        let bytes = write(concrete(subject)?)?;
        Ok((bytes.len() as u64, Box::new(read(bytes)?)))
    }))
}
