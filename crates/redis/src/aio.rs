//! The same filters and methods for non-blocking connections ([`redis::aio::ConnectionLike`]).
//! Needs the feature `async`.
//!
//! ```no_run
//! use bouquet_redis::{Native, aio::RemoteBitmap, redis::Client};
//!
//! # async fn seen() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::open("redis://127.0.0.1/")?;
//! let mut connection = client.get_multiplexed_async_connection().await?;
//! let filter = RemoteBitmap::open(&mut connection, "seen", Native::new(1_000_000, 0.01)?).await?;
//! filter.insert(&mut connection, "rose").await?;
//! assert!(filter.contains(&mut connection, "rose").await?);
//! # Ok(())
//! # }
//! ```
//!
//! Dropping the future of a call at any point leaves the filter object unchanged: its state changes
//! only after a complete reply. The server may still execute a command that was already sent.

use std::ops::Deref;

use crate::{Retry, Scheme};

/// Defines a type for non-blocking connections that wraps the blocking type of the same name.
macro_rules! aio {
    ($($(#[$doc:meta])* $type:ident [$($generics:tt)*] [$($of:tt)*];)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $type<$($generics)*>(pub(crate) crate::$type<$($of)*>);

        impl<$($generics)*> From<crate::$type<$($of)*>> for $type<$($of)*> {
            fn from(filter: crate::$type<$($of)*>) -> Self {
                Self(filter)
            }
        }

        impl<$($generics)*> Deref for $type<$($of)*> {
            type Target = crate::$type<$($of)*>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    )*};
}

aio! {
    /// The non-blocking form of [`RemoteBitmap`](crate::RemoteBitmap).
    #[derive(Clone)]
    RemoteBitmap[S: Scheme][S];
    /// The non-blocking form of [`Draft`](crate::Draft).
    Draft[S: Scheme][S];
    /// The non-blocking form of [`TieredFilter`](crate::TieredFilter).
    #[derive(Clone)]
    TieredFilter[S: Scheme][S];
    /// The non-blocking form of [`ShardedBitmap`](crate::ShardedBitmap).
    #[derive(Clone)]
    ShardedBitmap[][];
    /// The non-blocking form of [`ShardedDraft`](crate::ShardedDraft).
    ShardedDraft[][];
    /// The non-blocking form of [`RemoteBf`](crate::RemoteBf).
    #[derive(Clone)]
    RemoteBf[][];
}

macro_rules! with_retry {
    ($($type:ident [$($generics:tt)*] [$($of:tt)*];)*) => {$(
        impl<$($generics)*> $type<$($of)*> {
            /// Sets how long calls are retried after failures.
            #[must_use]
            pub fn with_retry(self, retry: Retry) -> Self {
                Self(self.0.with_retry(retry))
            }
        }
    )*};
}

with_retry! {
    RemoteBitmap[S: Scheme][S];
    ShardedBitmap[][];
    RemoteBf[][];
}
