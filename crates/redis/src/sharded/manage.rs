//! What is done to all shards of a filter.

use std::time::Duration;

use super::ShardedBitmap;
use crate::{Info, Result, calls::calls, wire::Wire};

calls! {
    impl [] ShardedBitmap[] {
        /// Counts the bits of all shards. The time left is that of the shard that goes first.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn info[](&self) -> Info { |wire| self.info_on(wire).await }

        /// Has all shards expire, one after the other. After an error some may: call it again.
        ///
        /// # Errors
        ///
        /// [`Error::FilterLost`](crate::Error::FilterLost) if one of them is not there.
        fn expire[](&self, after: Duration) -> () { |wire| self.expire_on(wire, after).await }

        /// The time left until the first of its shards expires.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn ttl[](&self) -> Option<Duration> { |wire| self.ttl_on(wire).await }
    }
}

impl ShardedBitmap {
    async fn info_on(&self, wire: &mut impl Wire) -> Result<Info> {
        // Never empty: a filter has at least one.
        let mut all = self.shards[0].info_on(wire).await?;
        for shard in &self.shards[1..] {
            let one = shard.info_on(wire).await?;
            all.size_bits += one.size_bits;
            all.ones += one.ones;
            all.estimated_fpr += one.estimated_fpr;
            all.ttl = sooner(all.ttl, one.ttl);
        }
        // A key is as likely to be of one shard as of another.
        all.estimated_fpr /= self.shards.len() as f64;
        Ok(all)
    }

    async fn expire_on(&self, wire: &mut impl Wire, after: Duration) -> Result<()> {
        for shard in &self.shards {
            shard.expire_on(wire, after).await?;
        }
        Ok(())
    }

    async fn ttl_on(&self, wire: &mut impl Wire) -> Result<Option<Duration>> {
        let mut first = None;
        for shard in &self.shards {
            first = sooner(first, shard.ttl_on(wire).await?);
        }
        Ok(first)
    }
}

fn sooner(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    one.into_iter().chain(other).min()
}
