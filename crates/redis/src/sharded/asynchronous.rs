//! The same calls over non-blocking connections. Needs the feature `async`.

use bouquet_core::Key;
use redis::aio::ConnectionLike;

use super::ShardedBitmap;
use crate::{Inserted, Result, wire::Async};

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
        self.insert_on(&mut Async(connection), keys).await
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
        self.contains_on(&mut Async(connection), keys).await
    }
}
