//! A filter of any type, behind one trait.

use std::{any::Any, io, sync::Arc};

use anyhow::Result;

use super::{
    Format,
    chunk::{Chunk, Hash},
};

/// A filter that was made or opened.
///
/// No method panics, whatever a file contains or a user gives.
pub trait AnyFilter: Any {
    /// The format that it was read from or made for.
    fn format(&self) -> Format;

    /// A function that hashes keys as this filter does, for the reader of the keys; `None` if the
    /// filter hashes its keys itself.
    fn hash(&self) -> Option<Arc<Hash>>;

    /// Inserts keys, hashed by [`hash`](Self::hash).
    ///
    /// # Errors
    ///
    /// The filter is full; the keys before the one that it rejected are present.
    fn insert(&mut self, keys: &Chunk) -> Result<()>;

    /// Inserts the keys, hashed by [`hash`](Self::hash), that are not present yet: `new[i]` is true
    /// if key i was not present before, even among the keys before it.
    ///
    /// # Errors
    ///
    /// As for [`insert`](Self::insert).
    fn insert_new(&mut self, keys: &Chunk, new: &mut Vec<bool>) -> Result<()>;

    /// Builds a static filter; called after the last key.
    ///
    /// # Errors
    ///
    /// The filter cannot be built.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    /// Looks up keys, hashed by [`hash`](Self::hash): `found[i]` is the answer for key i.
    ///
    /// # Errors
    ///
    /// The keys were not hashed.
    fn contains(&self, keys: &Chunk, found: &mut Vec<bool>) -> Result<()>;

    /// Writes the filter in a format that [has its hashing](Format::has_hashing_of).
    ///
    /// # Errors
    ///
    /// `out` cannot be written.
    fn write(&self, format: Format, out: &mut dyn io::Write) -> io::Result<()>;

    /// Statistics of its current contents. `keys_left` counts keys until `target_fpr` is exceeded,
    /// or else the target FPR in the file.
    fn facts(&self, target_fpr: Option<f64>) -> Facts;

    /// Adds all keys of another filter.
    ///
    /// # Errors
    ///
    /// The types or geometries differ, or the type does not support unions.
    fn union_with(&mut self, other: &dyn AnyFilter) -> Result<()>;
}

/// What is known about a filter in a file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    /// The variant, by its name in `build`.
    pub filter: String,
    /// The hash function.
    pub hash: String,
    /// The seed of the hash, if it has one.
    pub seed: Option<u64>,
    /// The number of keys that it was sized for, if the file says.
    pub capacity: Option<u64>,
    /// The target FPR, if the file says.
    pub target_fpr: Option<f64>,
    /// Bits of storage (m).
    pub size_bits: u64,
    /// Probes per key (k), if all parts have the same number.
    pub hashes: Option<u32>,
    /// The kind of its parts, such as blocks, shards or stages, and their number.
    pub made_of: Option<(&'static str, u64)>,
    /// The bits of a slot, if it has more than one.
    pub slot_bits: Option<u32>,
    /// Statistics from the slots.
    pub load: Load,
    /// A note for the reader.
    pub note: Option<&'static str>,
}

/// Statistics from the slots.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Load {
    /// The share of slots that are not zero.
    pub fill_ratio: f64,
    /// The number of keys, if the filter counts them.
    pub counted_keys: Option<u64>,
    /// The estimated number of different keys; infinite if all slots are taken.
    pub estimated_keys: f64,
    /// The FPR with the current contents, estimated from the slots.
    pub estimated_fpr: f64,
    /// The number of keys until the target FPR is exceeded. `None` without a target, and for a
    /// filter that grows.
    pub keys_left: Option<u64>,
}
