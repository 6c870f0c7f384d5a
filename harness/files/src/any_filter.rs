//! A filter, whatever its type.

use std::{any::Any, io, sync::Arc};

use anyhow::Result;

use super::{
    Format,
    chunk::{Chunk, Hash},
};

/// A filter that was made or opened.
///
/// No method panics on what a file or a user says.
pub trait AnyFilter: Any {
    /// The format that it was read in or made for.
    fn format(&self) -> Format;

    /// Hashes keys as it does, where they come to it hashed: for whoever reads them.
    fn hash(&self) -> Option<Arc<Hash>>;

    /// Inserts keys, hashed by [`hash`](Self::hash).
    ///
    /// # Errors
    ///
    /// The filter is full; the keys before the one that it rejected are present.
    fn insert(&mut self, keys: &Chunk) -> Result<()>;

    /// Inserts those keys that are not present yet, hashed by [`hash`](Self::hash): `new[i]` says
    /// whether number i was none of those before it.
    ///
    /// # Errors
    ///
    /// As of [`insert`](Self::insert).
    fn insert_new(&mut self, keys: &Chunk, new: &mut Vec<bool>) -> Result<()>;

    /// Called after the last key, for a filter that is built of all of them.
    ///
    /// # Errors
    ///
    /// It cannot be built.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    /// Asks for keys, hashed by [`hash`](Self::hash): `found[i]` answers for number i.
    ///
    /// # Errors
    ///
    /// Keys that were not hashed.
    fn contains(&self, keys: &Chunk, found: &mut Vec<bool>) -> Result<()>;

    /// Writes the file in a format that
    /// [has its hashing](Format::has_hashing_of).
    ///
    /// # Errors
    ///
    /// Those of `out`.
    fn write(&self, format: Format, out: &mut dyn io::Write) -> io::Result<()>;

    /// Statistics of its current contents. Keys left are those until `target_fpr` is
    /// passed, or the target that the file has.
    fn facts(&self, target_fpr: Option<f64>) -> Facts;

    /// Takes in all keys of another.
    ///
    /// # Errors
    ///
    /// Another type or geometry, or a type that cannot.
    fn union_with(&mut self, other: &dyn AnyFilter) -> Result<()>;
}

/// What a file says of its filter.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Facts {
    /// The variant, by the name that `build` has for it.
    pub filter: String,
    /// The hash function.
    pub hash: String,
    /// The seed of the hash, where there is one.
    pub seed: Option<u64>,
    /// Keys that it was sized for, if the file says.
    pub capacity: Option<u64>,
    /// The FPR that it was sized for, if the file says.
    pub target_fpr: Option<f64>,
    /// Bits of storage (m).
    pub size_bits: u64,
    /// Probes per key (k), where all parts have the same.
    pub hashes: Option<u32>,
    /// What it is made of, and how many: blocks, shards, stages.
    pub made_of: Option<(&'static str, u64)>,
    /// Bits of a slot, where it is no bit.
    pub slot_bits: Option<u32>,
    /// What the slots show.
    pub load: Load,
    /// What whoever reads it has to know.
    pub note: Option<&'static str>,
}

/// What the slots show.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Load {
    /// Share of slots that are not zero.
    pub fill_ratio: f64,
    /// Keys, if the filter counts them.
    pub counted_keys: Option<u64>,
    /// Different keys, from the slots; infinite if all are taken.
    pub estimated_keys: f64,
    /// The FPR now, from the slots.
    pub estimated_fpr: f64,
    /// Keys until the target is passed. None without a target, and for a filter
    /// that grows.
    pub keys_left: Option<u64>,
}
