//! The same calls over non-blocking connections. Needs the feature `async`.
//!
//! Dropping a call at any point leaves the filter unchanged: its state changes only with
//! a whole reply. The server may still execute what was sent.

use std::time::Duration;

use redis::aio::ConnectionLike;

use crate::key::{Takes, all_bytes_of};
use crate::{
    Draft, Info, Inserted, Native, RemoteBitmap, Result, Scheme, TieredFilter,
    marked::Marked,
    name::Name,
    ours::{Kind, delete},
    wire::Async,
};

impl<S: Scheme> RemoteBitmap<S> {
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

    /// [`join_as`](Self::join_as).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn join_as_async(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        scheme: &S,
    ) -> Result<Self> {
        Self::join_async(connection, name)
            .await?
            .agreeing_on(scheme)
    }

    /// [`create`](Self::create).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn create_async(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        scheme: S,
    ) -> Result<Self> {
        Self::create_on(&mut Async(connection), name.as_ref(), scheme).await
    }

    /// [`adopt`](Self::adopt).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn adopt_async(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        scheme: S,
    ) -> Result<Self> {
        Self::adopt_on(&mut Async(connection), name.as_ref(), scheme).await
    }

    /// [`insert`](Self::insert).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn insert_async<K: ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<Inserted>
    where
        S: Takes<K>,
    {
        Ok(self
            .insert_on(&mut Async(connection), &[S::bytes_of(key)])
            .await?[0])
    }

    /// [`insert_batch`](Self::insert_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn insert_batch_async<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>>
    where
        S: Takes<K>,
    {
        self.insert_on(&mut Async(connection), &all_bytes_of::<S, _>(keys))
            .await
    }

    /// [`contains`](Self::contains).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn contains_async<K: ?Sized>(
        &mut self,
        connection: &mut impl ConnectionLike,
        key: &K,
    ) -> Result<bool>
    where
        S: Takes<K>,
    {
        Ok(self
            .contains_on(&mut Async(connection), &[S::bytes_of(key)])
            .await?[0])
    }

    /// [`contains_batch`](Self::contains_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn contains_batch_async<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<bool>>
    where
        S: Takes<K>,
    {
        self.contains_on(&mut Async(connection), &all_bytes_of::<S, _>(keys))
            .await
    }

    /// [`rebuild`](Self::rebuild).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn rebuild_async(
        &self,
        connection: &mut impl ConnectionLike,
        scheme: S,
    ) -> Result<Draft<S>> {
        self.rebuild_on(&mut Async(connection), scheme).await
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
        let name = Name::new(name.as_ref(), S::HAS_CONFIG)?;
        delete(&mut Async(connection), &name, Kind::Bitmap).await
    }

    /// [`info`](Self::info).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn info_async(&self, connection: &mut impl ConnectionLike) -> Result<Info> {
        self.info_on(&mut Async(connection)).await
    }
}

impl RemoteBitmap<Native> {
    /// [`dump`](Self::dump).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn dump_async(&self, connection: &mut impl ConnectionLike) -> Result<Vec<u8>> {
        self.dump_on(&mut Async(connection)).await
    }
}

impl<S: Scheme> Draft<S> {
    /// [`insert_batch`](Self::insert_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn insert_batch_async<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>>
    where
        S: Takes<K>,
    {
        self.insert_on(&mut Async(connection), &all_bytes_of::<S, _>(keys))
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
    ) -> Result<RemoteBitmap<S>> {
        self.publish_on(&mut Async(connection)).await
    }
}

impl<S: Scheme> TieredFilter<S> {
    /// [`contains_batch`](Self::contains_batch), with answers as old as `max_age` if there
    /// is one.
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn contains_batch_async<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
        max_age: Option<Duration>,
    ) -> Result<Vec<bool>>
    where
        S: Takes<K>,
    {
        self.contains_on(&mut Async(connection), &all_bytes_of::<S, _>(keys), max_age)
            .await
    }

    /// [`insert_batch`](Self::insert_batch).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn insert_batch_async<K>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<Inserted>>
    where
        S: Takes<K>,
    {
        self.insert_on(&mut Async(connection), &all_bytes_of::<S, _>(keys))
            .await
    }

    /// [`refresh`](Self::refresh).
    ///
    /// # Errors
    ///
    /// Its own.
    pub async fn refresh_async(&mut self, connection: &mut impl ConnectionLike) -> Result<u64> {
        self.refresh_on(&mut Async(connection)).await
    }
}
