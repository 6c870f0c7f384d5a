//! Folds the filter to half of its slots.

use bouquet_core::{Fold, FoldError, Inner};

use super::{ShardedBloom, shard::Shard};
use crate::{ShardedGeometry, lock::RwLock};

/// Halves each shard under its lock, if shards of this geometry can be halved. The number of shards
/// does not change.
impl<F: Inner + Fold> Fold for ShardedBloom<F> {
    fn halved(&self) -> Result<Self, FoldError> {
        let halves = self.shards.iter().map(|shard| shard.read().halved());
        let halves: Vec<F> = halves.collect::<Result<_, _>>()?;
        // There is at least one shard.
        let shard = halves.first().map_or(*self.geometry.shard(), F::geometry);
        let shards = halves.into_iter().map(|half| Shard(RwLock::new(half)));
        Ok(Self {
            geometry: ShardedGeometry::new(self.geometry.shards(), shard)?,
            hasher: self.hasher.clone(),
            shards: shards.collect(),
            spec: FoldError::half_spec(&self.spec)?,
        })
    }
}
