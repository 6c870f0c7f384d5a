//! The trait of filters in files of any format, and its implementation for our own format.

use std::{
    any::Any,
    io::{self, Write},
    sync::Arc,
};

use anyhow::{Error, Result, anyhow, bail, ensure};
use bouquet_catalogue::{self as catalogue, CatalogueFilter, FilterInfo, Shape, for_each_filter};
use bouquet_core::Incompatible;
use bouquet_format::Header;

use super::{Chunk, Format, Hashing, chunk::Hash};

/// A filter that was created, or read from a file.
///
/// No method panics, whatever the file contains and whatever the user gives.
pub trait AnyFilter: Any {
    /// The file format from which the filter was read, or for which it was created.
    fn format(&self) -> Format;

    /// The function with which the reader of the keys must hash them; `None` if the filter hashes
    /// its keys itself.
    fn hash(&self) -> Option<Arc<Hash>>;

    /// Inserts keys. If [`hash`](Self::hash) returns a function, they must be hashed with it.
    ///
    /// # Errors
    ///
    /// The filter is full. The keys before the first rejected key were inserted.
    fn insert(&mut self, keys: &Chunk) -> Result<()>;

    /// Inserts the keys that are not present yet. `new[i]` is set to whether key i was inserted.
    ///
    /// # Errors
    ///
    /// As for [`insert`](Self::insert), or the filter hashes its keys itself.
    fn insert_new(&mut self, _keys: &Chunk, _new: &mut Vec<bool>) -> Result<()> {
        bail!("this filter takes no hashes")
    }

    /// Builds the filter if it is static. It is called after the last key.
    ///
    /// # Errors
    ///
    /// The filter cannot be built.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    /// Looks up keys, which must be hashed as for [`insert`](Self::insert). `found[i]` is set to
    /// the answer for key i.
    ///
    /// # Errors
    ///
    /// The keys were not hashed.
    fn contains(&self, keys: &Chunk, found: &mut Vec<bool>) -> Result<()>;

    /// Writes the filter in `format`, which must hash keys as the filter's own format does
    /// ([`Format::has_hashing_of`]).
    ///
    /// # Errors
    ///
    /// `out` cannot be written.
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()>;

    /// Facts about the filter, with statistics of its current contents. `keys_left` is for
    /// `target_fpr`, or if that is `None`, for the target FPR in the file.
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
    /// The name of the filter type; for a filter of ours, as in `bouquet build --filter`.
    pub filter: String,
    pub hash: String,
    /// The seed of the hash, if it has one.
    pub seed: Option<u64>,
    /// The number of keys that the filter was sized for, if the file contains this number.
    pub capacity: Option<u64>,
    /// The target FPR, if the file contains it.
    pub target_fpr: Option<f64>,
    /// Bits of storage (m).
    pub size_bits: u64,
    /// Probes per key (k), if all parts of the filter have the same number.
    pub hashes: Option<u32>,
    /// What the filter consists of, such as blocks, shards or stages, and their number.
    pub made_of: Option<(&'static str, u64)>,
    /// A note for the user.
    pub note: Option<&'static str>,
    /// The share of slots that are not zero.
    pub fill_ratio: f64,
    /// The number of keys, if the filter counts them.
    pub counted_keys: Option<u64>,
    /// The estimated number of distinct keys; infinite if all slots are taken.
    pub estimated_keys: f64,
    /// The FPR with the current contents, estimated from the slots.
    pub estimated_fpr: f64,
    /// The number of keys that can be added before the target FPR is exceeded. `None` without a
    /// target, and for a filter that grows.
    pub keys_left: Option<u64>,
}

/// Downcasts `other`, which is to be united with `own`, to the type of `own`.
pub fn of_same_type<'o, F: AnyFilter>(own: &F, other: &'o dyn AnyFilter) -> Result<&'o F> {
    let any: &dyn Any = other;
    any.downcast_ref().ok_or_else(|| different(own, other))
}

/// The error if filters that are to be united differ in format, variant or hash.
pub fn different(own: &dyn AnyFilter, other: &dyn AnyFilter) -> Error {
    let [own, other] = [own, other].map(|filter| {
        let facts = filter.facts(None);
        [filter.format().to_string(), facts.filter, facts.hash]
    });
    let mut all = own.iter().zip(&other).zip(["--to", "--filter", "--hasher"]);
    let Some(((own, other), flag)) = all.find(|((own, other), _)| own != other) else {
        return anyhow!("they cannot be united");
    };
    anyhow!("{own} and {other} cannot be united: build both with the same {flag}")
}

pub struct Native<F>(pub F);

impl<F: CatalogueFilter> AnyFilter for Native<F> {
    fn format(&self) -> Format {
        Format::Native
    }

