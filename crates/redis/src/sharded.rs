//! One filter over many strings, which the nodes of a cluster share.

mod ask;
mod manage;
mod rebuild;
mod scheme;
mod slots;

pub use rebuild::ShardedDraft;
pub(crate) use scheme::NativeShard;

use crate::{
    Error, Native, RemoteBitmap, Result, Retry, calls::calls, error::shown, shared::Shared,
    wire::Wire,
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
/// let filter = ShardedBitmap::open(&mut connection, "seen", 10_000_000, 0.01, 12)?;
/// filter.insert_batch(&mut connection, &["rose", "tulip"])?;
/// assert!(filter.contains(&mut connection, "rose")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShardedBitmap {
    shards: Vec<RemoteBitmap<NativeShard>>,
    retry: Retry,
    /// The shards of each node.
    groups: Shared<Vec<Vec<usize>>>,
}

calls! {
    impl [] ShardedBitmap[] {
        /// The filter of this name over so many strings: each is created if there is none.
        ///
        /// # Errors
        ///
        /// As [`RemoteBitmap::open`] for each shard.
        fn open[](name: impl AsRef<[u8]>, capacity: u64, target_fpr: f64, shards: u32) -> Self {
            |wire| crate::ShardedBitmap::open_on(wire, name.as_ref(), &each(capacity, target_fpr, shards)?, shards).await
        }

        /// A new filter, empty, over so many strings: for an even load a multiple of the
        /// cluster's masters.
        ///
        /// # Errors
        ///
        /// [`Error::Exists`] if there is a shard of this name; [`Error::TooLarge`] if a shard is larger
        /// than a string.
        fn create[](name: impl AsRef<[u8]>, capacity: u64, target_fpr: f64, shards: u32) -> Self {
            |wire| crate::ShardedBitmap::create_on(wire, name.as_ref(), &each(capacity, target_fpr, shards)?, shards).await
        }

        /// The filter of this name on the server.
        ///
        /// # Errors
        ///
        /// [`Error::NotFound`] with the name of the missing shard; [`Error`].
        fn join[](name: impl AsRef<[u8]>) -> Self { |wire| crate::ShardedBitmap::join_on(wire, name).await }

        /// After [`Error::FilterLost`]: begins the lost shards again, empty, as
        /// [`RemoteBitmap::replace`] does. Insert the keys again; those of the other shards are there.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn replace[](&self) -> () { |wire| self.replace_on(wire).await }

        /// Deletes the shards that this client joined; returns whether all of them were there.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn delete[](&self) -> bool { |wire| self.delete_on(wire).await }
    }
}

impl ShardedBitmap {
    async fn open_on(
        wire: &mut impl Wire,
        name: &[u8],
        each: &Native,
        shards: u32,
    ) -> Result<Self> {
        // Of another number of shards none is to be created.
        match Self::join_on(wire, name).await {
            Ok(joined) => {
                let first = NativeShard::new(each.clone(), shards, 0);
                joined.shards[0].clone().agreeing_on(&first)?;
                return Ok(joined);
            }
            Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        let mut all = Vec::with_capacity(shards as usize);
        for (shard, name) in names(name, shards)?.iter().enumerate() {
            let scheme = NativeShard::new(each.clone(), shards, shard as u32);
            all.push(RemoteBitmap::open_on(wire, name, scheme).await?);
        }
        Self::of(wire, all).await
    }

    async fn create_on(
        wire: &mut impl Wire,
        name: &[u8],
        each: &Native,
        shards: u32,
    ) -> Result<Self> {
        let names = names(name, shards)?;
        let mut made: Vec<RemoteBitmap<NativeShard>> = Vec::with_capacity(names.len());
        // The first one comes last: with it the filter exists.
        for (shard, name) in names.iter().enumerate().rev() {
            let scheme = NativeShard::new(each.clone(), shards, shard as u32);
            match RemoteBitmap::create_on(wire, name, scheme).await {
                Ok(new) => made.push(new),
                Err(error) => {
                    for ours in &made {
                        ours.delete_on(wire).await?;
                    }
                    return Err(error);
                }
            }
        }
        made.reverse();
        Self::of(wire, made).await
    }

    async fn replace_on(&self, wire: &mut impl Wire) -> Result<()> {
        for shard in &self.shards {
            shard.replace_on(wire).await?;
        }
        self.find_nodes(wire).await;
        Ok(())
    }

    async fn delete_on(&self, wire: &mut impl Wire) -> Result<bool> {
        let mut were_all_there = true;
        for shard in &self.shards {
            were_all_there &= shard.delete_on(wire).await?;
        }
        Ok(were_all_there)
    }

    async fn of(wire: &mut impl Wire, shards: Vec<RemoteBitmap<NativeShard>>) -> Result<Self> {
        let filter = Self {
            shards,
            retry: Retry::default(),
            groups: Shared::new(Vec::new()),
        };
        filter.find_nodes(wire).await;
        Ok(filter)
    }

    async fn join_on(wire: &mut impl Wire, name: impl AsRef<[u8]>) -> Result<Self> {
        let name = name.as_ref();
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
            if let Some((parameter, here, there)) = expected.difference(&shard.scheme()) {
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
    async fn find_nodes(&self, wire: &mut impl Wire) {
        let names: Vec<&[u8]> = self.shards.iter().map(RemoteBitmap::name).collect();
        let groups = slots::by_node(wire, &names).await;
        self.groups.set(groups, |_| true);
    }
}

/// What one of so many shards is.
fn each(capacity: u64, target_fpr: f64, shards: u32) -> Result<Native> {
    if shards == 0 || shards > MAX_SHARDS {
        return Err(Error::BadName {
            why: "a filter has 1 to 1024 shards: give a number in this range",
        });
    }
    // Three standard deviations more than the mean.
    let mean = capacity.div_ceil(shards.into());
    let most = mean.saturating_add((3.0 * (mean as f64).sqrt()) as u64);
    Native::new(if shards == 1 { capacity } else { most }, target_fpr)
}

fn names(name: &[u8], shards: u32) -> Result<Vec<Vec<u8>>> {
    slots::check(name)?;
    Ok((0..shards)
        .map(|i| slots::shard_name(name, i, shards))
        .collect())
}
