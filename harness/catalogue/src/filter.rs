//! The trait that every filter implements for the harness.

use std::{
    io::{self, Write},
    sync::Arc,
};

use anyhow::{Result, bail};
use bouquet_core::{BatchError, Filter, Inspect, Key, KeyHash, KeyHasher};
use bouquet_format::{Decode, Header};

pub trait Hasher: KeyHasher + Send + Sync + 'static {}

impl<H: KeyHasher + Send + Sync + 'static> Hasher for H {}

/// A function that hashes keys with the filter's hasher and can be called from any thread.
pub type HashKeys = dyn Fn(&[&[u8]], &mut [KeyHash]) + Send + Sync;

/// A filter of the catalogue. Only `inspect` is required; a filter overrides the methods for what
/// it supports. Benchmarks time these methods, so an override must call the filter's inherent
/// method, as users of the filter do.
pub trait CatalogueFilter: Filter + Sized + Send + Sync + 'static {
    /// If false, [`insert_hashes`](Self::insert_hashes) skips keys that may already be present.
    const REPEATS: bool = true;

    /// Whether it can reject a key.
    const REJECTS: bool = false;

    /// The size of the filter and the statistics of its contents.
    fn inspect(&self) -> &dyn Inspect;

    /// Returns the filter's answer: `false` if it rejected the key or, where it rejects none, if the
    /// key may have been present before.
    fn insert_one<K: Key + ?Sized>(&mut self, _key: &K) -> bool {
        false
    }

    /// Inserts a key; returns `false` if it was rejected.
    #[inline(always)]
    fn accepts_one<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        self.insert_one(key) || !Self::REJECTS
    }

    /// Inserts keys in the fastest way and stops at the first key that is rejected. Returns how
    /// many keys were accepted.
    fn insert_many<K: Key>(&mut self, keys: &[K]) -> u64 {
        let accepted = keys.iter().take_while(|key| self.accepts_one(*key));
        accepted.count() as u64
    }

    /// Called after the last key; a static filter is built here.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn contains_one<K: Key + ?Sized>(&self, key: &K) -> bool {
        key.with_bytes(|bytes| self.contains_bytes(bytes))
    }

    #[inline(always)]
    fn contains_many<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        for (key, found) in keys.iter().zip(found) {
            *found = self.contains_one(key);
        }
    }

    /// Like [`insert_one`](Self::insert_one), but several threads may call it concurrently. Returns
    /// whether the key was new. Only for filters with `Facts::concurrent`.
    fn insert_one_shared<K: Key + ?Sized>(&self, _key: &K) -> bool {
        false
    }

    /// Inserts a batch; several threads may call it concurrently. Returns how many keys were new.
    fn insert_many_shared<K: Key>(&self, keys: &[K]) -> u64 {
        let new = keys.iter().filter(|key| self.insert_one_shared(*key));
        new.count() as u64
    }

    fn union(&mut self, _other: &Self) -> Result<()> {
        bail!("filters of this kind cannot be united; build one of the keys of both")
    }

    /// The filter's hash function; `None` if the filter cannot insert a key by its hash.
    fn hash_keys(&self) -> Option<Arc<HashKeys>> {
        None
    }

    /// Inserts a key by its hash. Returns `false` if it was rejected.
    fn insert_hash(&mut self, _hash: KeyHash) -> bool {
        false
    }

    fn contains_hash(&self, _hash: KeyHash) -> bool {
        false
    }

    /// Inserts keys, given by their hashes from [`hash_keys`](Self::hash_keys).
    fn insert_hashes(&mut self, _hashes: &[KeyHash]) -> Result<()> {
        bail!("filters of this kind take no hashes")
    }

    fn contains_hashes(&self, _hashes: &[KeyHash], _found: &mut [bool]) {}

    /// The header of the encoded filter; `None` if the filter has no file format.
    fn header(&self) -> Option<Header> {
        None
    }

    fn write(&self, _out: &mut dyn Write) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The encoded filter; `None` if the filter has no file format.
    fn encoded(&self) -> Option<Vec<u8>> {
        self.header()?;
        let mut bytes = Vec::new();
        self.write(&mut bytes).ok().map(|()| bytes)
    }

    /// The header of the first inner filter; `None` if the filter does not consist of other
    /// filters.
    fn inner(&self) -> Option<Header> {
        None
    }

    /// The number of keys in the filter, if the filter counts them.
    fn counted_keys(&self) -> Option<u64> {
        None
    }

    /// The number of keys that can be added before the expected FPR exceeds the target; `None` if
    /// the FPR never exceeds the target.
    fn keys_left(&self, target_fpr: f64) -> Option<u64> {
        let own = self.inspect();
        let until = keys_until(target_fpr, |keys| own.expected_fpr(keys));
        Some(left(until, own.estimated_keys()))
    }
}

/// A return type of the filters' insert methods.
pub trait Inserted {
    /// How many of `given` keys were accepted.
    fn accepted(self, given: usize) -> u64;

    /// Whether the one key given was new or, if the type does not tell, accepted.
    fn answer(self) -> bool
    where
        Self: Sized,
    {
        self.accepted(1) == 1
    }
}

