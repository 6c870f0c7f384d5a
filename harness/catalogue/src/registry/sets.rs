//! The sets that `bouquet recommend` measures: our filters with either hash, alone and in shards
//! behind locks; exact sets; and static filters of other crates.

use std::{
    borrow::Borrow,
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    sync::{PoisonError, RwLock},
};

use anyhow::{Context, Result, bail};
use bouquet_bits::BitArray;
use bouquet_core::{Key, Spec};
use bouquet_hash::{Folded, SipKeyed};
use roaring::RoaringTreemap;

use super::peers::peers;
use crate::{
    BenchLoop, CatalogueFilter, Family, FilterBytes, Hasher, Insertable, Kind, Own, Variant, every,
    in_shards, of_bytes, of_integers, single,
};

/// The parameters of a set.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub kind: Kind,
    pub capacity: u64,
    pub target_fpr: f64,
    /// Whether keys are hashed with a secret key.
    pub keyed: bool,
    /// All integers are below this number; only the bitmap uses it.
    pub below: u64,
}

type Make = Box<dyn Fn(&Made) -> Result<Box<dyn BenchLoop>>>;

/// All sets with their names.
pub fn set_makers() -> Vec<(&'static str, Make)> {
    fn own<V: Variant>() -> Vec<(&'static str, Make)> {
        let mut own: Vec<(&str, Make)> = vec![(
            V::FACTS.name,
            Box::new(|made| match made.keyed {
                true => alone::<V, _>(made, SipKeyed::with_key(secret())),
                false => alone::<V, _>(made, Folded::default()),
            }),
        )];
        if let Some(shards) = V::FACTS.in_shards {
            let make: Make = Box::new(|made| match made.keyed {
                true => sharded::<V, _>(made, SipKeyed::with_key(secret())),
                false => sharded::<V, _>(made, Folded::default()),
            });
            own.push((shards.name, make));
        }
        own
    }
    let mut all = every!(own).into_iter().flatten().collect::<Vec<_>>();
    let exact: [(&str, Make); 4] = [
        (
            "hash-set",
            Box::new(|made| Ok(exact(made, HashSet::new(), HashSet::new()))),
        ),
        (
            "sorted-array",
            Box::new(|made| Ok(exact(made, Sorted(vec![]), Sorted(vec![])))),
        ),
        (
            "bitmap",
            Box::new(|made| integers(made, Bitmap(BitArray::new(made.below)?))),
        ),
        (
            "roaring",
            Box::new(|made| integers(made, Roaring(RoaringTreemap::new()))),
        ),
    ];
    all.extend(exact);
    for entry in peers() {
        if let (Family::Static, Some(make)) = (entry.family, entry.make_loop) {
            let make: Make = Box::new(move |made| make(made.kind, made.capacity, made.target_fpr));
            all.push((entry.name, make));
        }
    }
    all
}

/// Makes the set with this name.
///
/// # Errors
///
/// If there is no set with this name, or if it cannot be made with these parameters.
pub fn make_set(name: &str, made: &Made) -> Result<Box<dyn BenchLoop>> {
    let set_makers = set_makers();
    let Some((_, make)) = set_makers.iter().find(|(known, _)| *known == name) else {
        bail!("{name} is not built in");
    };
    make(made).with_context(|| format!("{name} cannot be made"))
}

/// A random key from the system's random source, obtained through the keys of `std`'s hash tables.
fn secret() -> [u8; 16] {
    let half = || RandomState::new().hash_one(0u8);
    (u128::from(half()) << 64 | u128::from(half())).to_le_bytes()
}

fn alone<V: Variant, H: Hasher>(made: &Made, hasher: H) -> Result<Box<dyn BenchLoop>> {
    let spec = Spec::new(made.capacity, made.target_fpr)?;
    Ok(single(Own(V::make(spec, hasher)?), made.kind))
}

/// A filter in shards behind locks, as in the programs that `bouquet recommend` prints.
fn sharded<V: Variant, H: Hasher>(made: &Made, hasher: H) -> Result<Box<dyn BenchLoop>> {
    let count = in_shards::count(made.capacity);
    let room = in_shards::room(made.capacity, count, V::FACTS.grows);
    let spec = Spec::new(room, made.target_fpr)?;
    let shard = |_| Ok(RwLock::new(V::make(spec, hasher.clone())?));
    let shards = (0..count).map(shard).collect::<Result<Vec<_>>>()?;
    Ok(single(Shards { hasher, shards }, made.kind))
}

