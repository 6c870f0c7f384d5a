//! The same calls over non-blocking connections. Needs the feature `async`.

use bouquet_core::Key;
use bouquet_interop::RedisBloom;
use redis::aio::ConnectionLike;

use super::{BfInfo, BfInserted, RemoteBf};
use crate::{Result, wire::Async};

impl RemoteBf {
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
        expansion: Option<u32>,
    ) -> Result<Self> {
        let wire = &mut Async(connection);
        Self::create_on(wire, name.as_ref(), capacity, target_fpr, expansion).await
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

    /// [`adopt`](Self::adopt).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn adopt_async(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
    ) -> Result<Self> {
        Self::adopt_on(&mut Async(connection), name.as_ref()).await
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
    ) -> Result<Vec<BfInserted>> {
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

    /// [`info`](Self::info).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn info_async(&self, connection: &mut impl ConnectionLike) -> Result<BfInfo> {
        self.info_on(&mut Async(connection)).await
    }

    /// [`pull`](Self::pull).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn pull_async(&self, connection: &mut impl ConnectionLike) -> Result<RedisBloom> {
        self.pull_on(&mut Async(connection)).await
    }

    /// [`push`](Self::push).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn push_async(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        filter: &RedisBloom,
    ) -> Result<Self> {
        Self::push_on(&mut Async(connection), name.as_ref(), filter).await
    }
}
