//! Where a key's probes go, and how full that makes a filter.

use crate::math::Occupancy;

/// The slot arithmetic of a filter, apart from its storage.
///
/// # For users
///
/// A geometry is a small value (m, k and the like) that gives for every hash
/// the slots that are visited. It needs no array: the uniformity tests ask it for
/// locations at m = 2^48.
///
/// # Implementing
///
/// - `locate` is a function of the hash and the geometry alone.
/// - It visits exactly [`probes`](Self::probes) locations, each below
///   [`slots`](Self::slots), in probe order, repeats included: the i-th visit
///   of every key is its i-th probe.
/// - The filter of this geometry sets and tests these slots and no others.
#[diagnostic::on_unimplemented(
    message = "`{Self}` locates no keys",
    note = "give the geometry of a filter, such as `StandardBloom::geometry` returns"
)]
pub trait Locate {
    /// What a key is reduced to before it is located.
    type Hash;

    /// Addressable slots (m).
    fn slots(&self) -> u64;

    /// Probes per key (k).
    fn probes(&self) -> u32;

    /// Calls `visit` with each location of the hash, in probe order.
    fn locate(&self, hash: &Self::Hash, visit: &mut dyn FnMut(u64));
}

/// How full the filters of a geometry get.
///
/// # For users
///
/// `fill_mean` and `fill_variance` are the mean and the variance of
/// [`fill_ratio`](crate::Inspect::fill_ratio) over all filters of the geometry
/// with so many different keys, exactly: what a correct filter
/// is compared with. Both are forms of [`Occupancy`], which has their sources.
///
/// # Implementing
///
/// Say how the probes of a key fall; the rest follows.
pub trait Fill {
    /// How the probes of a key fall over the slots.
    fn occupancy(&self) -> Occupancy;

    /// The mean share of slots that are not zero after `keys` different keys.
    fn fill_mean(&self, keys: u64) -> f64 {
        self.occupancy().fill_mean(keys)
    }

    /// The variance of that share from one filter to the next.
    fn fill_variance(&self, keys: u64) -> f64 {
        self.occupancy().fill_variance(keys)
    }
}
