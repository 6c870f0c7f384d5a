//! Filters that are built from all their keys at once.

use std::{
    io::{self, Write},
    marker::PhantomData,
    sync::{Mutex, OnceLock, PoisonError},
};

use anyhow::{Context as _, Result, anyhow, bail};
use bouquet_core::{Filter, Inspect, Key, Spec};
use bouquet_format::Header;

use crate::{CatalogueFilter, Facts, FilterInfo, Hasher, Load, Shape, SizingFn};

/// A filter that is built from all its keys at once, with any hasher.
pub trait OfKeys: 'static {
    const FACTS: Facts;
    const SIZING: SizingFn;

    type Filter<H: Hasher>: CatalogueFilter;

    /// Builds the filter. Keys may repeat, and the list may be empty.
    fn of_keys<H: Hasher>(spec: Spec, hasher: H, keys: &[&[u8]]) -> Result<Self::Filter<H>>;

    fn stored(_header: &Header) -> Option<Shape> {
        None
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(_: &L) -> Result<L::Loaded> {
        bail!("{} has no file format", Self::FACTS.name)
    }
}

/// Adapts a filter that is built from all its keys to [`FilterInfo`], where keys come one by one.
pub struct Static<S>(PhantomData<S>);

impl<S: OfKeys> FilterInfo for Static<S> {
    const FACTS: Facts = S::FACTS;
    const SIZING: SizingFn = S::SIZING;

    type Filter<H: Hasher> = Built<S, H>;

    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Built<S, H>> {
        Ok(Built {
            spec,
            hasher,
            collected: Collected::new(Keys::default()),
        })
    }

    fn stored(header: &Header) -> Option<Shape> {
        S::stored(header)
    }

    fn load<H: Hasher, L: Load<Hasher = H>>(_: Option<&Header>, load: &L) -> Result<L::Loaded> {
        S::load(load)
    }
}

/// Collects keys until the filter is built from them, at the latest by the first lookup. Then no
/// more keys are accepted.
pub struct Collected<K, F> {
    keys: Mutex<K>,
    has_keys: bool,
    filter: OnceLock<Result<F, String>>,
}

impl<K: Default, F> Collected<K, F> {
    pub fn new(keys: K) -> Self {
        Self {
            keys: keys.into(),
            has_keys: false,
            filter: OnceLock::new(),
        }
    }

    /// Adds a key with `add`, unless the filter is built or `add` rejects it.
    #[inline(always)]
    pub fn insert(&mut self, add: impl FnOnce(&mut K) -> bool) -> bool {
        // A filter that was built before the first key is discarded, and built again later.
        if !self.has_keys {
            self.filter.take();
        }
        let keys = self.keys.get_mut().unwrap_or_else(PoisonError::into_inner);
        let is_taken = self.filter.get().is_none() && add(keys);
        self.has_keys |= is_taken;
        is_taken
    }

    /// The filter, built with `build` if it is not built yet.
    #[inline(always)]
    pub fn built(&self, build: impl FnOnce(K) -> Result<F>) -> Result<&F> {
        let build = || {
            let keys = &mut *self.keys.lock().unwrap_or_else(PoisonError::into_inner);
            build(std::mem::take(keys)).map_err(|error| format!("{error:#}"))
        };
        let built = self.filter.get_or_init(build).as_ref();
        built.map_err(|error| anyhow!("cannot be built: {error}"))
    }
}

/// Returns the built filter to a lookup. Panics if it could not be built, because a lookup cannot
/// return an error.
#[expect(
    clippy::panic,
    reason = "what measures catches it; others call `finish` first"
)]
#[inline(always)]
pub fn looked_up<F>(built: Result<&F>) -> &F {
    match built {
        Ok(filter) => filter,
        Err(error) => panic!("{error}"),
    }
}

/// All keys as one sequence of bytes, and the position at which each key ends.
#[derive(Default)]
pub struct Keys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// A filter that collects the inserted keys and is then built from all of them.
pub struct Built<S: OfKeys, H: Hasher> {
    spec: Spec,
    hasher: H,
    collected: Collected<Keys, S::Filter<H>>,
}

impl<S: OfKeys, H: Hasher> Built<S, H> {
    fn built(&self) -> Result<&S::Filter<H>> {
        self.collected.built(|keys| {
            let starts = [0].into_iter().chain(keys.ends.iter().copied());
            let keys: Vec<&[u8]> = starts
                .zip(&keys.ends)
                .map(|(start, end)| &keys.bytes[start..*end])
                .collect();
            S::of_keys(self.spec, self.hasher.clone(), &keys).context(S::FACTS.name)
        })
    }

    fn filter(&self) -> &S::Filter<H> {
        looked_up(self.built())
    }
}

impl<S: OfKeys, H: Hasher> Filter for Built<S, H> {
    fn contains_bytes(&self, key: &[u8]) -> bool {
        self.filter().contains_bytes(key)
    }
}

impl<S: OfKeys, H: Hasher> CatalogueFilter for Built<S, H> {
    const REJECTS: bool = true;

    fn inspect(&self) -> &dyn Inspect {
        self.filter().inspect()
    }

    fn insert_one<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        self.collected.insert(|keys| {
            key.with_bytes(|bytes| keys.bytes.extend_from_slice(bytes));
            keys.ends.push(keys.bytes.len());
            true
        })
    }

    fn finish(&mut self) -> Result<()> {
        self.built().map(drop)
    }

    #[inline(always)]
    fn contains_one<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.filter().contains_one(key)
    }

    #[inline(always)]
    fn contains_many<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.filter().contains_many(keys, found);
    }

    fn header(&self) -> Option<Header> {
        self.filter().header()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.filter().write(out)
    }

    fn counted_keys(&self) -> Option<u64> {
        self.filter().counted_keys()
    }

    fn keys_left(&self, target_fpr: f64) -> Option<u64> {
        self.filter().keys_left(target_fpr)
    }
}
