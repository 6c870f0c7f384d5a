//! New generations of a filter of `BF.*`, built under a temporary name.

use std::time::Instant;

use bouquet_interop::RedisKey;
use redis::{ConnectionLike, pipe};

use super::{BfInserted, RemoteBf};
use crate::key::all_bytes_of;
use crate::{
    Result,
    marked::Marked,
    name::Name,
    ours::{Kind, must_be_ours},
    publish::{LIFETIME, Publication, expire},
    settings::random,
    wire::{Attempts, Blocking, Wire, now},
};

/// A filter of `BF.*` that is being built in the place of another.
///
/// Nobody reads it until [`publish`](Self::publish), which puts it there in one step. If the
/// process ends before, the old one is untouched and what was built expires after an hour.
/// Keys that others insert into the old one meanwhile are not in the new one.
#[derive(Debug)]
pub struct BfDraft {
    target: Name,
    filter: RemoteBf,
    refreshed: Instant,
}

impl RemoteBf {
    /// Begins to build this filter again, of another size or without the keys that are not
    /// wanted any more. Clients of the old one follow when the new one is published.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn rebuild(
        &self,
        connection: &mut impl ConnectionLike,
        capacity: u64,
        target_fpr: f64,
        expansion: Option<u32>,
    ) -> Result<BfDraft> {
        let wire = &mut Blocking(connection);
        now(self.rebuild_on(wire, capacity, target_fpr, expansion))
    }

    pub(super) async fn rebuild_on(
        &self,
        wire: &mut impl Wire,
        capacity: u64,
        target_fpr: f64,
        expansion: Option<u32>,
    ) -> Result<BfDraft> {
        must_be_ours(wire, &self.name, Kind::Module).await?;
        let mut filter = Self::of(self.name.clone(), self.lineage, random());
        filter.retry = self.retry;
        let draft = filter
            .reserve(wire, capacity, target_fpr, expansion)
            .await?;
        Ok(BfDraft {
            target: std::mem::replace(&mut filter.name, draft),
            filter,
            refreshed: Instant::now(),
        })
    }
}

impl BfDraft {
    /// Inserts keys into the new filter.
    ///
    /// # Errors
    ///
    /// As [`RemoteBf::insert_batch`]; [`Error::FilterLost`](crate::Error::FilterLost) if
    /// nothing was inserted for an hour.
    pub fn insert_batch<K: RedisKey>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<BfInserted>> {
        now(self.insert_on(
            &mut Blocking(connection),
            &all_bytes_of::<RemoteBf, _>(keys),
        ))
    }

    pub(super) async fn insert_on<K: AsRef<[u8]>>(
        &mut self,
        wire: &mut impl Wire,
        keys: &[K],
    ) -> Result<Vec<BfInserted>> {
        if self.refreshed.elapsed() > LIFETIME / 10 {
            let mut both = pipe();
            expire(&mut both, &self.filter.name.string);
            expire(&mut both, &self.filter.name.meta);
            Attempts::new(self.filter.retry)
                .many(wire, "PEXPIRE", &both)
                .await?;
            self.refreshed = Instant::now();
        }
        self.filter.insert_on(wire, keys).await
    }

    /// Puts the new filter in the place of the old one, whose expiry it takes over: readers
    /// see the old or the new and nothing else.
    ///
    /// # Errors
    ///
    /// [`Error::FilterLost`](crate::Error::FilterLost) if the new one is gone, as after an hour
    /// without inserts: then the old one is as it was. [`Error`](crate::Error).
    pub fn publish(self, connection: &mut impl ConnectionLike) -> Result<RemoteBf> {
        now(self.publish_on(&mut Blocking(connection)))
    }

    pub(super) async fn publish_on(self, wire: &mut impl Wire) -> Result<RemoteBf> {
        let Self {
            target, mut filter, ..
        } = self;
        // The old one gives way to a whole one only, which lasts until it is in its place.
        filter.expire_on(wire, LIFETIME).await?;
        let publication = Publication {
            draft: &filter.name,
            target: &target,
            generation: filter.generation,
            config: None,
        };
        publication
            .replace(wire, filter.retry, Kind::Module)
            .await?;
        filter.name = target;
        Ok(filter)
    }
}
