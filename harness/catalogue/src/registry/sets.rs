//! What `bouquet recommend` measures: our filters, alone or in shards behind locks, with the
//! default or a keyed hash; sets that store the keys themselves.

use std::{
    borrow::Borrow,
    collections::HashSet,
    hash::{BuildHasher, Hash, RandomState},
    sync::RwLock,
};

use anyhow::{Context, Result, bail};
use bouquet_bits::BitArray;
use bouquet_core::{Key, Spec};
use bouquet_hash::{Folded, SipKeyed};
use roaring::RoaringTreemap;

use super::shared::locked;
use crate::{
    BenchLoop, CatalogueFilter, FilterBytes, FilterInfo, Hasher, Insertable, Kind, for_each_filter,
    in_shards, of_bytes, of_integers, single,
};

#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub kind: Kind,
    pub capacity: u64,
    pub target_fpr: f64,
    /// Whether keys are hashed with a secret key.
    pub keyed: bool,
    /// All integer keys are below this number. Only the bitmap uses it.
    pub below: u64,
}

type Make = Box<dyn Fn(&Made) -> Result<Box<dyn BenchLoop>>>;

/// The name of each filter or exact set, and the function that makes it.
pub fn set_makers() -> Vec<(&'static str, Make)> {
    fn own<V: FilterInfo>() -> Vec<(&'static str, Make)> {
        let mut own: Vec<(&str, Make)> = vec![(V::FACTS.name, Box::new(alone::<V>))];
        if let Some(shards) = V::FACTS.in_shards {
            own.push((shards.name, Box::new(in_locked_shards::<V>)));
        }
        own
    }
    let mut all = for_each_filter!(own)
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
    for name in ["hash-set", "sorted-array", "bitmap", "roaring"] {
        all.push((name, Box::new(|made| exact(name, made))));
    }
    all
}

/// Makes a set without false positives.
fn exact(name: &str, made: &Made) -> Result<Box<dyn BenchLoop>> {
    Ok(match (name, made.kind) {
        ("hash-set", Kind::U64) => of_integers(HashSet::<u64>::new()),
        ("hash-set", Kind::Url) => of_bytes(HashSet::<Vec<u8>>::new()),
        ("sorted-array", Kind::U64) => of_integers(Sorted::<u64>(Vec::new())),
        ("sorted-array", Kind::Url) => of_bytes(Sorted::<Vec<u8>>(Vec::new())),
        ("bitmap", Kind::U64) => of_integers(BitArray::new(made.below)?),
        ("roaring", Kind::U64) => of_integers(RoaringTreemap::new()),
        _ => bail!("it stores integers only"),
    })
}

pub fn make_set(name: &str, made: &Made) -> Result<Box<dyn BenchLoop>> {
    let own = set_makers().into_iter().find(|(known, _)| *known == name);
    let (_, make) = own.with_context(|| format!("{name} is not built in"))?;
    make(made).with_context(|| format!("{name} cannot be made"))
}

/// A random secret key. `RandomState` takes its keys from the system's random source.
fn secret() -> [u8; 16] {
    let half = || RandomState::new().hash_one(0u8);
    (u128::from(half()) << 64 | u128::from(half())).to_le_bytes()
}

fn alone<V: FilterInfo>(made: &Made) -> Result<Box<dyn BenchLoop>> {
    let spec = Spec::new(made.capacity, made.target_fpr)?;
    Ok(match made.keyed {
        true => single(V::make(spec, SipKeyed::with_key(secret()))?, made.kind),
        false => single(V::make(spec, Folded::default())?, made.kind),
    })
}

