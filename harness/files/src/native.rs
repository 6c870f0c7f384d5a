//! Native filters in files.

use std::{any::Any, io, io::Write, sync::Arc};

use anyhow::{Result, ensure};
use bouquet_catalogue::{self as catalogue, CatalogueFilter, Shape, Variant, every};
use bouquet_format::Header;

use super::{
    AnyFilter, Facts, Format, Hashing,
    any_filter::Load,
    chunk::{Chunk, Hash},
    differ,
};

/// A native filter.
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
        let mut keys = keys.keys();
        ensure!(
            keys.all(|key| self.0.insert_one(key)),
            "it takes no more keys"
        );
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
        found.resize(keys.len(), false);
        if self.0.hash_keys().is_some() {
            self.0.contains_hashes(keys.hashes()?, found);
            return Ok(());
        }
        for (key, found) in keys.keys().zip(found) {
            *found = self.0.contains_one(key);
        }
        Ok(())
    }

    fn write(&self, _: Format, out: &mut dyn Write) -> io::Result<()> {
        self.0.write(out)
    }

    fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let header = self.0.header();
        let target = target_fpr.or(header.map(|header| header.spec().target_fpr()));
        Facts {
            load: Load {
                fill_ratio: self.0.fill_ratio(),
                counted_keys: self.0.counted_keys(),
                estimated_keys: self.0.estimated_keys(),
                estimated_fpr: self.0.estimated_fpr(),
                keys_left: target.and_then(|target| self.0.keys_left(target)),
            },
            size_bits: self.0.size_bits(),
            ..header.map_or_else(Facts::default, |header| of_header(&header, self.0.inner()))
        }
    }

    fn union_with(&mut self, other: &dyn AnyFilter) -> Result<()> {
        let any: &dyn Any = other;
        let own = any
            .downcast_ref::<Self>()
            .ok_or_else(|| differ::in_kind(self, other))?;
        self.0.union(&own.0).map_err(differ::in_parameters)
    }
}

/// Why `keys_left` is empty for a filter that grows.
pub const GROWS: &str = "it grows: the target FPR is not passed, whatever the keys";

/// What a header says; `inner` is the header of the first part of a filter with several.
pub fn of_header(header: &Header, inner: Option<Header>) -> Facts {
    let known = kind(header);
    let grows = known.is_some_and(|(facts, _)| facts.grows);
    let shape = known.map_or_else(Shape::default, |(_, shape)| shape);
    let narrow = |number: u64| u32::try_from(number).ok();
    // Stages differ in their number of probes.
    let within = inner
        .filter(|_| !grows)
        .map(|inner| of_header(&inner, None));
    Facts {
        filter: name(header, inner.as_ref()),
        hash: hash(header),
        seed: (!header.keyed()).then_some(header.seed()),
        capacity: Some(header.spec().capacity()),
        target_fpr: Some(header.spec().target_fpr()),
        size_bits: shape.size_bits,
        hashes: within.map_or(shape.hashes.and_then(narrow), |inner| inner.hashes),
        made_of: shape.made_of,
        slot_bits: shape.slot_bits.and_then(narrow),
        note: grows.then_some(GROWS),
        ..Facts::default()
    }
}

fn name(header: &Header, inner: Option<&Header>) -> String {
    let Some((facts, _)) = kind(header) else {
        return format!("variant {}", header.variant());
    };
    // The standard filter is the default part, so it is not mentioned.
    let plain =
        |inner: &Header| kind(inner).is_some_and(|(own, _)| own.name == catalogue::FIRST.name);
    match inner {
        Some(inner) if !plain(inner) => format!("{} of {}", facts.name, name(inner, None)),
        _ => facts.name.into(),
    }
}

fn hash(header: &Header) -> String {
    let id = header.hasher();
    Hashing::of_id(id).map_or_else(|| format!("hasher {id}"), |known| known.described().into())
}

/// The filter that a header belongs to: its facts in the catalogue, and its shape.
pub fn kind(header: &Header) -> Option<(&'static catalogue::Facts, Shape)> {
    type Stored = fn(&Header) -> Option<Shape>;
    fn stored<V: Variant>() -> (&'static catalogue::Facts, Stored) {
        (&V::FACTS, V::stored)
    }
    let kinds = every!(stored).into_iter();
    let mut known = kinds.filter_map(|(facts, stored)| Some((facts, stored(header)?)));
    known.next()
}
