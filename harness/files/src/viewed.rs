//! Our own filters in files that are larger than the memory: asked where they lie.

#![allow(
    unsafe_code,
    reason = "a file is mapped, and nobody here writes into it"
)]

use std::{io, io::Write, marker::PhantomData, path::Path, sync::Arc};

use anyhow::{Result, bail};
use bouquet_catalogue::{Hasher, Judged, keys_until, left};
use bouquet_core::{Inspect as _, Prehashed as _};
use bouquet_format::{Header, Mapped, View as _};

use super::{
    AnyFilter, Facts, Format, Part,
    any_filter::Load,
    chart,
    chunk::{Chunk, Hash},
    kind::kind,
    native::of_header,
};

/// A file of one of our filters, mapped.
pub struct Viewed<J, H> {
    mapped: Mapped,
    hasher: H,
    header: Header,
    inner: Option<Header>,
    of: PhantomData<J>,
}

impl<J: Judged, H: Hasher> Viewed<J, H> {
    /// Checks all of it, as reading it does.
    pub fn open(path: &Path, hasher: H, header: Header, inner: Option<Header>) -> Result<Self> {
        // SAFETY: the program writes into no file that is there, and replaces files as a whole. Of
        // others the help of the commands asks the same.
        let mapped = unsafe { Mapped::open(path) }?;
        J::View::<'_, H>::verify_with(&mapped, hasher.clone())?;
        Ok(Self {
            mapped,
            hasher,
            header,
            inner,
            of: PhantomData,
        })
    }

    fn view(&self) -> Result<J::View<'_, H>> {
        Ok(J::View::open_with(&self.mapped, self.hasher.clone())?)
    }
}

const READ_ONLY: &str = "the file is larger than the memory, and can only be asked and inspected";

impl<J: Judged + 'static, H: Hasher> AnyFilter for Viewed<J, H> {
    fn format(&self) -> Format {
        Format::Native
    }

    fn hash(&self) -> Option<Arc<Hash>> {
        let hasher = self.hasher.clone();
        Some(Arc::new(move |keys, hashes| {
            hasher.hash_batch(keys, hashes)
        }))
    }

    fn insert(&mut self, _: &Chunk) -> Result<()> {
        bail!(READ_ONLY)
    }

    fn contains(&self, keys: &Chunk, found: &mut Vec<bool>) -> Result<()> {
        found.clear();
        found.resize(keys.len(), false);
        self.view()?.contains_hash_batch(keys.hashes()?, found);
        Ok(())
    }

    fn write(&self, _: Format, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.mapped)
    }

    fn facts(&self, target_fpr: Option<f64>) -> Facts {
        let facts = of_header(&self.header, self.inner);
        // It was opened before, of the same bytes.
        let Ok(view) = self.view() else { return facts };
        let target = target_fpr.unwrap_or(self.header.spec().target_fpr());
        let (grows, rejects) =
            kind(&self.header).map_or((false, false), |(own, _)| (own.grows, own.rejects));
        let _ahead = self.mapped.read_ahead();
        let keys = view.estimated_keys();
        Facts {
            load: Load {
                fill_ratio: view.fill_ratio(),
                counted_keys: None,
                estimated_keys: keys,
                estimated_fpr: view.estimated_fpr(),
                keys_left: (!grows).then(|| {
                    let until = match rejects {
                        true => view.capacity(),
                        false => keys_until(target, |keys| view.expected_fpr(keys)),
                    };
                    left(until, keys)
                }),
            },
            size_bits: view.size_bits(),
            ..facts
        }
    }

    fn fills(&self) -> io::Result<Vec<Part>> {
        let _ahead = self.mapped.read_ahead();
        chart::of_written(&self.header, |out| out.write_all(&self.mapped))
    }

    fn union_with(&mut self, _: &dyn AnyFilter) -> Result<()> {
        bail!(READ_ONLY)
    }
}

#[cfg(test)]
mod tests {
    use bouquet_catalogue::judged;
    use bouquet_hash::Folded;
    use clap::ValueEnum as _;

    use super::*;
    use crate::{Keys, Kind, Reading, Request, make, open_for_inspection, source::Source};

    type Open = fn(&Path, Header, Option<Header>) -> Result<Box<dyn AnyFilter>>;

    fn viewed<J: Judged, H: Hasher + Default>() -> (fn(&Header) -> bool, Open) {
        (
            |header| J::stored(header).is_some(),
            |path, header, inner| {
                Ok(Box::new(Viewed::<J, H>::open(
                    path,
                    H::default(),
                    header,
                    inner,
                )?))
            },
        )
    }

    fn keys(count: u32, hash: Option<Arc<Hash>>) -> Reading {
        let lines: String = (0..count).map(|i| format!("key {i}\n")).collect();
        Reading::new(Keys::of_text("keys", lines.into_bytes()), hash)
    }

    /// As if no memory held it: what it answers and says is what the filter in memory does.
    #[test]
    fn a_view_is_asked_and_inspected_like_the_filter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        for kind in Kind::value_variants() {
            let request = Request {
                format: Format::Native,
                filter: Some(*kind),
                hasher: None,
                seed: None,
                key: None,
                capacity: Some(1_500),
                fpr: Some(0.01),
                size_bits: None,
                hashes: None,
            };
            let mut made = make(&request).unwrap();
            let mut members = keys(1_200, made.hash());
            let first = members.next_chunk().unwrap().unwrap();
            made.insert(first).unwrap();
            crate::save(&path, |out| made.write(Format::Native, out)).unwrap();
            let filter = open_for_inspection(&path, None, Default::default(), None).unwrap();
            let source = Source::open(&path).unwrap();
            let header = source.header(0).unwrap();
            let inner = super::kind(&header)
                .unwrap()
                .0
                .inner_header
                .and_then(|at| source.header(at));
            let readers = judged!(viewed, Folded);
            let (_, open) = readers.iter().find(|(is_own, _)| is_own(&header)).unwrap();
            let mut view = open(&path, header, inner).unwrap();
            let (mut here, mut there) = (filter.facts(Some(0.02)), view.facts(Some(0.02)));
            (here.load.counted_keys, there.load.counted_keys) = (None, None);
            assert_eq!(here, there);
            assert_eq!(filter.filter.fills().unwrap(), view.fills().unwrap());
            let (mut asked, mut found, mut wanted) =
                (keys(2_000, view.hash()), Vec::new(), Vec::new());
            let chunk = asked.next_chunk().unwrap().unwrap();
            view.contains(chunk, &mut found).unwrap();
            filter.filter.contains(chunk, &mut wanted).unwrap();
            assert!(found == wanted && found.len() == 2_000);
            assert!(
                view.insert(chunk)
                    .unwrap_err()
                    .to_string()
                    .contains("larger than the memory")
            );
            // Damage is an error, as where it is read.
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::write(&path, bytes).unwrap();
            assert!(open(&path, header, inner).is_err());
        }
    }
}
