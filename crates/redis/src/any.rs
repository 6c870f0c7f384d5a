//! Filters whose scheme is known to the server alone.

use std::time::Duration;

use redis::ConnectionLike;

use crate::{
    BfInserted, GoZero, Native, Redisson, RemoteBf, RemoteBitmap, Result, Retry, Scheme,
    name::Name,
    wire::{Blocking, Wire, now},
};

/// A filter of whatever scheme its settings on the server name: for programs that are given
/// a name and no more.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum AnyFilter {
    /// go-zero's locations.
    GoZero(RemoteBitmap<GoZero>),
    /// Redisson's.
    Redisson(RemoteBitmap<Redisson>),
    /// The project's own blocks.
    Native(RemoteBitmap<Native>),
    /// A filter of `BF.*`.
    Bf(RemoteBf),
}

/// The same expression for each kind.
macro_rules! each {
    ($any:expr, $filter:ident => $value:expr) => {
        match $any {
            Self::GoZero($filter) => $value,
            Self::Redisson($filter) => $value,
            Self::Native($filter) => $value,
            Self::Bf($filter) => $value,
        }
    };
}

impl AnyFilter {
    /// The filter of this name that is on the server.
    ///
    /// # Errors
    ///
    /// As [`RemoteBitmap::join`]; [`Error::Incompatible`](crate::Error::Incompatible) for a
    /// scheme that is none of these.
    pub fn join(connection: &mut impl ConnectionLike, name: impl AsRef<[u8]>) -> Result<Self> {
        now(Self::join_on(&mut Blocking(connection), name.as_ref()))
    }

    async fn join_on(wire: &mut impl Wire, name: &[u8]) -> Result<Self> {
        let keys = Name::new(name, false)?;
        let fields = RemoteBitmap::<Native>::fields(wire, &keys, Retry::default()).await?;
        let scheme = if fields.is_empty() {
            // It says what is there instead.
            Native::NAME.as_bytes()
        } else {
            fields.bytes("scheme")?
        };
        Ok(if scheme == GoZero::NAME.as_bytes() {
            Self::GoZero(RemoteBitmap::join_on(wire, name).await?)
        } else if scheme == Redisson::NAME.as_bytes() {
            Self::Redisson(RemoteBitmap::join_on(wire, name).await?)
        } else if scheme == RemoteBf::SCHEME.as_bytes() {
            Self::Bf(RemoteBf::join_on(wire, name).await?)
        } else {
            Self::Native(RemoteBitmap::join_on(wire, name).await?)
        })
    }

    /// The name of its scheme.
    pub fn scheme(&self) -> &'static str {
        match self {
            Self::GoZero(_) => GoZero::NAME,
            Self::Redisson(_) => Redisson::NAME,
            Self::Native(_) => Native::NAME,
            Self::Bf(_) => RemoteBf::SCHEME,
        }
    }

    /// Its name.
    pub fn name(&self) -> &[u8] {
        each!(self, filter => filter.name())
    }

    /// How long calls go on after failures.
    #[must_use]
    pub fn with_retry(self, retry: Retry) -> Self {
        match self {
            Self::GoZero(filter) => Self::GoZero(filter.with_retry(retry)),
            Self::Redisson(filter) => Self::Redisson(filter.with_retry(retry)),
            Self::Native(filter) => Self::Native(filter.with_retry(retry)),
            Self::Bf(filter) => Self::Bf(filter.with_retry(retry)),
        }
    }

    /// Inserts keys, as bytes. Those of a bitmap are all inserted; a filter of `BF.*` may be full.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn insert_batch<K: AsRef<[u8]>>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<BfInserted>> {
        let keys: Vec<&[u8]> = keys.iter().map(AsRef::as_ref).collect();
        let inserted = match self {
            Self::GoZero(filter) => filter.insert_batch(connection, &keys)?,
            Self::Redisson(filter) => filter.insert_batch(connection, &keys)?,
            Self::Native(filter) => filter.insert_batch(connection, &keys)?,
            Self::Bf(filter) => return filter.insert_batch(connection, &keys),
        };
        Ok(inserted.into_iter().map(Ok).collect())
    }

    /// Asks for keys, as bytes: whether each may be present; `false` is certain.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error); nothing that fails is an answer.
    pub fn contains_batch<K: AsRef<[u8]>>(
        &mut self,
        connection: &mut impl ConnectionLike,
        keys: &[K],
    ) -> Result<Vec<bool>> {
        let keys: Vec<&[u8]> = keys.iter().map(AsRef::as_ref).collect();
        each!(self, filter => filter.contains_batch(connection, &keys))
    }

    /// The time left until the filter expires.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn ttl(&self, connection: &mut impl ConnectionLike) -> Result<Option<Duration>> {
        each!(self, filter => filter.ttl(connection))
    }

    /// Deletes the filter with its settings; whether anything was left of it.
    ///
    /// # Errors
    ///
    /// [`Error`](crate::Error).
    pub fn delete(self, connection: &mut impl ConnectionLike) -> Result<bool> {
        match self {
            Self::Redisson(filter) => RemoteBitmap::<Redisson>::delete(connection, filter.name()),
            Self::Bf(filter) => RemoteBf::delete(connection, filter.name()),
            // These have the same keys.
            Self::GoZero(_) | Self::Native(_) => {
                RemoteBitmap::<Native>::delete(connection, self.name())
            }
        }
    }
}
