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
        /// The filter of this name over so many strings: each is created if there is none, one that was lost too.
        ///
        /// # Errors
        ///
        /// As [`RemoteBitmap::open`] for each shard.
        fn open[](name: impl AsRef<[u8]>, capacity: u64, target_fpr: f64, shards: u32) -> Self {
            |wire| {
                let (first, name) = (first_shard(capacity, target_fpr, shards)?, name.as_ref());
                // Of another number of shards none is to be created.
                match crate::ShardedBitmap::join_on(wire, name).await {
                    Ok(joined) => {
                        joined.shards[0].clone().agreeing_on(&first)?;
                        return Ok(joined);
                    }
                    Err(Error::NotFound { .. }) => {}
                    Err(error) => return Err(error),
                }
                let mut all = Vec::with_capacity(shards as usize);
                for (name, shard) in names(name, shards)?.iter().zip(0..) {
                    let scheme = NativeShard { shard, ..first.clone() };
                    all.push(crate::RemoteBitmap::open_on(wire, name, scheme).await?);
                }
                crate::ShardedBitmap::of(wire, all).await
            }
        }

        /// A new filter, empty, over so many strings: for an even load a multiple of the
        /// cluster's masters.
        ///
        /// # Errors
        ///
        /// [`Error::Exists`] if there is a shard of this name; [`Error::TooLarge`] if a shard is larger
        /// than a string.
        fn create[](name: impl AsRef<[u8]>, capacity: u64, target_fpr: f64, shards: u32) -> Self {
            |wire| {
                let first = first_shard(capacity, target_fpr, shards)?;
                let mut made = Vec::with_capacity(shards as usize);
                for (name, shard) in names(name.as_ref(), shards)?.iter().zip(0..) {
                    let scheme = NativeShard { shard, ..first.clone() };
                    match crate::RemoteBitmap::create_on(wire, name, scheme).await {
                        Ok(new) => made.push(new),
                        Err(error) => {
                            for ours in &made {
                                ours.delete_on(wire).await?;
                            }
                            return Err(error);
                        }
                    }
                }
                crate::ShardedBitmap::of(wire, made).await
            }
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
        fn replace[](&self) -> () {
            |wire| {
                for shard in &self.shards {
                    shard.replace_on(wire).await?;
                }
                self.find_nodes(wire).await;
                Ok(())
            }
        }

        /// Deletes the shards that this client joined; returns whether all of them were there.
        ///
        /// # Errors
        ///
        /// [`Error`].
        fn delete[](&self) -> bool {
            |wire| {
                let mut were_all_there = true;
                for shard in &self.shards {
                    were_all_there &= shard.delete_on(wire).await?;
                }
                Ok(were_all_there)
            }
        }
    }
}

impl ShardedBitmap {
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
        let scheme = first.scheme();
        let mut all = Vec::with_capacity(scheme.shards as usize);
        for (name, i) in names(name, scheme.shards)?.iter().zip(0..) {
            let there = RemoteBitmap::<NativeShard>::join_on(wire, name).await?;
            if let Some(how) = scheme.difference(&there.scheme(), i) {
                return Err(Error::differs(name, how));
            }
            all.push(there);
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

/// The first of so many shards.
fn first_shard(capacity: u64, target_fpr: f64, shards: u32) -> Result<NativeShard> {
    if shards == 0 || shards > MAX_SHARDS {
        return Err(Error::BadName {
            why: "a filter has 1 to 1024 shards: give a number in this range",
        });
    }
    // Three standard deviations more than the mean.
    let mean = capacity.div_ceil(shards.into());
    let most = mean.saturating_add((3.0 * (mean as f64).sqrt()) as u64);
    Ok(NativeShard {
        native: Native::new(if shards == 1 { capacity } else { most }, target_fpr)?,
        shards,
        shard: 0,
    })
}

fn names(name: &[u8], shards: u32) -> Result<Vec<Vec<u8>>> {
    slots::check(name)?;
    Ok((0..shards)
        .map(|i| slots::shard_name(name, i, shards))
        .collect())
}
