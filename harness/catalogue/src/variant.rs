//! What each file of a filter gives.

use anyhow::{Result, bail};
use bouquet_core::{KeyHash, Locate, Spec, math::Occupancy};
use bouquet_format::Header;
use bouquet_stats::witness::Form;

use crate::{CatalogueFilter, ExactSize, Facts, Fpr, Hasher, Load, Options, Part, Shape};

/// Bits and FPR by arithmetic alone, for the keys and the target FPR of a spec; one that
/// grows begins with room for `at_first` of them.
pub type SizingFn = fn(at_first: u64, spec: &Spec) -> Result<(f64, Fpr)>;

/// A geometry, with what of its locations is uniform.
pub type Located = (Box<dyn Locate<Hash = KeyHash>>, Vec<Part>);

/// A geometry of about so many slots and so many probes.
pub type Geometries = fn(slots: u64, probes: u32, &Options) -> Result<Located>;

/// A filter that keys are inserted into, whatever its hasher. What is built of all its keys
/// is a [`Static`](crate::Static).
pub trait Variant: 'static {
    const FACTS: Facts;
    const SIZING: SizingFn;
    /// `None` where locations say nothing of the filter.
    const GEOMETRY: Option<Geometries> = None;

    type Filter<H: Hasher>: CatalogueFilter;

    /// By its plain constructor, for a target FPR.
    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>>;

    /// Rejects what is no such filter; only asked of options that its facts name.
    fn check(_capacity: u64, _options: &Options) -> Result<()> {
        Ok(())
    }

    /// For a target FPR, as it is evaluated.
    fn for_trial<H: Hasher>(spec: Spec, _options: &Options, hasher: H) -> Result<Self::Filter<H>> {
        Self::make(spec, hasher)
    }

    fn with_bits_per_key<H: Hasher>(
        _capacity: u64,
        _bits: f64,
        _options: &Options,
        _hasher: H,
    ) -> Result<Self::Filter<H>> {
        let name = Self::FACTS.name;
        bail!("{name} has no number of bits per key: it is sized for a target FPR")
    }

    /// Of exactly this size.
    fn of_size<H: Hasher>(_size: &ExactSize, _hasher: H) -> Result<Self::Filter<H>> {
        let name = Self::FACTS.name;
        bail!("--bits: a filter that is {name} is sized by --capacity and --fpr")
    }

    /// What the header of a file says, if it is of this filter.
    fn stored(_header: &Header) -> Option<Shape> {
        None
    }

    /// Reads a file of it, with the header of the first filter that it is made of.
    fn load<H: Hasher, L: Load<Hasher = H>>(_: Option<&Header>, _: &L) -> Result<L::Loaded> {
        bail!("{} has no file format", Self::FACTS.name)
    }

    /// What it is in plain numbers, with room for so many keys: by these a verdict
    /// expects what it expects. `None`: by the filter's own word.
    fn form<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Option<Form> {
        None
    }

    /// Its bits, in words: those of all in one, of each shard or of each stage. `None`
    /// where it holds something else than bits.
    fn words<H: Hasher>(_filter: &Self::Filter<H>) -> Option<Vec<Vec<u64>>> {
        None
    }

    /// How its crate says that probes fall over its slots, where it does.
    fn occupancy<H: Hasher>(_filter: &Self::Filter<H>) -> Option<Occupancy> {
        None
    }

    /// The deviation of the FPR from one filter to the next with so many keys, by its
    /// crate, where it gives it.
    fn fpr_deviation<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Option<f64> {
        None
    }

    /// What its crate computes of so many keys and no other filter has, each with the same
    /// found a second time.
    fn own_statistics<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Vec<OwnStatistic> {
        Vec::new()
    }

    /// Removes a key; only asked of filters that remove.
    fn remove<H: Hasher>(_filter: &mut Self::Filter<H>, _key: &[u8]) -> bool {
        false
    }
}

/// A number that a crate computes of a filter, and the same found another way.
pub struct OwnStatistic {
    pub what: &'static str,
    pub own: f64,
    pub second: f64,
}

/// A filter of one array of bits, by its crate's `Geometry`.
macro_rules! of_bits {
    ($filter:ident) => {
        type Filter<H: Hasher> = $filter<H>;

        fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<$filter<H>> {
            Ok($filter::with_hasher(spec, hasher)?)
        }

        fn with_bits_per_key<H: Hasher>(
            capacity: u64,
            bits: f64,
            _: &Options,
            hasher: H,
        ) -> Result<$filter<H>> {
            let of = Geometry::with_bits_per_key(capacity, bits)?;
            Ok($filter::from_parts(of.size_bits(), of.hashes(), hasher)?)
        }

        fn of_size<H: Hasher>(size: &ExactSize, hasher: H) -> Result<$filter<H>> {
            let of = Geometry::new(size.size_bits, size.hashes()?)?;
            Ok($filter::from_parts(of.size_bits(), of.hashes(), hasher)?)
        }

        fn load<H: Hasher, L: Load<Hasher = H>>(_: Option<&Header>, load: &L) -> Result<L::Loaded> {
            load.load::<$filter<H>>()
        }

        fn occupancy<H: Hasher>(filter: &$filter<H>) -> Option<Occupancy> {
            Some(filter.geometry().occupancy())
        }

        fn fpr_deviation<H: Hasher>(filter: &$filter<H>, keys: u64) -> Option<f64> {
            Some(filter.geometry().fpr_deviation(keys))
        }
    };
}
pub(crate) use of_bits;

/// A geometry that is all one place.
pub fn whole<G: Locate<Hash = KeyHash> + 'static>(geometry: G) -> Located {
    let parts = vec![Part::slot(geometry.probes(), geometry.slots())];
    (Box::new(geometry), parts)
}
