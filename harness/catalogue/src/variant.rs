//! The trait that describes a filter; the file of each filter implements it.

use anyhow::{Result, bail};
use bouquet_core::{KeyHash, Locate, Spec, math::Occupancy};
use bouquet_format::Header;
use bouquet_stats::reference::Form;

use crate::{
    BySize, CatalogueFilter, ExactSize, Facts, Hasher, Load, Options, Outline, Part, Shape,
    registry::Request,
};

/// Computes the size and the FPR of a filter from the capacity and the target FPR in `spec`. A
/// growing filter starts with a capacity of `at_first` keys.
pub type SizingFn = fn(at_first: u64, spec: &Spec) -> Result<Outline>;

/// A geometry, which maps hashes to slots, and the parts of a location, each of which must be
/// uniformly distributed.
pub type Located = (Box<dyn Locate<Hash = KeyHash>>, Vec<Part>);

/// Makes a geometry with about `slots` slots and `probes` probes per key.
pub type Geometries = fn(slots: u64, probes: u32, &Options) -> Result<Located>;

/// A type of filter into which keys are inserted one after another, with any hasher. A filter that
/// is built from all its keys at once implements [`OfKeys`](crate::OfKeys) instead.
pub trait FilterInfo: 'static {
    const FACTS: Facts;
    const SIZING: SizingFn;
    /// `None` if the filter can only be sized for a target FPR.
    const BY_SIZE: Option<BySize> = None;
    /// `None` if the locations of the filter cannot be tested.
    const GEOMETRY: Option<Geometries> = None;

    type Filter<H: Hasher>: CatalogueFilter;

    /// Makes the filter for a capacity and a target FPR, with default options.
    fn make<H: Hasher>(spec: Spec, hasher: H) -> Result<Self::Filter<H>>;

    /// Rejects invalid values of the options that `FACTS.options` lists.
    fn check(_capacity: u64, _options: &Options) -> Result<()> {
        Ok(())
    }

    /// Makes the filter for an evaluation, with the size and the options of the request.
    fn evaluated<H: Hasher>(request: &Request, hasher: H) -> Result<Self::Filter<H>> {
        Self::make(request.spec()?, hasher)
    }

    fn of_size<H: Hasher>(_size: &ExactSize, _hasher: H) -> Result<Self::Filter<H>> {
        let name = Self::FACTS.name;
        bail!("--bits: a filter that is {name} is sized by --capacity and --fpr")
    }

    /// The shape of the filter in the file with this header; `None` if the filter has another type.
    fn stored(_header: &Header) -> Option<Shape> {
        None
    }

    /// Reads a file of this filter. If the filter consists of other filters, the first argument is
    /// the header of the first inner filter.
    fn load<H: Hasher, L: Load<Hasher = H>>(_: Option<&Header>, _: &L) -> Result<L::Loaded> {
        bail!("{} has no file format", Self::FACTS.name)
    }

    /// The structure of the filter once it holds `keys` keys; expected values are computed from it.
    /// If it is `None`, the expected values that the filter reports are used.
    fn form<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Option<Form> {
        None
    }

    /// The bits of the filter in words of 64 bits: one list for the whole filter, or one for each
    /// shard or stage. `None` if the filter does not consist of bits.
    fn words<H: Hasher>(_filter: &Self::Filter<H>) -> Option<Vec<Vec<u64>>> {
        None
    }

    /// The distribution of probes over the slots; `None` if the filter's crate does not provide it.
    fn occupancy<H: Hasher>(_filter: &Self::Filter<H>) -> Option<Occupancy> {
        None
    }

    /// The standard deviation of the FPR over many filters with `keys` keys each; `None` if the
    /// filter's crate does not provide it.
    fn fpr_deviation<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Option<f64> {
        None
    }

    /// Statistics that only this type of filter has, after `keys` keys: each as the filter's crate
    /// computes it and as computed independently.
    fn own_statistics<H: Hasher>(_filter: &Self::Filter<H>, _keys: u64) -> Vec<OwnStatistic> {
        Vec::new()
    }

    /// Removes a key; only called on filters that support removal.
    fn remove<H: Hasher>(_filter: &mut Self::Filter<H>, _key: &[u8]) -> bool {
        false
    }
}

/// A statistic as the filter's crate computes it (`own`), and as computed independently.
pub struct OwnStatistic {
    pub what: &'static str,
    pub own: f64,
    pub independent: f64,
}

/// Implements the items of [`FilterInfo`] that all filters with one array of bits have in common.
macro_rules! impl_bit_array {
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
pub(crate) use impl_bit_array;

/// A geometry with one part: every probe may fall on any slot.
pub fn whole<G: Locate<Hash = KeyHash> + 'static>(geometry: G) -> Located {
    let parts = vec![Part::slot(geometry.probes(), geometry.slots())];
    (Box::new(geometry), parts)
}
