//! The same calls over non-blocking connections. Needs the feature `async`.

use std::time::Duration;

use bouquet_interop::RedisBloom;
use bouquet_interop::RedisKey;
use redis::aio::ConnectionLike;

use super::{BfDraft, BfInfo, BfInserted, RemoteBf};
use crate::key::all_bytes_of;
use crate::{
    Result,
    marked::Marked,
    name::Name,
    ours::{Kind, delete},
    wire::Async,
};

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
    pub async fn insert_batch_async<K: RedisKey>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<BfInserted>> {
        self.insert_on(&mut Async(connection), &all_bytes_of::<RemoteBf, _>(keys))
            .await
    }

    /// [`contains_batch`](Self::contains_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn contains_batch_async<K: RedisKey>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        self.contains_on(&mut Async(connection), &all_bytes_of::<RemoteBf, _>(keys))
            .await
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

    /// [`card`](Self::card).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn card_async(&self, connection: &mut impl ConnectionLike) -> Result<u64> {
        self.card_on(&mut Async(connection)).await
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

    /// [`delete`](Self::delete).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn delete_async(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
    ) -> Result<bool> {
        let name = Name::new(name.as_ref(), false)?;
        delete(&mut Async(connection), &name, Kind::Module).await
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
        expansion: Option<u32>,
    ) -> Result<BfDraft> {
        let wire = &mut Async(connection);
        self.rebuild_on(wire, capacity, target_fpr, expansion).await
    }
}

impl BfDraft {
    /// [`insert_batch`](Self::insert_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn insert_batch_async<K: RedisKey>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<BfInserted>> {
        self.insert_on(&mut Async(connection), &all_bytes_of::<RemoteBf, _>(keys))
            .await
    }

    /// [`publish`](Self::publish).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn publish_async(self, connection: &mut impl ConnectionLike) -> Result<RemoteBf> {
        self.publish_on(&mut Async(connection)).await
    }
}
