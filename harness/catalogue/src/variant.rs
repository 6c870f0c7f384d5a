//! What each file of a filter gives.

use anyhow::{Result, bail};
use bouquet_core::{ConcurrentInsert, Fill, KeyHash, KeyHasher, Locate, SeededHasher, Spec};
use bouquet_format::{Decode, Header};
use bouquet_hash::Xxh3;

use crate::{ExactSize, Facts, File, Fpr, Load, Methods, Part, Shape};

/// A hasher that filters are made with.
pub trait Hasher: KeyHasher + Send + Sync + 'static {}

impl<H: KeyHasher + Send + Sync + 'static> Hasher for H {}

/// A filter of ours, whatever its hasher.
pub trait Variant: 'static {
    const FACTS: Facts;

    type Filter<H: Hasher>: Methods + File + Decode<Hasher = H>;

    /// By its plain constructor, for a target FPR.
    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>>;

    /// Its bits and its FPR, by arithmetic alone, for the keys and the target FPR of
    /// `spec`; one that grows begins with room for `at_first` of them.
    fn paper(at_first: u64, spec: &Spec) -> Result<(f64, Fpr)>;
}

/// A filter that is judged by itself.
pub trait Judged: Variant {
    type Geometry: Locate<Hash = KeyHash> + 'static;

    /// Of about so many slots and so many probes, with what of its locations is uniform.
    fn geometry(slots: u64, probes: u32) -> Result<(Self::Geometry, Vec<Part>)>;

    /// For a target FPR, as it is judged.
    fn for_trial<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>> {
        Self::make(spec, hasher)
    }

    fn with_bits_per_key<H: Hasher>(capacity: u64, bits: f64, hasher: H)
    -> Result<Self::Filter<H>>;

    /// What the header of a file says, if it is of this filter.
    fn stored(_header: &Header) -> Option<Shape> {
        None
    }

    /// Reads a file of it, with the header of the first filter that it is made of.
    fn load<H: Hasher + SeededHasher, L: Load>(
        _inner: Option<&Header>,
        load: &L,
    ) -> Result<L::Held> {
        load.load::<Self::Filter<H>>()
    }

    /// Of exactly this size; only asked of what `bouquet build` makes.
    fn of_size<H: Hasher>(_size: &ExactSize, _hasher: H) -> Result<Self::Filter<H>> {
        bail!(
            "--bits: a filter that is {} is sized by --capacity and --fpr",
            Self::FACTS.name
        )
    }

    /// Mean and variance of the fill with so many keys, where they are known.
    fn fill_theory(_filter: &Self::Filter<Xxh3>, _keys: u64) -> Option<(f64, f64)> {
        None
    }

    /// The standard deviation of the FPR from one filter to the next.
    fn fpr_deviation(_filter: &Self::Filter<Xxh3>, _keys: u64) -> Option<f64> {
        None
    }

    /// Removes a key; only asked of filters that remove.
    fn remove(_filter: &mut Self::Filter<Xxh3>, _key: &[u8]) -> bool {
        false
    }

    /// Inserts the keys from so many threads at once; only asked of filters that can.
    fn insert_from_threads(_filter: &Self::Filter<Xxh3>, _keys: &[Vec<u8>], _threads: usize) {}

    /// m of its geometry, where it is not the number of its bits.
    fn slots(_filter: &Self::Filter<Xxh3>) -> Option<u64> {
        None
    }
}

/// Mean and variance of the fill of a geometry.
pub fn fill(geometry: impl Fill, keys: u64) -> Option<(f64, f64)> {
    Some((geometry.fill_mean(keys), geometry.fill_variance(keys)))
}

/// A geometry that is all one place.
pub fn whole<G: Locate>(geometry: G) -> (G, Vec<Part>) {
    let parts = vec![Part::slot(geometry.probes(), geometry.slots())];
    (geometry, parts)
}

/// Each thread takes every so-manieth key.
pub fn share_out(filter: &impl ConcurrentInsert, keys: &[Vec<u8>], threads: usize) {
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let own = keys.iter().skip(thread).step_by(threads);
            scope.spawn(move || {
                own.for_each(|key| {
                    filter.insert_shared(key);
                })
            });
        }
    });
}
