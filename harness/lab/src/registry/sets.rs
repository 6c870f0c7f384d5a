//! Sets that `bouquet recommend` measures: our filters with either hash, what
//! holds keys exactly, and static filters of others.

use std::collections::HashSet;

use anyhow::{Context, Result, bail};
use bouquet_bits::BitArray;
use bouquet_catalogue::{Variant, every};
use roaring::RoaringTreemap;

use super::{
    made::{Made, Make},
    ours, shards,
};
use crate::speed::{Insertable, SetLoops, set_loops};

/// Every set by its name.
pub fn set_makers() -> Vec<(&'static str, Make)> {
    fn own<V: Variant>() -> (&'static str, Make) {
        (V::FACTS.name, ours::make_set::<V>)
    }
    let mut set_makers = every!(own);
    let sets: [(&'static str, Make); 4] = [
        ("hash-set", |_| Ok(set_loops(Hashed::default()))),
        ("sorted-array", |_| Ok(set_loops(Sorted::default()))),
        ("bitmap", |made| {
            Ok(set_loops(Bitmap(BitArray::new(made.below)?)))
        }),
        ("roaring", |_| Ok(set_loops(Roaring(RoaringTreemap::new())))),
    ];
    set_makers.extend(shards::set_makers());
    set_makers.extend(sets);
    #[cfg(feature = "peers")]
    set_makers.extend(super::speed::static_set_makers());
    set_makers
}

/// `std`'s set, with its own hash under a random key.
#[derive(Default)]
struct Hashed {
    integers: HashSet<u64>,
    bytes: HashSet<Box<[u8]>>,
}

impl Insertable<u64> for Hashed {
    #[inline(always)]
    fn insert(&mut self, key: &u64) -> bool {
        self.integers.insert(*key);
        true
    }

    #[inline(always)]
    fn contains(&self, key: &u64) -> bool {
        self.integers.contains(key)
    }
}

impl Insertable<[u8]> for Hashed {
    #[inline(always)]
    fn insert(&mut self, key: &[u8]) -> bool {
        self.bytes.insert(key.into());
        true
    }

    #[inline(always)]
    fn contains(&self, key: &[u8]) -> bool {
        self.bytes.contains(key)
    }
}

/// Sorted when all keys were given.
#[derive(Default)]
struct Sorted {
    integers: Vec<u64>,
    bytes: Vec<Box<[u8]>>,
}

impl Insertable<u64> for Sorted {
    #[inline(always)]
    fn insert(&mut self, key: &u64) -> bool {
        self.integers.push(*key);
        true
    }

    #[inline(always)]
    fn contains(&self, key: &u64) -> bool {
        self.integers.binary_search(key).is_ok()
    }

    fn finish(&mut self) -> Result<()> {
        self.integers.sort_unstable();
        self.bytes.sort_unstable();
        Ok(())
    }
}

impl Insertable<[u8]> for Sorted {
    #[inline(always)]
    fn insert(&mut self, key: &[u8]) -> bool {
        self.bytes.push(key.into());
        true
    }

    #[inline(always)]
    fn contains(&self, key: &[u8]) -> bool {
        let found = self
            .bytes
            .binary_search_by(|set_loops| set_loops.as_ref().cmp(key));
        found.is_ok()
    }
}

/// A bit for every integer below its length.
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

/// Sets of integers hold no bytes: whoever measures gives them none.
macro_rules! no_bytes {
    ($($set:ty)*) => {$(
        impl Insertable<[u8]> for $set {
            fn insert(&mut self, _: &[u8]) -> bool {
                false
            }

            fn contains(&self, _: &[u8]) -> bool {
                false
            }
        }
    )*};
}
no_bytes!(Bitmap Roaring);

/// The set of this name.
///
/// # Errors
///
/// There is none, or it cannot be made like that.
pub fn make_set(name: &str, made: &Made) -> Result<Box<dyn SetLoops>> {
    let set_makers = set_makers();
    let Some((_, make)) = set_makers.iter().find(|(known, _)| *known == name) else {
        bail!("{name} is not built in");
    };
    make(made).with_context(|| format!("{name} cannot be made"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::StoredKeys;

    #[test]
    fn every_set_holds_its_keys_with_either_hash() {
        let members = StoredKeys::Integers((0..500).map(|i| i * 7).collect());
        let non_members = StoredKeys::Integers((0..500).map(|i| i * 7 + 1).collect());
        for (name, _) in set_makers() {
            for keyed in [false, true] {
                let made = Made {
                    capacity: 500,
                    target_fpr: 0.01,
                    keyed,
                    below: 3_500,
                };
                let mut set = make_set(name, &made).unwrap();
                assert_eq!(set.insert(&members, 0..500), 500, "{name}");
                set.finish().unwrap();
                assert_eq!(set.look_up(&members, 0..500), 500, "{name}");
                assert!(set.look_up(&non_members, 0..500) < 50, "{name}");
            }
        }
    }
}
