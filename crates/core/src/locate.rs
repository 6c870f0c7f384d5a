//! The slots that a key's probes visit, and the fill ratio that results.

use crate::math::Occupancy;

/// The slot arithmetic of a filter, without its storage.
///
/// # For users
///
/// A geometry is a small value (m, k and the like) that computes the visited slots of every
/// hash. It needs no array: the uniformity tests compute locations at m = 2^48.
///
/// # Implementing
///
/// - `locate` depends only on the hash and the geometry.
/// - It visits exactly [`probes`](Self::probes) locations, each below [`slots`](Self::slots),
///   in probe order and with repeats: the i-th visit of every key is its i-th probe.
/// - A filter of this geometry sets and tests these slots and no others.
#[diagnostic::on_unimplemented(
    message = "`{Self}` locates no keys",
    note = "give the geometry of a filter, such as `StandardBloom::geometry` returns"
)]
pub trait Locate {
    /// The hash type that a key is reduced to before it is located.
    type Hash;

    /// Number of addressable slots (m).
    fn slots(&self) -> u64;

    /// Probes per key (k).
    fn probes(&self) -> u32;

    /// Calls `visit` with each location of the hash, in probe order.
    fn locate(&self, hash: &Self::Hash, visit: &mut dyn FnMut(u64));
}

/// The theoretical fill ratio of the filters of a geometry.
///
/// # For users
///
/// `fill_mean` and `fill_variance` are the exact mean and variance of
/// [`fill_ratio`](crate::Inspect::fill_ratio) over all filters of the geometry with the given
/// number of different keys: the values that a correct filter is compared with. Both are
/// computed by [`Occupancy`], which names the sources of the formulas.
///
/// # Implementing
///
/// Implement `occupancy`; the other methods follow from it.
pub trait Fill {
    /// How the probes of a key are distributed over the slots.
    fn occupancy(&self) -> Occupancy;

    /// The mean share of slots that are not zero after `keys` different keys.
    fn fill_mean(&self, keys: u64) -> f64 {
        self.occupancy().fill_mean(keys)
    }

    /// The variance of the share of non-zero slots after `keys` different keys, over all
    /// filters of the geometry.
    fn fill_variance(&self, keys: u64) -> f64 {
        self.occupancy().fill_variance(keys)
    }
}