macro_rules! inserted {
    ($([$($error:ident)?] $returned:ty: $accepted:expr $(, $answer:expr)?;)*) => {$(
        impl<$($error)?> Inserted for $returned {
            #[inline(always)]
            fn accepted(self, given: usize) -> u64 {
                let accepted: fn(Self, usize) -> usize = $accepted;
                accepted(self, given) as u64
            }

            $(#[inline(always)]
            fn answer(self) -> bool {
                let answer: fn(Self) -> bool = $answer;
                answer(self)
            })?
        }
    )*};
}
inserted! {
    [] (): |(), given| given;
    [] bool: |_, given| given, |is_new| is_new;
    [] usize: |_, given| given;
    [E] Result<(), E>: |taken, _| taken.is_ok().into();
    [E] Result<bool, E>: |taken, _| taken.is_ok().into();
    [E] Result<usize, BatchError<E>>: |taken, given| taken.map_or_else(|end| end.index, |_| given);
}

/// Implements [`CatalogueFilter`] for a filter of this workspace. The arguments are the filter
/// type; its methods that insert a key and a batch; `unites`, or `!` and an error message if
/// filters cannot be united; and the trait methods to override.
macro_rules! catalogue_filter {
    ([$($generic:tt)*] $filter:ty: $insert:ident, $insert_batch:ident,
        $unite:tt $($why:expr)? ; $($own:item)*) => {
        impl<$($generic)*> $crate::CatalogueFilter for $filter {
            fn inspect(&self) -> &dyn bouquet_core::Inspect {
                self
            }

            #[inline(always)]
            fn insert_one<K: bouquet_core::Key + ?Sized>(&mut self, key: &K) -> bool {
                $crate::Inserted::answer(<$filter>::$insert(self, key))
            }

            #[inline(always)]
            fn insert_many<K: bouquet_core::Key>(&mut self, keys: &[K]) -> u64 {
                $crate::Inserted::accepted(<$filter>::$insert_batch(self, keys), keys.len())
            }

            #[inline(always)]
            fn contains_one<K: bouquet_core::Key + ?Sized>(&self, key: &K) -> bool {
                <$filter>::contains(self, key)
            }

            #[inline(always)]
            fn contains_many<K: bouquet_core::Key>(&self, keys: &[K], found: &mut [bool]) {
                <$filter>::contains_batch(self, keys, found);
            }

            fn hash_keys(&self) -> Option<std::sync::Arc<$crate::HashKeys>> {
                let hasher = <$filter>::hasher(self).clone();
                Some(std::sync::Arc::new(move |keys, hashes| {
                    bouquet_core::KeyHasher::hash_batch(&hasher, keys, hashes)
                }))
            }

            #[inline(always)]
            fn insert_hash(&mut self, hash: KeyHash) -> bool {
                TryInsert::try_insert_hash(self, hash).is_ok()
            }

            #[inline(always)]
            fn contains_hash(&self, hash: KeyHash) -> bool {
                Prehashed::contains_hash(self, hash)
            }

            fn insert_hashes(&mut self, hashes: &[KeyHash]) -> Result<()> {
                if Self::REPEATS {
                    let inserted = TryInsert::try_insert_hash_batch(self, hashes);
                    inserted.map_err(|rejected| rejected.error)?;
                    return Ok(());
                }
                for hash in hashes {
                    if !Prehashed::contains_hash(self, *hash) {
                        TryInsert::try_insert_hash(self, *hash)?;
                    }
                }
                Ok(())
            }

            fn contains_hashes(&self, hashes: &[KeyHash], found: &mut [bool]) {
                Prehashed::contains_hash_batch(self, hashes, found);
            }

            fn header(&self) -> Option<Header> {
                Some(Encode::header(self))
            }

            fn write(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
                Encode::encode_to(self, out)
            }

            $crate::filter::catalogue_filter!(@union $unite $($why)?);
            $($own)*
        }
    };
    (@union unites) => {
        fn union(&mut self, other: &Self) -> anyhow::Result<()> {
            Ok(bouquet_core::Union::union_with(self, other)?)
        }
    };
    (@union ! $why:expr) => {
        fn union(&mut self, _: &Self) -> anyhow::Result<()> {
            anyhow::bail!($why)
        }
    };
}
pub(crate) use catalogue_filter;

/// The slots of a filter, as the header of its file describes them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    pub size_bits: u64,
    /// Probes per key, if the header has this number.
    pub hashes: Option<u64>,
    /// The name of the filter's parts, such as "blocks", and their number.
    pub made_of: Option<(&'static str, u64)>,
    /// Bits per slot, if a slot is more than one bit.
    pub slot_bits: Option<u64>,
}

/// Reads a filter from a file; the type of the filter is a parameter of `load`.
pub trait Load {
    type Loaded;
    /// The hasher that the file uses.
    type Hasher: Hasher;

    fn load<F: CatalogueFilter + Decode<Hasher = Self::Hasher>>(&self) -> Result<Self::Loaded>;
}

/// The largest number of keys for which `expected_fpr` is at most `target_fpr`. `expected_fpr` must
/// not decrease when the number of keys grows.
pub fn keys_until(target_fpr: f64, expected_fpr: impl Fn(u64) -> f64) -> u64 {
    // No filter has room for 2^50 keys.
    last(1 << 50, |keys| expected_fpr(keys) <= target_fpr)
}

/// The largest number below `most` for which `holds` is true. `holds` must be true up to some
/// number and false above it; it is assumed to be true for 0.
pub fn last(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut below, mut above) = (0, most);
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if holds(middle) {
            below = middle;
        } else {
            above = middle;
        }
    }
    below
}

/// How many keys can still be added: `until` minus the estimated keys, but at least 0.
pub fn left(until: u64, estimated_keys: f64) -> u64 {
    // The cast saturates, so a negative difference becomes 0.
    (until as f64 - estimated_keys) as u64
}
