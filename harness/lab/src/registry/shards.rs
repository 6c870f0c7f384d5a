//! Filters in shards behind locks, as the program has them that `bouquet recommend`
//! prints.

use std::sync::{PoisonError, RwLock};

use anyhow::Result;
use bouquet_catalogue::{File, Hasher, Variant, every, in_shards};
use bouquet_core::{Key, KeyHash, Spec};
use bouquet_hash::{Folded, SipKeyed};

use super::made::{Made, Make, secret};
use crate::speed::{FilterBytes, Insertable, SetLoops, set_loops_with};

/// Those that a program puts in shards itself, by the names that they have so.
pub fn set_makers() -> impl Iterator<Item = (&'static str, Make)> {
    fn own<V: Variant>() -> Option<(&'static str, Make)> {
        let make: Make = |made| {
            if made.keyed {
                make_set::<V, _>(made, SipKeyed::with_key(secret()))
            } else {
                make_set::<V, _>(made, Folded::default())
            }
        };
        Some((V::FACTS.in_shards?.name, make))
    }
    every!(own).into_iter().flatten()
}

fn make_set<V: Variant, H: Hasher>(made: &Made, hasher: H) -> Result<Box<dyn SetLoops>> {
    let count = in_shards::count(made.capacity);
    let room = in_shards::room(made.capacity, count, V::FACTS.grows);
    let spec = Spec::new(room, made.target_fpr)?;
    let shard = |_| Ok(RwLock::new(V::make(spec, hasher.clone())?));
    let shards = (0..count).map(shard).collect::<Result<Vec<_>>>()?;
    let all = Shards { hasher, shards };
    Ok(set_loops_with(all, |all| Some(all.bytes())))
}

struct Shards<H, F> {
    hasher: H,
    shards: Vec<RwLock<F>>,
}

impl<H: Hasher, F: File> Shards<H, F> {
    #[inline(always)]
    fn place<K: Key + ?Sized>(&self, key: &K) -> (&RwLock<F>, KeyHash) {
        let (shard, rest) = self.hasher.hash_key(key).split(self.shards.len() as u64);
        (&self.shards[shard as usize], rest)
    }

    fn bytes(&self) -> FilterBytes {
        let beside = size_of::<RwLock<F>>() - size_of::<F>();
        let mut all = FilterBytes {
            payload: 0,
            allocated: 0,
            stored: 0,
        };
        for shard in &self.shards {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            all.payload += shard.size_bits().div_ceil(8);
            all.allocated += (shard.memory_bytes() + beside) as u64;
            all.stored += shard.encode().len() as u64;
        }
        all
    }
}

impl<H: Hasher, F: File, K: Key + ?Sized> Insertable<K> for Shards<H, F> {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        let (shard, rest) = self.place(key);
        let mut shard = shard.write().unwrap_or_else(PoisonError::into_inner);
        shard.try_insert_hash(rest).is_ok()
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        let (shard, rest) = self.place(key);
        let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
        shard.contains_hash(rest)
    }
}
