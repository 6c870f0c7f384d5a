//! One filter that is spread over many strings, and so over the nodes of a cluster.

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

/// The maximum number of shards.
const MAX_SHARDS: u32 = 1_024;

/// A filter of the native scheme spread over many strings, each in a slot of its own. So it can
/// have more bits than one string, and all nodes of a cluster share its load.
///
/// A key belongs to one shard. Over a blocking connection a batch is sent in pipelines of a few
/// commands per node; over a non-blocking one, in pipelines per shard. Commands that a node
/// rejects, because a slot moves or for another reason, are retried shard by shard as
/// [`RemoteBitmap`] does. A single server works as well. In a cluster use a
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
    /// The indices of the shards of each node.
    groups: Shared<Vec<Vec<usize>>>,
}

calls! {
    impl [] ShardedBitmap[] {
        /// Joins the filter of this name with this number of shards. Creates every shard that does
        /// not exist, including one that was lost.
        ///
        /// # Errors
        ///
        /// As [`RemoteBitmap::open`] for each shard.
        fn open[](name: impl AsRef<[u8]>, capacity: u64, target_fpr: f64, shards: u32) -> Self {
            |wire| {
                let (first, name) = (first_shard(capacity, target_fpr, shards)?, name.as_ref());
                // If the filter exists with another number of shards, no shard must be created.
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

        /// Creates an empty filter with this number of shards. For an even load, choose a multiple
        /// of the number of the cluster's masters.
        ///
        /// # Errors
        ///
        /// [`Error::Exists`] if the name of a shard is already in use; [`Error::TooLarge`] if a
        /// shard needs more bits than a string can have.
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

        /// Joins the existing filter of this name.
        ///
        /// # Errors
        ///
        /// [`Error::NotFound`] with the name of the missing shard; [`Error`].
        fn join[](name: impl AsRef<[u8]>) -> Self { |wire| crate::ShardedBitmap::join_on(wire, name).await }

        /// Call this after [`Error::FilterLost`]: creates the lost shards again, empty, as
        /// [`RemoteBitmap::replace`] does. Insert the keys again; the keys of the other shards are
        /// still present.
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

        /// Deletes the shards that this client joined. Returns whether all of them existed.
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
        // The name of the first shard depends on the number of shards.
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

    /// Sets how long calls are retried after failures. The limit applies to all shards together.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// The number of shards.
    pub fn shards(&self) -> usize {
        self.shards.len()
    }

    /// The name of the string of a shard, or `None` if there is no such shard.
    pub fn shard_name(&self, shard: usize) -> Option<&[u8]> {
        Some(self.shards.get(shard)?.name())
    }

    /// The index of the shard to which a key belongs.
    pub fn shard_of<K: bouquet_core::Key + ?Sized>(&self, key: &K) -> usize {
        // There is at least one shard.
        key.with_bytes(|key| self.shards[0].scheme().shard_of(key)) as usize
    }

    /// Finds out which shards are on the same node.
    async fn find_nodes(&self, wire: &mut impl Wire) {
        let names: Vec<&[u8]> = self.shards.iter().map(RemoteBitmap::name).collect();
        let groups = slots::by_node(wire, &names).await;
        self.groups.set(groups, |_| true);
    }
}

/// The scheme of the first of `shards` shards.
fn first_shard(capacity: u64, target_fpr: f64, shards: u32) -> Result<NativeShard> {
    if shards == 0 || shards > MAX_SHARDS {
        return Err(Error::BadName {
            why: "a filter has 1 to 1024 shards: give a number in this range",
        });
    }
    // Each shard is sized for three standard deviations more than the mean number of keys.
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
