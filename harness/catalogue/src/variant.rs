//! The trait that the file of each filter implements.

use anyhow::{Result, bail};
use bouquet_core::{KeyHash, Locate, Spec, math::Occupancy};
use bouquet_format::Header;
use bouquet_stats::witness::Form;

use crate::{
    BySize, CatalogueFilter, ExactSize, Facts, Hasher, Load, Options, Outline, Part, Shape,
    registry::Request,
};

/// Computes the outline of a filter for the capacity and the target FPR of a spec; a growing filter
/// begins with a capacity of `at_first` keys.
pub type SizingFn = fn(at_first: u64, spec: &Spec) -> Result<Outline>;

/// A geometry, and the parts of its locations that must be uniform.
pub type Located = (Box<dyn Locate<Hash = KeyHash>>, Vec<Part>);

/// Makes a geometry with about this number of slots and of probes.
pub type Geometries = fn(slots: u64, probes: u32, &Options) -> Result<Located>;

/// A filter into which keys are inserted, with any hasher. Filters that are built from all their
/// keys use [`Static`](crate::Static).
pub trait Variant: 'static {
    const FACTS: Facts;
    const SIZING: SizingFn;
    /// `None` if it is sized for a target FPR alone.
    const BY_SIZE: Option<BySize> = None;
    /// `None` if the filter cannot be tested by locations.
    const GEOMETRY: Option<Geometries> = None;

    type Filter<H: Hasher>: CatalogueFilter;

    /// Makes the filter with its plain constructor, for a target FPR.
    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>>;

    /// Rejects invalid values of the options; only called for options that the facts name.
    fn check(_capacity: u64, _options: &Options) -> Result<()> {
        Ok(())
    }

    /// Makes the filter as it is evaluated.
    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<Self::Filter<H>> {
        Self::make(request.spec()?, hasher)
    }

    /// Makes a filter of exactly this size.
    fn of_size<H: Hasher>(_size: &ExactSize, _hasher: H) -> Result<Self::Filter<H>> {
        let name = Self::FACTS.name;
        bail!("--bits: a filter that is {name} is sized by --capacity and --fpr")
    }

    /// The shape that the header of a file describes, if the file is of this filter.
    fn stored(_header: &Header) -> Option<Shape> {
        None
    }

    /// Reads a file of this filter; the first argument is the header of the first filter that it is
    /// made of.
    fn load<H: Hasher, L: Load<Hasher = H>>(_: Option<&Header>, _: &L) -> Result<L::Loaded> {
        bail!("{} has no file format", Self::FACTS.name)
    }

    /// The form of the filter with room for this number of keys, in plain numbers, from which a
    /// verdict computes the expected values. If `None`, the values that the filter reports are
    /// used.
    fn form<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Option<Form> {
        None
    }

    /// The bits of the filter as words, one list for each part: for the whole, for each shard or
    /// for each stage. `None` if the filter does not consist of bits.
    fn words<H: Hasher>(_filter: &Self::Filter<H>) -> Option<Vec<Vec<u64>>> {
        None
    }

    /// The distribution of probes over the slots according to its crate, if the crate provides it.
    fn occupancy<H: Hasher>(_filter: &Self::Filter<H>) -> Option<Occupancy> {
        None
    }

    /// The standard deviation of the FPR between filters with this number of keys, according to its
    /// crate, if the crate provides it.
    fn fpr_deviation<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Option<f64> {
        None
    }

    /// Statistics that only this filter's crate computes for this number of keys, each with an
    /// independently computed value.
    fn own_statistics<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Vec<OwnStatistic> {
        Vec::new()
    }

    /// Removes a key; only called on filters that support removal.
    fn remove<H: Hasher>(_filter: &mut Self::Filter<H>, _key: &[u8]) -> bool {
        false
    }
}

/// A statistic that a crate computes, and the same value computed independently.
pub struct OwnStatistic {
    pub what: &'static str,
    pub own: f64,
    pub second: f64,
}

/// Implements the common items of a filter with one array of bits, using its crate's `Geometry`.
macro_rules! of_bits {
    ($filter:ident) => {
        type Filter<H: Hasher> = $filter<H>;

        fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<$filter<H>> {
            Ok($filter::with_hasher(spec, hasher)?)
        }

        fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<$filter<H>> {
            let Size::BitsPerKey(bits) = request.size else {
                return Self::make(request.spec()?, hasher);
            };
            let of = Geometry::with_bits_per_key(request.capacity, bits)?;
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

/// A geometry with one part: every probe may fall on any slot.
pub fn whole<G: Locate<Hash = KeyHash> + 'static>(geometry: G) -> Located {
    let parts = vec![Part::slot(geometry.probes(), geometry.slots())];
    (Box::new(geometry), parts)
}
