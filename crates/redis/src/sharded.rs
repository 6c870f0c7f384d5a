//! One filter over many strings, which the nodes of a cluster share.

mod ask;
#[cfg(feature = "async")]
mod asynchronous;
mod manage;
mod parallel;
mod rebuild;
mod scheme;
mod slots;

pub use rebuild::ShardedDraft;
use redis::ConnectionLike;
pub(crate) use scheme::NativeShard;

use crate::{
    Error, Native, RemoteBitmap, Result, Retry,
    error::shown,
    name::Name,
    ours::Kind,
    settings::random,
    wire::{Blocking, Wire, now},
};

/// The most shards.
const MAX_SHARDS: u32 = 1_024;

/// A filter of the native scheme over many strings, each in a slot of its own, so that it
/// may have more bits than one string and its load is that of all nodes of a cluster.
///
/// A key is in one shard. A batch goes out in pipelines of a few commands for each node over a
/// blocking connection, and for each shard of a cluster over a non-blocking one; what a node
/// rejects, because a slot moves or for another reason, is retried shard by shard,
/// as [`RemoteBitmap`] does. Works on a single server as well. In a cluster use a
/// [`Reconnecting`](crate::Reconnecting) with a `ClusterClient`.
///
/// ```no_run
/// use bouquet_redis::{ShardedBitmap, redis::Client};
///
/// let mut connection = Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let mut filter = ShardedBitmap::create(&mut connection, "seen", 10_000_000, 0.01, 12)?;
/// filter.insert_batch(&mut connection, &["rose", "tulip"])?;
/// assert!(filter.contains(&mut connection, "rose")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShardedBitmap {
    shards: Vec<RemoteBitmap<NativeShard>>,
    retry: Retry,
    /// The shards of each node.
    groups: Vec<Vec<usize>>,
}

impl ShardedBitmap {
    /// A new filter, empty, over so many strings: for an even load a multiple of the
    /// cluster's masters.
    ///
    /// # Errors
    ///
    /// [`Error::Exists`] if there is a shard of this name, as after a process that ended in
    /// the middle: [`delete`](Self::delete) it; [`Error::TooLarge`] if a shard is larger
    /// than a string.
    pub fn create(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        capacity: u64,
        target_fpr: f64,
        shards: u32,
    ) -> Result<Self> {
        let wire = &mut Blocking(connection);
        let name = name.as_ref();
        now(Self::create_on(wire, name, capacity, target_fpr, shards))
    }

    async fn create_on(
        wire: &mut impl Wire,
        name: &[u8],
        capacity: u64,
        target_fpr: f64,
        shards: u32,
    ) -> Result<Self> {
        let names = names(name, shards)?;
        let each = each(capacity, target_fpr, shards)?;
        let set = random();
        let mut made = Vec::with_capacity(names.len());
        // The first one comes last: with it the filter exists.
        for (shard, name) in names.iter().enumerate().rev() {
            let scheme = NativeShard::new(each.clone(), shards, shard as u32, set);
            match RemoteBitmap::create_on(wire, name, scheme).await {
                Ok(new) => made.push(new),
                Err(error) => {
                    for ours in &made {
                        let name = Name::new(ours.name(), false)?;
                        crate::ours::delete(wire, &name, Kind::Bitmap).await?;
                    }
                    return Err(error);
                }
            }
        }
        made.reverse();
        Self::of(wire, made).await
    }

    async fn of(wire: &mut impl Wire, shards: Vec<RemoteBitmap<NativeShard>>) -> Result<Self> {
        let mut filter = Self {
            shards,
            retry: Retry::default(),
            groups: Vec::new(),
        };
        filter.find_nodes(wire).await;
        Ok(filter)
    }

    /// The filter of this name on the server.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] with the name of the missing shard; [`Error`].
    pub fn join(connection: &mut impl ConnectionLike, name: impl AsRef<[u8]>) -> Result<Self> {
        now(Self::join_on(&mut Blocking(connection), name.as_ref()))
    }

    async fn join_on(wire: &mut impl Wire, name: &[u8]) -> Result<Self> {
        // Which name the first shard has depends on how many there are.
        let mut first = Err(Error::NotFound { name: shown(name) });
        for start in slots::first_names(name)? {
            first = RemoteBitmap::<NativeShard>::join_on(wire, &start).await;
            if !matches!(first, Err(Error::NotFound { .. })) {
                break;
            }
        }
        let first = first?;
        let names = names(name, first.scheme().shards())?;
        let mut all = Vec::with_capacity(names.len());
        for (i, name) in names.iter().enumerate() {
            let shard = RemoteBitmap::<NativeShard>::join_on(wire, name).await?;
            let expected = first.scheme().sibling(i as u32);
            if let Some((parameter, here, there)) = expected.difference(shard.scheme()) {
                return Err(Error::Incompatible {
                    name: shown(name),
                    parameter,
                    here,
                    there,
                });
            }
            all.push(shard);
        }
        Self::of(wire, all).await
    }

    /// Deletes what is left of a filter over so many strings; returns whether anything existed.
    ///
    /// # Errors
    ///
    /// [`Error`].
    pub fn delete(
        connection: &mut impl ConnectionLike,
        name: impl AsRef<[u8]>,
        shards: u32,
    ) -> Result<bool> {
        let mut was_there = false;
        for name in names(name.as_ref(), shards)? {
            was_there |= RemoteBitmap::<NativeShard>::delete(connection, &name)?;
        }
        Ok(was_there)
    }

    /// How long calls are retried after failures, all shards together.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// How many strings it is over.
    pub fn shards(&self) -> usize {
        self.shards.len()
    }

    /// The name of the string of a shard.
    pub fn shard_name(&self, shard: usize) -> Option<&[u8]> {
        Some(self.shards.get(shard)?.name())
    }

    /// The shard of a key.
    pub fn shard_of<K: bouquet_core::Key + ?Sized>(&self, key: &K) -> usize {
        // Never empty: a filter has at least one.
        key.with_bytes(|key| self.shards[0].scheme().shard_of(key)) as usize
    }

    /// Queries which shards are on the same node.
    async fn find_nodes(&mut self, wire: &mut impl Wire) {
        let names: Vec<&[u8]> = self.shards.iter().map(RemoteBitmap::name).collect();
        self.groups = slots::by_node(wire, &names).await;
    }
}

/// What one of so many shards is.
fn each(capacity: u64, target_fpr: f64, shards: u32) -> Result<Native> {
    // Three standard deviations more than the mean.
    let mean = capacity.div_ceil(shards.into());
    let most = mean.saturating_add((3.0 * (mean as f64).sqrt()) as u64);
    Native::new(if shards == 1 { capacity } else { most }, target_fpr)
}

fn names(name: &[u8], shards: u32) -> Result<Vec<Vec<u8>>> {
    if shards == 0 || shards > MAX_SHARDS {
        return Err(Error::BadName {
            why: "a filter has 1 to 1024 shards: give a number in this range",
        });
    }
    slots::check(name)?;
    Ok((0..shards)
        .map(|i| slots::shard_name(name, i, shards))
        .collect())
}