    fn hash(&self) -> Option<Arc<Hash>> {
        self.0.hash_keys()
    }

    fn insert(&mut self, keys: &Chunk) -> Result<()> {
        if self.0.hash_keys().is_some() {
            return self.0.insert_hashes(keys.hashes()?);
        }
        let are_taken = keys.keys().all(|key| self.0.accepts_one(key));
        ensure!(are_taken, "it takes no more keys");
        Ok(())
    }

    fn insert_new(&mut self, keys: &Chunk, new: &mut Vec<bool>) -> Result<()> {
        new.clear();
        for hash in keys.hashes()? {
            let is_new = !self.0.contains_hash(*hash);
            if is_new {
                self.0.insert_hashes(std::slice::from_ref(hash))?;
            }
            new.push(is_new);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.0.finish()
    }

    fn contains(&self, keys: &Chunk, found: &mut Vec<bool>) -> Result<()> {
        found.clear();
        if self.0.hash_keys().is_some() {
            found.resize(keys.len(), false);
            self.0.contains_hashes(keys.hashes()?, found);
        } else {
            found.extend(keys.keys().map(|key| self.0.contains_one(key)));
        }
        Ok(())
    }

    fn write(&self, _: Format, out: &mut dyn Write) -> io::Result<()> {
        self.0.write(out)
    }

    fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let (own, header) = (self.0.inspect(), self.0.header());
        let target = target_fpr.or(header.map(|header| header.spec().target_fpr()));
        Facts {
            size_bits: own.size_bits(),
            fill_ratio: own.fill_ratio(),
            counted_keys: self.0.counted_keys(),
            estimated_keys: own.estimated_keys(),
            estimated_fpr: own.estimated_fpr(),
            keys_left: target.and_then(|target| self.0.keys_left(target)),
            ..header.map_or_else(Facts::default, |header| of_header(&header, self.0.inner()))
        }
    }

    fn union_with(&mut self, other: &dyn AnyFilter) -> Result<()> {
        let theirs: &Self = of_same_type(self, other)?;
        self.0.union(&theirs.0)
    }
}

/// Rewords an error about different geometries in terms of the flags of `bouquet build`.
pub fn in_flags(error: Error) -> Error {
    let Some(wrong) = error.downcast_ref::<Incompatible>() else {
        return error;
    };
    let [left, right] = [wrong.left, wrong.right];
    anyhow!(
        "they differ in {}, {left} and {right}: build both with the same flags for size and hash",
        wrong.parameter
    )
}

/// Why `keys_left` is empty for a filter that grows.
pub const GROWS: &str = "it grows, so the target FPR holds for any number of keys";

/// The facts in a header; `inner` is the header of the first part if the filter has several parts.
pub fn of_header(header: &Header, inner: Option<Header>) -> Facts {
    let known = kind(header);
    let grows = known.is_some_and(|(facts, _)| facts.grows);
    let shape = known.map_or_else(Shape::default, |(_, shape)| shape);
    let name = |header: &Header| match kind(header) {
        Some((facts, _)) => facts.name.to_owned(),
        None => format!("variant {}", header.variant()),
    };
    // Parts are standard filters by default, so a part is named only if it is another filter.
    let part = inner.as_ref().map(name);
    let part = part.filter(|name| name != catalogue::FIRST.name);
    let (id, own) = (header.hasher(), name(header));
    // The stages of a filter that grows have different numbers of probes, so none is given.
    let of_part = inner.filter(|_| !grows).and_then(|inner| kind(&inner));
    let hashes = of_part.map_or(shape.hashes, |(_, shape)| shape.hashes);
    Facts {
        filter: part.map_or(own.clone(), |part| format!("{own} of {part}")),
        hash: Hashing::of_id(id)
            .map_or(format!("hasher {id}"), |known| known.words.described.into()),
        seed: (!header.keyed()).then_some(header.seed()),
        capacity: Some(header.spec().capacity()),
        target_fpr: Some(header.spec().target_fpr()),
        size_bits: shape.size_bits,
        hashes: hashes.and_then(|hashes| u32::try_from(hashes).ok()),
        made_of: shape.made_of,
        note: grows.then_some(GROWS),
        ..Facts::default()
    }
}

/// The catalogue's facts about the type of the filter with this header, and the filter's shape.
pub fn kind(header: &Header) -> Option<(&'static catalogue::Facts, Shape)> {
    type Stored = fn(&Header) -> Option<Shape>;
    fn stored<V: FilterInfo>() -> (&'static catalogue::Facts, Stored) {
        (&V::FACTS, V::stored)
    }
    let mut kinds = for_each_filter!(stored).into_iter();
    kinds.find_map(|(facts, stored)| Some((facts, stored(header)?)))
}