struct Shards<H, F> {
    hasher: H,
    shards: Vec<RwLock<F>>,
}

impl<H: Hasher, F: CatalogueFilter, K: Key + ?Sized> Insertable<K> for Shards<H, F> {
    #[inline(always)]
    fn insert(&mut self, key: &K) -> bool {
        let (shard, rest) = self.hasher.hash_key(key).split(self.shards.len() as u64);
        let shard = self.shards[shard as usize].write();
        shard
            .unwrap_or_else(PoisonError::into_inner)
            .insert_hash(rest)
    }

    #[inline(always)]
    fn contains(&self, key: &K) -> bool {
        let (shard, rest) = self.hasher.hash_key(key).split(self.shards.len() as u64);
        let shard = self.shards[shard as usize].read();
        shard
            .unwrap_or_else(PoisonError::into_inner)
            .contains_hash(rest)
    }

    fn bytes(&self) -> Option<FilterBytes> {
        let beside = size_of::<RwLock<F>>() - size_of::<F>();
        let mut all = FilterBytes::default();
        for shard in &self.shards {
            let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
            all.payload += shard.size_bits().div_ceil(8);
            all.allocated += (shard.memory_bytes() + beside) as u64;
            all.stored += shard.header().map_or(0, |header| header.file_bytes());
        }
        Some(all)
    }
}

/// A set that stores the keys themselves; `integers` or `bytes` is used, depending on the kind of
/// keys.
fn exact<I, B>(made: &Made, integers: I, bytes: B) -> Box<dyn BenchLoop>
where
    I: Insertable<u64> + 'static,
    B: Insertable<[u8]> + 'static,
{
    match made.kind {
        Kind::U64 => of_integers(integers),
        Kind::Url => of_bytes(bytes),
    }
}

/// A set that stores only integers.
fn integers(made: &Made, set: impl Insertable<u64> + 'static) -> Result<Box<dyn BenchLoop>> {
    match made.kind {
        Kind::U64 => Ok(of_integers(set)),
        Kind::Url => bail!("it holds integers only"),
    }
}

/// `std`'s set with its own hash, which has a random key.
macro_rules! exact_sets {
    ($key:ty, $stored:ty, $to_stored:expr) => {
        impl Insertable<$key> for HashSet<$stored> {
            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                HashSet::insert(self, $to_stored(key));
                true
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                HashSet::contains(self, key)
            }
        }

        impl Insertable<$key> for Sorted<$stored> {
            #[inline(always)]
            fn insert(&mut self, key: &$key) -> bool {
                self.0.push($to_stored(key));
                true
            }

            #[inline(always)]
            fn contains(&self, key: &$key) -> bool {
                let found = self.0.binary_search_by(|one| {
                    let one: &$key = one.borrow();
                    one.cmp(key)
                });
                found.is_ok()
            }

            fn finish(&mut self) -> Result<()> {
                self.0.sort_unstable();
                Ok(())
            }
        }
    };
}
exact_sets!(u64, u64, |key: &u64| *key);
exact_sets!([u8], Box<[u8]>, |key: &[u8]| key.into());

/// A vector that is sorted once all keys are inserted.
struct Sorted<T>(Vec<T>);

/// A bitmap with one bit for every integer below its length.
struct Bitmap(BitArray);

impl Insertable<u64> for Bitmap {
    #[inline(always)]
    fn insert(&mut self, key: &u64) -> bool {
        let fits = *key < self.0.len();
        if fits {
            self.0.set(*key);
        }
        fits
    }

    #[inline(always)]
    fn contains(&self, key: &u64) -> bool {
        *key < self.0.len() && self.0.test(*key)
    }
}

struct Roaring(RoaringTreemap);

impl Insertable<u64> for Roaring {
    #[inline(always)]
    fn insert(&mut self, key: &u64) -> bool {
        self.0.insert(*key);
        true
    }

    #[inline(always)]
    fn contains(&self, key: &u64) -> bool {
        self.0.contains(*key)
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
