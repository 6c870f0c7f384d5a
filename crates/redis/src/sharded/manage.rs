//! What is done to all shards of a filter.

use std::time::Duration;

use super::ShardedBitmap;
use crate::{Info, calls::calls};

calls! {
    impl [] ShardedBitmap[] {
        /// Counts the bits of all shards. The time left is that of the shard that goes first.
        ///
        /// # Errors
        ///
        /// [`Error`](crate::Error).
        fn info[](&self) -> Info {
            |wire| {
                // Never empty: a filter has at least one.
                let mut all = self.shards[0].info_on(wire).await?;
                for shard in &self.shards[1..] {
                    let one = shard.info_on(wire).await?;
                    all.size_bits += one.size_bits;
                    all.ones += one.ones;
                    all.estimated_fpr += one.estimated_fpr;
                    all.ttl = all.ttl.into_iter().chain(one.ttl).min();
                }
                // A key is as likely to be of one shard as of another.
                all.estimated_fpr /= self.shards.len() as f64;
                Ok(all)
            }
        }

        /// Has all shards expire, one after the other. After an error some may: call it again.
        ///
        /// # Errors
        ///
        /// [`Error::FilterLost`](crate::Error::FilterLost) if one of them is not there.
        fn expire[](&self, after: Duration) -> () {
            |wire| {
                for shard in &self.shards {
                    shard.expire_on(wire, after).await?;
                }
                Ok(())
            }
        }
    }
}