/// A filter in shards behind locks, as in the programs that `bouquet recommend` prints.
fn in_locked_shards<V: FilterInfo>(made: &Made) -> Result<Box<dyn BenchLoop>> {
    fn of<V: FilterInfo, H: Hasher>(made: &Made, hasher: H) -> Result<Shards<H, V::Filter<H>>> {
        let count = in_shards::count(made.capacity);
        let room = in_shards::room(made.capacity, count, V::FACTS.grows);
        let spec = Spec::new(room, made.target_fpr)?;
        let shard = |_| Ok(RwLock::new(V::make(spec, hasher.clone())?));
        let shards = (0..count).map(shard).collect::<Result<Vec<_>>>()?;
        Ok(Shards { hasher, shards })
    }
    Ok(match made.keyed {
        true => single(of::<V, _>(made, SipKeyed::with_key(secret()))?, made.kind),
        false => single(of::<V, _>(made, Folded::default())?, made.kind),
    })
}

struct Shards<H, F> {
    hasher: H,
    shards: Vec<RwLock<F>>,
}

impl<H: Hasher, F: CatalogueFilter, K: Key + ?Sized> Insertable<K> for Shards<H, F> {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        let (shard, rest) = self.hasher.hash_key(key).split(self.shards.len() as u64);
        let mut shard = locked(self.shards[shard as usize].write());
        shard.insert_hash(rest)
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        let (shard, rest) = self.hasher.hash_key(key).split(self.shards.len() as u64);
        locked(self.shards[shard as usize].read()).contains_hash(rest)
    }

    fn bytes(&self) -> Option<FilterBytes> {
        let beside = size_of::<RwLock<F>>() - size_of::<F>();
        let mut all = FilterBytes::default();
        for shard in &self.shards {
            let shard = locked(shard.read());
            all.payload += shard.inspect().size_bits().div_ceil(8);
            all.allocated += (shard.inspect().memory_bytes() + beside) as u64;
            all.stored += shard.header().map_or(0, |header| header.file_bytes());
        }
        Some(all)
    }
}

/// The hash set of `std`, with its default hash, which has a random key.
impl<K: ToOwned<Owned: Hash + Eq> + Hash + Eq + ?Sized> Insertable<K> for HashSet<K::Owned> {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        HashSet::insert(self, key.to_owned())
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        HashSet::contains(self, key)
    }
}

/// A vector that is sorted once all keys are inserted.
struct Sorted<T>(Vec<T>);

impl<K: ToOwned<Owned: Ord> + Ord + ?Sized> Insertable<K> for Sorted<K::Owned> {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        self.0.push(key.to_owned());
        true
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        self.0.binary_search_by(|one| one.borrow().cmp(key)).is_ok()
    }

    fn finish(&mut self) -> Result<()> {
        self.0.sort_unstable();
        Ok(())
    }
}

/// A bitmap with one bit for every integer below its length.
impl Insertable<u64> for BitArray {
    const REJECTS: bool = true;

    #[inline(always)]
    fn insert(&mut self, key: &u64) -> bool {
        let fits = *key < self.len();
        if fits {
            self.set(*key);
        }
        fits
    }

    #[inline(always)]
    fn contains(&self, key: &u64) -> bool {
        *key < self.len() && self.test(*key)
    }
}

impl Insertable<u64> for RoaringTreemap {
    #[inline(always)]
    fn insert(&mut self, key: &u64) -> bool {
        self.insert(*key)
    }

    #[inline(always)]
    fn contains(&self, key: &u64) -> bool {
        self.contains(*key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoredKeys;

    #[test]
    fn every_set_holds_its_keys_with_either_hash() {
        let members = StoredKeys::Integers((0..500).map(|i| i * 7).collect());
        let non_members = StoredKeys::Integers((0..500).map(|i| i * 7 + 1).collect());
        for (name, _) in set_makers() {
            for keyed in [false, true] {
                let made = Made {
                    kind: Kind::U64,
                    capacity: 500,
                    target_fpr: 0.01,
                    keyed,
                    below: 3_500,
                };
                let mut set = make_set(name, &made).unwrap();
                assert_eq!(set.insert_stored(&members, 0..500), 500, "{name}");
                set.finish().unwrap();
                assert_eq!(set.look_up_stored(&members, 0..500), 500, "{name}");
                assert!(set.look_up_stored(&non_members, 0..500) < 50, "{name}");
            }
        }
    }
}
