//! The same calls over non-blocking connections. Needs the feature `async`.

use std::time::Duration;

use bouquet_core::Key;
use redis::aio::ConnectionLike;

use super::{ShardedBitmap, ShardedDraft};
use crate::Native;
use crate::key::all_bytes_of;
use crate::{Info, Inserted, Result, wire::Async};

impl ShardedBitmap {
    /// [`create`](Self::create).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn create_async(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        capacity: u64,
        target_fpr: f64,
        shards: u32,
    ) -> Result<Self> {
        let wire = &mut Async(connection);
        Self::create_on(wire, name.as_ref(), capacity, target_fpr, shards).await
    }

    /// [`join`](Self::join).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn join_async(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
    ) -> Result<Self> {
        Self::join_on(&mut Async(connection), name.as_ref()).await
    }

    /// [`insert_batch`](Self::insert_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn insert_batch_async<K: Key>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        self.insert_on(&mut Async(connection), &all_bytes_of::<Native, _>(keys))
            .await
    }

    /// [`contains_batch`](Self::contains_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn contains_batch_async<K: Key>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        self.contains_on(&mut Async(connection), &all_bytes_of::<Native, _>(keys))
            .await
    }

    /// [`info`](Self::info).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn info_async(&self, connection: &mut impl ConnectionLike) -> Result<Info> {
        self.info_on(&mut Async(connection)).await
    }

    /// [`expire`](Self::expire).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn expire_async(
        &self,
        connection: &mut impl ConnectionLike,
        after: Duration,
    ) -> Result<()> {
        self.expire_on(&mut Async(connection), after).await
    }

    /// [`ttl`](Self::ttl).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn ttl_async(
        &self,
        connection: &mut impl ConnectionLike,
    ) -> Result<Option<Duration>> {
        self.ttl_on(&mut Async(connection)).await
    }

    /// [`rebuild`](Self::rebuild).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn rebuild_async(
        &self,
        connection: &mut impl ConnectionLike,
        capacity: u64,
        target_fpr: f64,
    ) -> Result<ShardedDraft> {
        let wire = &mut Async(connection);
        self.rebuild_on(wire, capacity, target_fpr).await
    }
}

impl ShardedDraft {
    /// [`insert_batch`](Self::insert_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn insert_batch_async<K: Key>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>> {
        self.insert_on(&mut Async(connection), &all_bytes_of::<Native, _>(keys))
            .await
    }

    /// [`publish`](Self::publish).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn publish_async(
        self,
        connection: &mut impl ConnectionLike,
    ) -> Result<ShardedBitmap> {
        self.publish_on(&mut Async(connection)).await
    }
}
